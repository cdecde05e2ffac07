// Which compiler turned a source into what ran. Every record carries this label, and a replay compares it with its own.
// Apart from the compiler itself, so that the host can read it without loading a parser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

function amaroVersion(): string {
  const entry = createRequire(import.meta.url).resolve('amaro')
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', `file://${entry}`), 'utf8'))
  return (manifest as { version: string }).version
}

/** Persistent since record version 11: another label is another generation of compiled code. */
export const MODULE_TRANSFORM = `native-root-v1+amaro@${amaroVersion()}`
