// The slash commands of a session in the terminal. A closed table: the name, what it does, what it answers.
import type { ReplSession, RunOptions } from '../../../plugins/kernel/types.ts'
import { policyNamed, UsageError } from '../args.ts'
import type { App } from '../compose.ts'
import { shellHelp } from '../help.ts'
import { journalLines } from '../journal/lines.ts'
import { openSession, type SessionChoice } from '../session.ts'
import { editLastCell, type OpenEditor, type Shown } from './edit.ts'
import { greeting } from './greeting.ts'
import { close, findText, open, refresh, toolsText } from './tools.ts'

/** The session that a shell works on; `/session` replaces it. */
export interface Shell {
  readonly app: App
  session: ReplSession
  readonly choice: SessionChoice
  /** Set when the person wants to leave. */
  leaving: boolean
  /** Opens the person's editor, with the terminal to itself. */
  readonly openEditor: OpenEditor
  /** Runs a cell as one that was typed: it can be interrupted, and is shown. Never rejects. */
  attend(work: (options: RunOptions) => Promise<Shown | undefined>): Promise<void>
}

type Command = (shell: Shell, argument: string) => Promise<string>

const commands: Readonly<Record<string, Command>> = {
  help: async () => shellHelp,
  exit: async shell => {
    shell.leaving = true
    return ''
  },
  names: async shell => {
    const names = await shell.session.complete()
    if (names.length === 0) return shell.session.state === 'cold' ? 'The session is not live yet; its next cell brings it back.\n' : 'No names yet.\n'
    const width = Math.max(...names.map(({ name }) => name.length))
    return names.map(({ name, kind }) => `${name.padEnd(width)}  ${kind}\n`).join('')
  },
  tools: async ({ app, session }, argument) => toolsText(app.capabilities, session.id, argument),
  find: async ({ app, session }, argument) => findText(app.capabilities, session.id, argument),
  close: async ({ app, session }, argument) => close(app.capabilities, session.id, argument),
  open: async ({ app, session }, argument) => open(app.capabilities, session.id, argument),
  refresh: async ({ app, session }, argument) => {
    if (argument !== '') throw new UsageError('usage: /refresh')
    return refresh(app.capabilities, session.id)
  },
  edit: async (shell, argument) => {
    if (argument !== '') throw new UsageError('usage: /edit')
    await shell.attend(options => editLastCell(shell.session, shell.openEditor, options))
    return ''
  },
  reset: async shell => {
    await shell.session.reset()
    return 'The live state is gone; the next cell brings it back from the history.\n'
  },
  policy: async (shell, argument) => {
    if (argument !== '') shell.session.policy = policyNamed(argument)
    return `policy: ${shell.session.policy}\n`
  },
  journal: async (shell, argument) => {
    if (!/^\d*$/.test(argument)) throw new UsageError('usage: /journal [COUNT]')
    const lines = await journalLines(shell.app.journal.read(shell.session.id), Number(argument || 10))
    return lines.length === 0 ? 'No history yet.\n' : `${lines.join('\n')}\n`
  },
  session: async (shell, argument) => {
    if (argument !== '' && argument !== shell.session.id) {
      const before = shell.session
      shell.session = await openSession(shell.app, { ...shell.choice, session: argument, policy: before.policy })
      await before.close()
    }
    return `${await greeting(shell.app, shell.session)}\n`
  },
}

export const commandNames: readonly string[] = Object.keys(commands)

/** Answers what to print. A command that can not do its work says so; the shell goes on. */
export async function runCommand(shell: Shell, name: string, argument: string): Promise<{ readonly ok: boolean, readonly text: string }> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return { ok: false, text: `unknown command /${name}; /help lists them\n` }
  try {
    return { ok: true, text: await command(shell, argument) }
  } catch (error) {
    return { ok: false, text: `${(error as Error).message}\n` }
  }
}
