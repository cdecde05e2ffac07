// An example plugin of one file: it gives programs `notes`, kept as one JSON text a line in a file, and `files.read`. Both are
// recorded, so that a session which used them can be recovered without touching the files again.
import type { Context } from 'cordis'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type {} from '../../../plugins/capabilities/index.ts'

export interface Config {
  /** Where the notes are kept; default: $PTC_NOTES_FILE, or notes.ndjson in the directory of the app. */
  readonly file?: string
}
export interface Note { readonly id: number, readonly text: string }

export const name = 'notes'
export const inject: string[] = ['capabilityPlan']

const NOTE = { type: 'object', properties: { id: { type: 'integer' }, text: { type: 'string' } }, required: ['id', 'text'] }
/** A call whose argument does not fit is refused before its member hears of it. */
const oneText = (key: string) => ({ type: 'object', properties: { [key]: { type: 'string' } }, required: [key], additionalProperties: false })

export function apply(ctx: Context, { file = process.env.PTC_NOTES_FILE ?? resolve('notes.ndjson') }: Config): void {
  const list = (): Note[] => existsSync(file)
    ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line) as Note)
    : []

  ctx.capabilityPlan.register('notes', {
    add: {
      description: 'Keeps a note and answers it with its number.',
      parameters: oneText('text'), returns: NOTE, replay: 'recorded-value', effect: 'write',
      call(args) {
        const note: Note = { id: list().length + 1, text: (args as { text: string }).text }
        appendFileSync(file, `${JSON.stringify(note)}\n`)
        return note
      },
    },
    list: {
      description: 'Answers all notes, oldest first.',
      returns: { type: 'array', items: NOTE }, replay: 'recorded-value', effect: 'read', completeness: 'complete',
      call: list,
    },
  })

  ctx.capabilityPlan.register('files', {
    read: {
      description: 'Answers the text of a file. A relative path starts at the directory of the cell.',
      parameters: oneText('path'), returns: { type: 'string' }, replay: 'recorded-value', effect: 'read',
      call: (args, { cwd }) => readFileSync(resolve(cwd, (args as { path: string }).path), 'utf8'),
    },
  })
}
