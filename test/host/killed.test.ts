// A host whose process is killed, and the next process that finds its log: a session is rebuilt without calling anything again.
import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/sessions.ts'
import { resultsIn, withHost } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools } from './tool.ts'
import { ID, SCENES, tools } from './victim.ts'

const done = say('Done.')
const victim = fileURLToPath(new URL('victim.ts', import.meta.url))

/** Plays the scene in another process and kills that. */
async function die(folder: string, calls: string, scene: string): Promise<void> {
  const own = join(folder, 'tmp')
  mkdirSync(own)
  const child = spawn(process.execPath, [victim, folder, calls, scene], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: own } })
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => { said += chunk.toString() })
  const ready = (async () => { for await (const line of createInterface(child.stdout)) if (line === 'ready') return true; return false })()
  const isReady = await Promise.race([ready, exited.then(() => false)])
  child.kill('SIGKILL')
  const [, signal] = await exited as [number | null, string | null]
  expect([isReady, signal], said).to.deep.equal([true, 'SIGKILL'])
}

const EXPECTED: Readonly<Record<keyof typeof SCENES, { readonly calls: string, readonly told: RegExp }>> = {
  'between two turns': { calls: 'c', told: /^5,number,3,4$/u },
  'in the middle of a call': { calls: 'ch', told: /^warning\[PTC-R002\]: 1 cell [^]*\nwarning\[PTC-R003\]: tools\.hang was called when the session broke off[^]*\n5,number,3,undefined$/u },
  'in the middle of a call of what an edit has made': { calls: 'ch', told: /^warning\[PTC-R002\]: 2 cells [^]*\nwarning\[PTC-R003\]: tools\.hang was called when the session broke off[^]*\n5,number,3,undefined$/u },
}

describe('a host that is killed', () => {
  for (const [scene, { calls: called, told }] of Object.entries(EXPECTED)) {
    it(`${scene} leaves a session that the next process rebuilds from its log, without a call`, async function () {
      this.timeout(60_000)
      const folder = temporaryFolder()
      const calls = join(folder.path, 'calls')
      writeFileSync(calls, '')
      try {
        await die(folder.path, calls, scene)
        for (const [expected, code] of [
          [told, 'return [n, typeof at, new Point().x, typeof Colour === "undefined" ? undefined : Colour.Red].map(String).join()'], [/^6$/u, 'n += 1; return n'],
        ] as const) {
          await withHost(async (host) => {
            const conversation = await host.resume(ID, { setup: (ctx) => giveTools(ctx, tools(calls, async () => {})) })
            expect(resultsIn(await conversation.ask(cell(code), done)).join('|')).to.match(expected)
          }, { sessions: folder.path })
        }
        expect(readFileSync(calls, 'utf8')).to.equal(called)
      } finally {
        folder.remove()
      }
    })
  }
})
