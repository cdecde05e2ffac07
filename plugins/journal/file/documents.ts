// Small documents beside the histories of the file store, one file each: `<history>.<name>.json` of a session, `<name>.json` of all. Ids
// of sessions have no dots in their file names, so that the two never meet. Format since 0.1.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Documents } from '../types.ts'
import { storing } from '../errors.ts'
import type { Disk } from './disk.ts'

export interface DocumentPlace {
  /** What the path of every document begins with. */
  readonly prefix: string
  readonly disk: Disk
  /** Makes what was done to the names of a folder survive the machine. */
  readonly syncFolder: (path: string) => void
  /** Throws when the documents must not be touched any more. */
  readonly check?: () => void
}

export class FileDocuments implements Documents {
  private readonly place: DocumentPlace

  constructor(place: DocumentPlace) { this.place = place }

  read(name: string): string | undefined {
    const path = this.path(name)
    return storing(`reading ${path}`, () => existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  }

  write(name: string, text: string): void {
    const path = this.path(name)
    // Documents of all sessions have as many writers as there are processes.
    const draft = `${path}.${process.pid}.draft`
    storing(`writing ${path}`, () => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      let isPlaced = false
      try {
        this.fill(draft, Buffer.from(text, 'utf8'))
        renameSync(draft, path)
        isPlaced = true
      } finally {
        if (!isPlaced) rmSync(draft, { force: true })
      }
      this.place.syncFolder(dirname(path))
    })
  }

  setAside(name: string): string {
    const path = this.path(name)
    let aside = `${path}.damaged`
    for (let n = 2; existsSync(aside); n++) aside = `${path}.damaged-${n}`
    storing(`renaming ${path}`, () => { renameSync(path, aside) })
    return basename(aside)
  }

  private fill(path: string, bytes: Buffer): void {
    const { disk } = this.place
    const fd = openSync(path, 'w', 0o600)
    try {
      const written = disk.write(fd, bytes)
      if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written; is the disk full?`)
      disk.fdatasync(fd)
    } finally {
      closeSync(fd)
    }
  }

  private path(name: string): string {
    this.place.check?.()
    return `${this.place.prefix}${name}.json`
  }
}
