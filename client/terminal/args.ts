// Turns the words of a command line into one request. Pure: reads no file and prints nothing.
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BindingPolicy } from '../../plugins/kernel/types.ts'

export type CommandName = 'shell' | 'run' | 'batch' | 'sessions' | 'journal' | 'help' | 'version'

/** What `ptc journal` does with a history instead of printing it. `file` is absolute, or `-`. */
export type JournalTask =
  | { readonly task: 'verify' }
  | { readonly task: 'export', readonly file: string }
  /** `as`: the name that was given on the command line; without one the document's counts. */
  | { readonly task: 'import', readonly file: string, readonly as?: string }

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
  readonly journal?: JournalTask
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
  verify: { type: 'boolean' },
  export: { type: 'string' },
  import: { type: 'string' },
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
  journal: { least: 0, most: 1, usage: 'ptc journal [SESSION] [--verify | --export FILE | --import FILE]' },
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
  const task = journalTask(values, operands[0] ?? values.session, here)
  if (task && command !== 'journal' && command !== 'help' && command !== 'version') throw new UsageError(`--${task.task} belongs to "ptc journal"`)
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
    ...task === undefined ? {} : { journal: task },
  }
}

interface JournalFlags { readonly verify?: boolean | undefined, readonly export?: string | undefined, readonly import?: string | undefined }

function journalTask(flags: JournalFlags, named: string | undefined, here: string): JournalTask | undefined {
  const file = (name: string) => name === '-' ? name : resolve(here, name)
  const tasks: JournalTask[] = []
  if (flags.verify) tasks.push({ task: 'verify' })
  if (flags.export !== undefined) tasks.push({ task: 'export', file: file(flags.export) })
  if (flags.import !== undefined) tasks.push({ task: 'import', file: file(flags.import), ...named === undefined ? {} : { as: named } })
  if (tasks.length > 1) throw new UsageError(`--${tasks.map(({ task }) => task).join(' and --')} do not go together`)
  return tasks[0]
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
