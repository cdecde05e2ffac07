// Turns the words of a command line into one request. Pure: reads no file and prints nothing.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BindingPolicy } from '../../plugins/kernel/types.ts'

export type CommandName = 'shell' | 'run' | 'batch' | 'sessions' | 'journal' | 'help' | 'version'

export interface Invocation {
  readonly command: CommandName
  /** Files of `run`, the session of `journal`. */
  readonly operands: readonly string[]
  readonly session: string
  /** Absolute. */
  readonly home: string
  /** Absolute; what cells start in. */
  readonly cwd: string
  readonly policy?: BindingPolicy
  readonly json: boolean
  readonly memory: boolean
  /** Extra plugin files, absolute. */
  readonly with: readonly string[]
  /** Another composition file, absolute. */
  readonly compose?: string
}

/** A command line that makes no sense. `message` is one line for the person who typed it. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const options = {
  session: { type: 'string' },
  home: { type: 'string' },
  policy: { type: 'string' },
  cwd: { type: 'string' },
  with: { type: 'string', multiple: true },
  compose: { type: 'string' },
  json: { type: 'boolean' },
  memory: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/** How many operands a command takes. */
const commands: Readonly<Record<Exclude<CommandName, 'version'>, { readonly least: number, readonly most: number, readonly usage: string }>> = {
  shell: { least: 0, most: 0, usage: 'ptc' },
  run: { least: 1, most: Infinity, usage: 'ptc run FILE...' },
  batch: { least: 0, most: 0, usage: 'ptc batch' },
  sessions: { least: 0, most: 0, usage: 'ptc sessions' },
  journal: { least: 0, most: 1, usage: 'ptc journal [SESSION]' },
  help: { least: 0, most: Infinity, usage: 'ptc help' },
}

/** Throws `UsageError`. */
export function parseCommandLine(argv: readonly string[], env: NodeJS.ProcessEnv = process.env, here = process.cwd()): Invocation {
  const { values, positionals } = parse(argv)
  const [word, ...operands] = positionals
  const command = values.version ? 'version' : values.help ? 'help' : commandNamed(word)
  if (command !== 'version' && command !== 'help') countOperands(command, operands.length)
  for (const [flag, value] of Object.entries(values)) {
    if (value === '' || (Array.isArray(value) && value.includes(''))) throw new UsageError(`--${flag} needs a value`)
  }
  return {
    command, operands,
    session: values.session ?? 'default',
    home: resolve(here, values.home ?? (env['PTC_HOME'] || join(homedir(), '.ptc-plus'))),
    cwd: resolve(here, values.cwd ?? '.'),
    ...values.policy === undefined ? {} : { policy: policyNamed(values.policy) },
    json: values.json ?? false,
    memory: values.memory ?? false,
    with: (values.with ?? []).map(file => resolve(here, file)),
    ...values.compose === undefined ? {} : { compose: resolve(here, values.compose) },
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    // The first sentence says it all; the ones after it explain how Node would like the word to be quoted.
    throw new UsageError((error as Error).message.split(/\. |\n/, 1)[0] ?? 'bad command line')
  }
}

function commandNamed(word: string | undefined): Exclude<CommandName, 'version'> {
  if (word === undefined) return 'shell'
  if (word !== 'shell' && Object.hasOwn(commands, word)) return word as Exclude<CommandName, 'version'>
  throw new UsageError(`unknown command ${JSON.stringify(word)}`)
}

function countOperands(command: Exclude<CommandName, 'version'>, count: number): void {
  const { least, most, usage } = commands[command]
  if (count < least || count > most) throw new UsageError(`usage: ${usage}`)
}

export function policyNamed(word: string): BindingPolicy {
  if (word === 'stateful' || word === 'protected') return word
  throw new UsageError(`the policy is "stateful" or "protected", not ${JSON.stringify(word)}`)
}
