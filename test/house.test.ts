// The rules of the house that a machine can hold (design 2). A rule with an exception lists it here, with its reason.
import { expect } from 'chai'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.name === 'node_modules') return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

const sources = [...filesBelow('plugins'), ...filesBelow('client')].filter((path) => path.endsWith('.ts'))
const everything = [...sources, ...filesBelow('test').filter((path) => path.endsWith('.ts'))]
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Near enough for looking at types: line comments and block comments go, strings stay. */
const withoutComments = (path: string) => read(path).replace(/\/\*[^]*?\*\//gu, '').replace(/(^|\s)\/\/.*$/gmu, '$1')

interface Import { readonly file: string, readonly from: string, readonly typeOnly: boolean }

function importsOf(file: string): Import[] {
  const found: Import[] = []
  for (const match of read(file).matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"\n;]*?\sfrom\s+)?'([^']+)'/gmu)) {
    found.push({ file, from: match[2]!, typeOnly: match[1] !== undefined })
  }
  for (const match of read(file).matchAll(/\bimport\('([^']+)'/gu)) found.push({ file, from: match[1]!, typeOnly: false })
  return found
}

const imports = sources.flatMap(importsOf)
const pluginOf = (path: string) => /^(plugins\/[^/]+|client\/[^/]+)\//u.exec(path)?.[1]
const resolved = ({ file, from }: Import) => relative(root, join(root, file, '..', from))

/** Value imports across plugins: downwards, few, each with a reason. */
const CROSSING: Readonly<Record<string, string>> = {
  'plugins/journal/own.ts': 'how every plugin provides its service; the lowest leaf has the one copy',
  'plugins/capabilities/declare/arguments.ts': 'a call of the model that the bridge repairs is checked as the call of a program is',
  'plugins/kernel/host/render.ts': 'the terminal shows diagnostics in their one text, and so does the bridge to the host\'s model',
  'plugins/kernel/wire/index.ts': 'arguments that the host has logged in its own terms become envelopes of a history',
}

/** The one file whose job is to load the plugins. */
const BUNDLE = 'plugins/index.ts'

describe('the house', () => {
  it('rule 2: across plugins only types are imported, but for a short list', () => {
    const crossing = imports.filter((entry) => entry.from.startsWith('.') && !entry.typeOnly && entry.file !== BUNDLE
      && pluginOf(entry.file) !== pluginOf(resolved(entry)) && pluginOf(resolved(entry)) !== undefined)
    const unlisted = crossing.filter((entry) => !Object.hasOwn(CROSSING, resolved(entry)))
    expect(Object.keys(CROSSING).filter((path) => !crossing.some((entry) => resolved(entry) === path)), 'listed, not used').to.deep.equal([])
    expect(unlisted.map(({ file, from }) => `${file} imports ${from}`)).to.deep.equal([])
  })

  it('rule 3: cordis is imported as types only, except where the standalone app boots it', () => {
    const running = imports.filter(({ from, typeOnly }) => from === 'cordis' && !typeOnly).map(({ file }) => file)
    expect(running).to.deep.equal(['client/terminal/compose.ts'])
    for (const file of sources) expect(read(file), file).not.to.match(/instanceof Context\b/u)
  })

  it('rule 4: only the bridge names host packages; the standalone app names the loader', () => {
    const naming = sources.filter((file) => read(file).includes('@deepseek-ai/') && !file.startsWith('plugins/cordis-bridge/') && !file.startsWith('client/dsh/'))
    expect(naming).to.deep.equal(['client/terminal/compose.ts'])
    const testing = everything.filter((file) => /@deepseek-ai\/dsh-/u.test(read(file)) && !file.startsWith('test/host/'))
    expect(testing).to.deep.equal([])
    const named = new Set([...read('client/terminal/compose.ts').matchAll(/@deepseek-ai\/[\w-]+/gu)].map(([name]) => name))
    expect([...named].sort()).to.deep.equal(['@deepseek-ai/cordis-plugin-include', '@deepseek-ai/cordis-plugin-loader'])
  })

  it('rule 8: files stay below 400 lines, folders below a dozen files', () => {
    const long = everything.filter((file) => read(file).split('\n').length > 400)
    expect(long).to.deep.equal([])
    const folders = new Map<string, number>()
    for (const file of sources) folders.set(join(file, '..'), (folders.get(join(file, '..')) ?? 0) + 1)
    expect([...folders].filter(([, count]) => count > CROWDED).map(([folder, count]) => `${folder}: ${count}`)).to.deep.equal([])
  })

  it('rule 9: no any, explicit extensions, erasable syntax', () => {
    for (const file of sources) {
      expect(withoutComments(file), file).not.to.match(/(?::|<|\bas)\s*any\b/u)
      for (const { from } of importsOf(file)) if (from.startsWith('.')) expect(from, file).to.match(/\.(?:ts|js)$/u)
    }
  })

  it('no file is a bag: shared, common, utils and helpers are not names', () => {
    const bags = everything.filter((file) => /(?:^|\/)(?:shared|common|utils?|helpers|misc)(?:\/|\.)/u.test(file))
    expect(bags).to.deep.equal([])
  })

  it('every file says in its first line what it is for', () => {
    const silent = everything.filter((file) => !/^(?:#!.*\n)?\/\/ \S/u.test(read(file)))
    expect(silent).to.deep.equal([])
  })

  it('every invariant is named by at least one test', () => {
    const tests = filesBelow('test').filter((path) => path.endsWith('.ts')).map(read).join('\n')
    const missing = INVARIANTS.filter((id) => !new RegExp(`\\b${id}\\b`, 'u').test(tests.replace(/const INVARIANTS[^\n]*/u, '')))
    expect(missing).to.deep.equal([])
  })

  it('the table of exports points at files that exist', () => {
    const { exports } = JSON.parse(read('package.json')) as { exports: Record<string, { default: string } | string> }
    for (const target of Object.values(exports)) {
      const path = typeof target === 'string' ? target : target.default
      const source = path.replace(/^\.\/lib\//u, './').replace(/\.js$/u, '.ts')
      expect(statSync(join(root, source)).isFile(), path).to.equal(true)
    }
  })
})

const CROWDED = 12
const INVARIANTS = ['J1', 'J2', 'J3', 'J4', 'K1', 'K2', 'K3', 'K4', 'R1', 'R2', 'R3', 'V1', 'V2', 'V3', 'W1', 'W2', 'C1', 'C2']
