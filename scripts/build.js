// Makes `lib/`, the JavaScript that is published: Node strips types from sources, but not under node_modules. Plain
// JavaScript, so that it needs nothing built.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const lib = join(root, 'lib')

rmSync(lib, { recursive: true, force: true })
const tsc = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
if (tsc.status !== 0) process.exit(tsc.status ?? 1)

// The composition of the published package names the emitted files.
const rows = readFileSync(join(root, 'cordis.yml'), 'utf8').replace(/^(\s*name: \.{1,2}\/\S+)\.ts[ \t]*$/gm, '$1.js')
if (/^\s*name: .*\.ts[ \t]*$/m.test(rows)) throw new Error('cordis.yml names a .ts file in a way that scripts/build.js does not understand')
writeFileSync(join(lib, 'cordis.yml'), rows)

// Whatever the sources read at run time besides modules.
let assets = 0
for (const folder of ['plugins', 'client']) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(ts|md)$/.test(entry.name)) continue
    const from = join(entry.parentPath, entry.name)
    const to = join(lib, from.slice(root.length))
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to)
    assets++
  }
}

const emitted = readdirSync(lib, { recursive: true })
const sources = emitted.filter(name => /(?<!\.d)\.ts$/.test(name))
if (sources.length > 0) throw new Error(`lib/ must hold no TypeScript: ${sources.join(', ')}`)
console.log(`lib/: ${emitted.filter(name => name.endsWith('.js')).length} modules, ${assets} assets`)
