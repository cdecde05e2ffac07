// The file source under the suite of all sources, without a gap, and what is its own: names, modes, the folder.
import { chmodSync, fstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { FileSource } from '../../plugins/journal/file-store.ts'
import { nodeDisk } from '../../plugins/journal/file/disk.ts'
import type { Disk } from '../../plugins/journal/file/disk.ts'
import { fileOf, idOf } from '../../plugins/journal/file/name.ts'
import type { NewEntry } from '../../plugins/journal/types.ts'
import type { Fault, Remains } from '../../plugins/journal/testing/index.ts'
import { OtherProcess } from '../../plugins/journal/testing/other-process.ts'
import { describeSource } from './contract.ts'

const full = (): never => { throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }) }

/** Fails the next append; with `also`, the first two attempts to take it back as well. */
function failingDisk(fault: Fault, also: boolean): Disk {
  let due = true
  let stuck = also ? 2 : 0
  return {
    write(fd, bytes) {
      if (!due || fault === 'sync') return nodeDisk.write(fd, bytes)
      due = false
      return fault === 'write' ? full() : nodeDisk.write(fd, bytes.subarray(0, bytes.length >> 1))
    },
    fdatasync(fd) {
      if (!due || fault !== 'sync') return nodeDisk.fdatasync(fd)
      due = false
      full()
    },
    ftruncate(fd, length) {
      if (stuck-- > 0) full()
      nodeDisk.ftruncate(fd, length)
    },
  }
}

/** Knows how much of the last file was synced, and can take back the rest of what was written. */
function forgetfulDisk() {
  let synced = 0
  const disk: Disk = { ...nodeDisk, fdatasync(fd) { nodeDisk.fdatasync(fd); synced = fstatSync(fd).size } }
  const cut = (path: string, remains: Remains): void => {
    const whole = statSync(path).size
    truncateSync(path, remains === 'half' ? synced + ((whole - synced) >> 1) : synced)
    // The length of a file may reach the disk before its content does: what follows reads as zeros.
    if (remains === 'zeros') truncateSync(path, whole)
  }
  return { disk, cut }
}

/** The root user may write everywhere, so it steps down for a while. */
async function withoutRights(dir: string, during: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0
  chmodSync(dir, 0o555)
  if (isRoot) process.seteuid!(65534)
  try {
    await during()
  } finally {
    if (isRoot) process.seteuid!(0)
    chmodSync(dir, 0o700)
  }
}

describeSource('file', async () => {
  const top = mkdtempSync(join(tmpdir(), 'ptc-store-'))
  chmodSync(top, 0o755)
  const dir = join(top, 'sessions')
  return {
    source: new FileSource({ dir }),
    again: () => new FileSource({ dir }),
    bytes: {
      read: (id) => readFileSync(join(dir, fileOf(id))),
      write: (id, bytes) => writeFileSync(join(dir, fileOf(id)), bytes),
    },
    failing: (fault, also = false) => new FileSource({ dir }, failingDisk(fault, also)),
    async readOnly(during) {
      for (const name of readdirSync(dir)) chmodSync(join(dir, name), 0o444)
      await withoutRights(dir, during)
    },
    unplugged() {
      const { disk, cut } = forgetfulDisk()
      return { source: new FileSource({ dir }, disk), cut: (id, remains) => cut(join(dir, fileOf(id)), remains) }
    },
    module: { url: new URL('./file-module.ts', import.meta.url).href, options: { dir } },
    async end() { rmSync(top, { recursive: true }) },
  }
}, { gaps: [] })

const cell = (source: string): NewEntry => ({ kind: 'cell-opened', source, cwd: '/' })

describe('file store', () => {
  let top: string
  let dir: string
  beforeEach(() => {
    top = mkdtempSync(join(tmpdir(), 'ptc-store-'))
    dir = join(top, 'home', 'sessions')
  })
  afterEach(() => rmSync(top, { recursive: true }))

  it('keeps folder and files from other users', async function () {
    if (process.platform === 'win32') return this.skip()
    const history = await new FileSource({ dir }).open('one')
    expect(statSync(dir).mode & 0o777).to.equal(0o700)
    expect(statSync(join(dir, 'one.ndjson')).mode & 0o777).to.equal(0o600)
    expect(statSync(join(dir, 'one.ndjson.lock')).mode & 0o777).to.equal(0o600)
    await history.close()
  })

  it('L3: leaves one file a session', async () => {
    const source = new FileSource({ dir })
    for (const id of ['one', 'two']) await (await source.open(id)).close()
    expect(readdirSync(dir).sort()).to.deep.equal(['one.ndjson', 'two.ndjson'])
  })

  it('writes a line of JSON an entry', async () => {
    const history = await new FileSource({ dir }).open('one')
    history.append(cell('a'))
    await history.close()
    const text = readFileSync(join(dir, 'one.ndjson'), 'utf8')
    expect(text).to.match(/^\{"crc":"[0-9a-f]{8}","entry":\{"seq":1,"at":\d+,"kind":"cell-opened","source":"a","cwd":"\/"\}\}\n$/)
  })

  it('S4: fails with io, and gives up the lock, when a torn tail can not be cut', async () => {
    const history = await new FileSource({ dir }).open('one')
    history.append(cell('a'))
    await history.close()
    const file = join(dir, 'one.ndjson')
    writeFileSync(file, readFileSync(file).subarray(0, -1))
    try {
      await new FileSource({ dir }, failingDisk('write', true)).open('one')
      expect.fail('it was opened')
    } catch (error) {
      expect(error).to.have.property('code', 'io')
    }
    expect(readdirSync(dir)).to.deep.equal(['one.ndjson'])
  })

  it('S4: cuts a gigabyte of zeros, as a power cut may leave them, without reading them into memory', async () => {
    const history = await new FileSource({ dir }).open('one')
    history.append(cell('a'), { sync: true })
    await history.close()
    const file = join(dir, 'one.ndjson')
    const { size } = statSync(file)
    truncateSync(file, 2 ** 30)
    const other = new OtherProcess({ url: new URL('./file-module.ts', import.meta.url).href, options: { dir } }, ['--max-old-space-size=64'])
    try {
      await other.ready
      const before = await other.ask({ do: 'read', id: 'none' })
      const after = await other.ask({ do: 'open', id: 'one' })
      expect(after.peakBytes - before.peakBytes).to.be.lessThan(96 * 2 ** 20)
      expect(statSync(file).size).to.equal(size)
    } finally {
      await other.kill()
    }
  })

  it('fails with io when the folder can not be made', async () => {
    writeFileSync(join(top, 'home'), '')
    try {
      await new FileSource({ dir }).open('one')
      expect.fail('it was opened')
    } catch (error) {
      expect(error).to.have.property('code', 'io')
    }
  })

  it('lists sessions only, whatever else lies in the folder', async () => {
    const source = new FileSource({ dir })
    const history = await source.open('One')
    mkdirSync(join(dir, 'sub'))
    for (const name of ['notes.txt', 'UPPER.ndjson', '%zz.ndjson', '%61.ndjson', '.ndjson', 'sub/inner.ndjson']) writeFileSync(join(dir, name), '')
    expect((await source.list()).map(({ id }) => id)).to.deep.equal(['One'])
    await history.close()
  })

  it('names files so that ids can be told from them, also where case is ignored', () => {
    const ids = ['a', 'A', 'a.b', 'a/b', 'é', '\u{1F600}', '%', 'a+', 'x'.repeat(150), 'x'.repeat(151), 'É'.repeat(200)]
    const files = ids.map(fileOf)
    expect(files.map(idOf)).to.deep.equal(ids)
    expect(new Set(files.map((file) => file.toLowerCase())).size).to.equal(ids.length)
    for (const file of files) for (const part of file.split(/[\\/]/)) expect(part.length).to.be.lessThan(160)
  })

  it('numbers lines of another writer by their content, not by how it spelled them', async () => {
    const { encodeLine } = await import('../../plugins/journal/line.ts')
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'one.ndjson'), encodeLine('{"kind":"cell-opened","source":"a","cwd":"/","at":0,"seq":41}'))
    const history = await new FileSource({ dir }).open('one')
    expect(history.append(cell('b'))).to.equal(42)
    await history.close()
  })
})
