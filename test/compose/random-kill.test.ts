// SIGKILLs the whole app at random points of a workload, 50 times: the session opens again every time, no confirmed cell is
// lost and no call happens twice. The number of cells before a kill and the pause before it are seeded; where in a cell the
// kill then falls is up to the machine.
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Batch } from '../harness/batch.ts'
import { Random } from '../harness/random.ts'
import { temporaryFolder } from '../harness/sessions.ts'

const KILLS = 50

describe('killing the app at random', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  after(async () => { await Batch.killAll(); folder.remove() })

  it(`${KILLS} times: no confirmed cell is lost, no call is repeated`, async () => {
    const notes = join(folder.path, 'notes.json')
    const random = new Random(20261130)
    let confirmed = 0
    let sent = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const batch = new Batch(['--home', folder.path, '--with', 'docs/examples/notes/notes.ts'], { PTC_NOTES_FILE: notes })
      const known = await batch.ask({ source: 'typeof steps === "undefined" ? [] : steps' })
      expect(known.error, batch.stderr).to.equal(undefined)
      const steps = known.value as number[]
      expect(steps, `after kill ${kill}`).to.include.members(Array.from({ length: confirmed }, (_, i) => i + 1))
      confirmed = steps.length
      if (confirmed === 0) await batch.ask({ source: 'const steps = []' })
      const rounds = Math.floor(random.next() * 4)
      for (let round = 0; round <= rounds; round += 1) {
        const step = confirmed + 1
        sent += 1
        batch.send({ source: `await notes.add({ text: 'call ${sent}' }); steps.push(${step}); ${step}` })
        if (round === rounds) break
        expect((await batch.next())?.value).to.equal(step)
        confirmed = step
      }
      // The last cell is somewhere between being read and being answered.
      const pause = Math.floor(random.next() * 12)
      for (let turn = 0; turn < pause * 400; turn += 1) await new Promise((resolve) => { setImmediate(resolve) })
      await batch.kill()
    }
    const texts = [...readFileSync(notes, 'utf8').matchAll(/call \d+/gu)].map(([text]) => text)
    expect(new Set(texts).size, 'no call happened twice').to.equal(texts.length)
  })
})
