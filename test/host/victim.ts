// A host in a process of its own, for `killed.test.ts`: it plays one scene, says on its output when the log has it, and waits.
//   node victim.ts FOLDER CALLS SCENE      sessions below FOLDER; a letter in the file CALLS for every tool that is called
import { appendFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { bootHost, type Host } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools, type TestTool } from './tool.ts'

export const ID = 'victim'
const done = say('Done.')
const editing = (old: string, next: string) => cell(`await tools.edit_run_code({ edits: [{ old_string: ${JSON.stringify(old)}, new_string: ${JSON.stringify(next)} }] })`)
const first = cell('let n = await tools.count({}); const at = Date.now(); class Point { constructor(public x = 3) {} }')

/** What the model asks for before the process is killed. In all but the first the last cell never ends. */
export const SCENES = {
  'between two turns': [[first, cell('enum Colour { Red = 4 }; n += Colour.Red'), done]],
  'in the middle of a call': [[first, cell('n += 4'), done], [cell('n += 100; await tools.hang({})')]],
  'in the middle of a call of what an edit has made': [[first, cell('n += 4'), done], [cell('var edited = 1'), editing('var edited = 1', 'n += 100; await tools.hang({})')]],
} as const

export function tools(calls: string, hanging: () => Promise<void>): Readonly<Record<string, TestTool>> {
  return {
    count: { call() { appendFileSync(calls, 'c'); return 1 } },
    hang: { async call() { appendFileSync(calls, 'h'); await hanging(); return await new Promise<never>(() => {}) } },
  }
}

async function play(host: Host, folder: string, calls: string, scene: keyof typeof SCENES): Promise<void> {
  const ready = async () => {
    await host.ctx.get('sessions')!.flush(conversation.session)
    process.stdout.write('ready\n')
  }
  const conversation = await host.open({ id: ID, cwd: folder, setup: (ctx) => giveTools(ctx, tools(calls, ready)) })
  for (const script of SCENES[scene]) await conversation.ask(...script)
  await ready()
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [folder, calls, scene] = process.argv.slice(2) as [string, string, keyof typeof SCENES]
  await play(await bootHost({ sessions: folder }), folder, calls, scene)
  setInterval(() => {}, 60_000)
}
