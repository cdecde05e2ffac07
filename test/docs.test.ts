// Pages that list what the code has, compared with the code.
import { expect } from 'chai'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CAPABILITY_ERRORS } from '../plugins/capabilities/errors.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
}

const headings = (page: string) => [...page.matchAll(/^## (.+)$/gmu)].map((match) => match[1]!)
/** The keys of the table of texts in an `errors.ts`. */
const codesIn = (file: string) => [...read(file).matchAll(/^ {2}'([a-z-]+)': \(/gmu)].map((match) => match[1]!)

describe('docs/reference/errors.md', () => {
  const listed = headings(read('docs/reference/errors.md'))

  it('has every diagnostic code that the sources make, and no other', () => {
    const made = new Set(sourcesBelow('plugins').flatMap((text) => [...text.matchAll(/'(PTC-[A-Z]\d{3})'/gu)].map((match) => match[1]!)))
    expect(listed.filter((heading) => heading.startsWith('PTC-')).sort()).to.deep.equal([...made].sort())
  })

  it('has every code of a thrown error, and no other', () => {
    const thrown = [
      ...codesIn('plugins/journal/errors.ts').map((code) => `JournalError ${code}`),
      ...Object.keys(CAPABILITY_ERRORS).map((code) => `CapabilityError ${code}`),
      ...codesIn('plugins/kernel/errors.ts').map((code) => `KernelError ${code}`),
    ]
    expect(listed.filter((heading) => !heading.startsWith('PTC-')).sort()).to.deep.equal(thrown.sort())
  })
})

describe('the pages', () => {
  it('link to files that exist', () => {
    const pages = ['README.md', ...readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${name as string}`).filter((name) => name.endsWith('.md'))]
    const broken: string[] = []
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/gu)) {
        try { readFileSync(join(root, page, '..', target)) } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EISDIR') broken.push(`${page}: ${target}`)
        }
      }
    }
    expect(broken).to.deep.equal([])
  })
})
