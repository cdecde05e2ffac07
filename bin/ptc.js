#!/usr/bin/env node
// The `ptc` command. Plain JavaScript, so that a Node that is too old can still say what to do, or hand over to the
// newer one that a source checkout brings along.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'
import { advice, isSupported } from './node-version.js'

const at = path => fileURLToPath(new URL(path, import.meta.url))

if (isSupported(process.version)) {
  const source = new URL('../client/terminal/main.ts', import.meta.url)
  const built = new URL('../lib/client/terminal/main.js', import.meta.url)
  if (!existsSync(source) && !existsSync(built)) {
    console.error('ptc: lib/ is missing. Run "npm run build" in the package folder.')
    process.exit(1)
  }
  modules.enableCompileCache?.()
  const { main } = await import((existsSync(source) ? source : built).href)
  await main(process.argv.slice(2))
} else {
  const newer = at(process.platform === 'win32' ? '../node_modules/node/bin/node.exe' : '../node_modules/.bin/node')
  if (existsSync(newer) && isSupported(String(spawnSync(newer, ['--version']).stdout).trim())) handOver(newer)
  else {
    console.error(advice(process.version))
    process.exitCode = 1
  }
}

/** Runs this very command line on another Node; its end becomes the end of this process. */
function handOver(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends SIGINT to both processes; only the child may decide what it means.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error('ptc: ' + node + ' does not start: ' + error.message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (!signal) return process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
