// Installs the newest host that is on the public registry as a whole, as its users do, and runs its command line in a home of its own.
// docs/reference/host.md says which versions, and why they are pinned.
//
// Owns: the folder with the host, its home and workspace, and the processes that it has started.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { homedir } from 'node:os'
import { command } from '../pack.ts'

const HOST = '0.1.0-rc.8'
const PACKAGE_MANAGER = 'pnpm@11'
/** Newer ones satisfy the host's ranges, and it does not start with them. */
const PINS: Readonly<Record<string, string>> = {
  '@deepseek-ai/cordis': '4.0.1', '@deepseek-ai/cordis-plugin-loader': '1.0.2', '@deepseek-ai/cordis-plugin-include': '1.0.6',
  '@deepseek-ai/cordis-plugin-hmr': '1.0.16', '@deepseek-ai/cordis-plugin-timer': '1.1.3', '@deepseek-ai/cordis-plugin-group': '1.0.1',
  '@deepseek-ai/cosmokit': '1.8.2', '@deepseek-ai/schemastery': '3.18.1',
}

export interface Installed {
  readonly version: string
  readonly home: string
  readonly workspace: string
  /** What the host's command line prints; throws when it fails or takes too long. `input`: more of the environment. */
  run(args: readonly string[], input?: Readonly<Record<string, string>>): Promise<string>
  /** Starts it; what it prints is handed to `print`. */
  start(args: readonly string[], input: Readonly<Record<string, string>>, print: (text: string) => void): ChildProcess
  /** Ids of processes that belong to this home, by their environment. */
  processes(): number[]
}

/** Milliseconds for one command of the host. */
const PATIENCE = 90_000

export function installHost(folder: string): Installed {
  const [host, tools, home, workspace] = ['host', 'tools', 'home', 'workspace'].map((name) => join(folder, name)) as [string, string, string, string]
  for (const path of [host, tools, home, workspace]) mkdirSync(path)
  command(tools, 'npm', ['install', '--prefix', tools, '--no-audit', '--no-fund', PACKAGE_MANAGER])
  const manager = join(tools, 'node_modules', '.bin')
  writeFileSync(join(host, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: { '@deepseek-ai/dsh': HOST } }))
  writeFileSync(join(host, 'pnpm-workspace.yaml'), JSON.stringify({ packages: ['.'], minimumReleaseAge: 0, strictDepBuilds: false, overrides: PINS }))
  command(host, join(manager, 'pnpm'), ['install', '--ignore-scripts', '--store-dir', join(folder, 'store')], 300_000)
  const bin = join(host, 'node_modules/@deepseek-ai/dsh/lib/bin.js')
  const environment = {
    // Where packages come from is the user's business, everything else the host's own home's.
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(?:npm_config_|https?_proxy|no_proxy|node_extra_ca)/iu.test(name))),
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
    PATH: [dirname(process.execPath), manager, process.env.PATH ?? ''].join(delimiter),
    HOME: home, DSH_HOME: home, DSH_TELEMETRY_DISABLED: '1', DSH_TOOLS_MODE: 'code', DSH_PERMISSION_MODE: 'danger-full-access', DEEPSEEK_API_KEY: 'none',
  }
  const start: Installed['start'] = (args, input, print) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd: workspace, env: { ...environment, ...input }, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print)
    return child
  }
  return {
    version: HOST, home, workspace, start,
    async run(args, input = {}) {
      let [printed, said] = ['', '']
      const child = start(args, input, (text) => { said += text })
      child.stdout!.on('data', (text: string) => { printed += text })
      const timer = setTimeout(() => { child.kill('SIGKILL') }, PATIENCE)
      const [code, signal] = await once(child, 'close') as [number | null, string | null]
      clearTimeout(timer)
      if (code !== 0) throw new Error(`dsh ${args.join(' ')} ended with ${code ?? signal}:\n${said}`)
      return printed
    },
    processes: () => readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && belongsTo(name, home)).map(Number),
  }
}

function belongsTo(pid: string, home: string): boolean {
  try { return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DSH_HOME=${home}`) } catch { return false }
}
