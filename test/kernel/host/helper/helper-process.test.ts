// A helper process and its peer: what happens when either side breaks the protocol or goes away (W1, W2, K4).
import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { currentLocality } from '../../../../plugins/kernel/host/helper/locality.ts'
import { HelperProcess } from '../../../../plugins/kernel/host/helper/helper-process.ts'
import { boot } from '../../../harness/graph.ts'
import { answerOf, isAlive } from '../../../harness/sessions.ts'

describe('a helper process', () => {
  it('W2 answers every question when it ends, and K4 is gone when `kill` resolves', async () => {
    const helper = new HelperProcess({ maxOldGenerationSizeMb: 128, workerReclaimMs: 5_000, startupProbeMs: 5_000 }, currentLocality())
    await helper.ready
    const questions = [helper.activeMs(), helper.complete('')]
    const killed = helper.kill()
    expect(await Promise.all(questions)).to.satisfy((answers: unknown[]) => answers.every((answer) => answer === undefined || typeof answer === 'number' || Array.isArray(answer)))
    await killed
    expect(isAlive(helper.pid)).to.equal(false)
    expect(await helper.activeMs()).to.equal(undefined)
  })

  it('W1 a worker that writes nonsense to its socket costs its helper, and the session goes on', async () => {
    const graph = await boot()
    const session = await graph.kernel.open('forger')
    await session.run('const kept = 1')
    for (const forged of ['nonsense\\n', '{"type":"done","cell":-1}\\n', '{"type":"call","cell":2,"call":7,"global":"a","member":"b","args":{"codec":"c","root":1,"nodes":[]}}\\n']) {
      const result = await session.run(`require('node:fs').writeSync(4, '${forged}'); await new Promise(() => {})`, { limits: { maxWallMs: 10_000 } })
      expect([result.status, result.error?.message], forged).to.satisfy(([status, message]: string[]) => status === 'discarded' && !message!.includes('ran longer'))
      expect(answerOf(await session.run('kept'))).to.deep.equal({ value: 1 })
    }
    await graph.dispose()
  })

  it('goes when its host is gone, with the children of its cells', async () => {
    const root = fileURLToPath(new URL('../../../..', import.meta.url))
    const host = spawn(process.execPath, ['bin/ptc.js', 'batch', '--memory'], { cwd: root })
    host.stdin.write(`${JSON.stringify({ source: "const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' }); [process.pid, child.pid]" })}\n`)
    const [line] = await once(host.stdout, 'data') as [Buffer]
    const pids = (JSON.parse(line.toString()) as { value: number[] }).value
    expect(pids.every(isAlive)).to.equal(true)
    host.kill('SIGKILL')
    await once(host, 'exit')
    for (let turns = 0; pids.some(isAlive) && turns < 2_000_000; turns += 1) await new Promise((resolve) => { setImmediate(resolve) })
    expect(pids.filter(isAlive)).to.deep.equal([])
  })
})
