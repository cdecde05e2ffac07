// `/edit`: the last cell in the person's own editor, and what comes back as an edit of that cell, the same as a program makes with
// `tools.edit_run_code`.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CellResult, ReplSession, RunOptions } from '../../../plugins/kernel/types.ts'

/** A cell that has run, to be shown. */
export interface Shown { readonly source: string, readonly result: CellResult }

/** Runs the person's editor on a file and answers its exit status. */
export type OpenEditor = (file: string) => Promise<number>

/** The text as the person left it; undefined when there is nothing to run. Throws when the editor fails. */
export async function editedText(source: string, openEditor: OpenEditor): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'ptc-edit-'))
  try {
    const file = join(folder, 'cell.ts')
    await writeFile(file, source, { mode: 0o600 })
    const status = await openEditor(file)
    if (status !== 0) throw new Error(`the editor ended with status ${status}, so nothing was run`)
    const text = await readFile(file, 'utf8')
    // Editors end the last line, whether or not it was ended before.
    const edited = !source.endsWith('\n') && text.endsWith('\n') ? text.slice(0, -1) : text
    return edited === source || edited.trim() === '' ? undefined : edited
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Throws when there is no cell, or when it can not be edited to this. */
export async function editLastCell(session: ReplSession, openEditor: OpenEditor, options: RunOptions): Promise<Shown | undefined> {
  const target = session.editTarget
  if (target === undefined) throw new Error('no cell of this session has run yet')
  const text = await editedText(target.source, openEditor)
  if (text === undefined) return undefined
  const { receipt, derived } = await session.edit({
    edits: [{ old_string: target.source, new_string: text }], expected_target_call_seq: target.callSeq,
  }, options)
  if (!receipt.accepted) throw new Error(receipt.reason)
  return derived
}
