// Builds and packs a copy of the sources, so that nothing of a checkout is touched.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['plugins', 'client', 'bin', 'docs', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'cordis.yml', 'cordis.patch.yml', 'README.md', 'LICENSE']

/** What the program says. Throws with what it complains about when it fails, or takes longer than `timeout` milliseconds. */
export function command(cwd: string, program: string, args: readonly string[], timeout = 120_000): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `${stdout}\n${stderr}`}`)
  return stdout
}

/** Answers the tarball, which lies in `folder`. */
export function pack(folder: string): string {
  const sources = join(folder, 'sources')
  mkdirSync(sources)
  for (const name of SOURCES) cpSync(join(root, name), join(sources, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  command(sources, process.execPath, ['scripts/build.js'])
  const packed = command(sources, 'npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  return join(folder, filename)
}
