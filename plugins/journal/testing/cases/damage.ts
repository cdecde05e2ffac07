// Bytes that are not what was written: at the end they are a write that was interrupted, before an intact line they are
// damage. For stores that keep lines, in the format of `line.ts` or their own.
import assert from 'node:assert/strict'
import { all, opened, refused, sourcesOf, type Case, type Trial } from '../trial.ts'

/** Writes the bytes of session `one`, whose first two cells are intact, and expects a history that goes on after them. */
async function cutTo(trial: Trial, bytes: Buffer): Promise<void> {
  const { place } = trial
  place.bytes!.write('one', bytes)
  const before = sourcesOf(await trial.read('one', place.again()))
  assert.deepEqual(before, ['a', 'b'])
  const history = await trial.open('one', place.again())
  assert.deepEqual(sourcesOf(await all(history.entries())), before)
  history.append(opened('again'))
  await history.close()
  assert.deepEqual(sourcesOf(await trial.read('one', place.again())), ['a', 'b', 'again'])
  const next = await trial.open('one', place.again())
  assert.deepEqual(next.repairs, [], 'repaired once')
  await next.close()
}

/** Expects a refusal that names the line and leaves the bytes alone. */
async function refuseBytes(trial: Trial, bytes: Buffer, line: number): Promise<void> {
  const { place } = trial
  place.bytes!.write('one', bytes)
  const error = await refused('corrupt', () => place.again().open('one'))
  assert.ok(error.message.includes(`line ${line}:`), error.message)
  await refused('corrupt', () => trial.read('one', place.again()))
  assert.ok(place.bytes!.read('one').equals(bytes), 'the bytes are left as they are')
}

const lastLine = (bytes: Buffer) => bytes.lastIndexOf(10, bytes.length - 2) + 1

export const DAMAGE: readonly Case[] = [
  {
    title: 'S4: a torn tail is cut, at whichever byte the last line ends',
    needs: 'torn-tail',
    async test(trial) {
      await trial.three()
      const whole = trial.place.bytes!.read('one')
      for (let length = lastLine(whole); length < whole.length; length++) await cutTo(trial, whole.subarray(0, length))
    },
  },
  {
    title: 'S4: a torn tail is cut when the last line is damaged, and when what follows is no line at all',
    needs: 'torn-tail',
    async test(trial) {
      await trial.three()
      const whole = trial.place.bytes!.read('one')
      const intact = whole.subarray(0, lastLine(whole))
      const damaged = Buffer.from(whole)
      damaged[whole.length - 5]! ^= 1
      await cutTo(trial, damaged)
      await cutTo(trial, Buffer.concat([intact, Buffer.alloc(5000)]))
      await cutTo(trial, Buffer.concat([intact, Buffer.from('\n\n{"crc":1}\n')]))
    },
  },
  {
    title: 'S4: a torn tail is reported with the number of bytes',
    needs: 'torn-tail',
    async test(trial) {
      await trial.three()
      const whole = trial.place.bytes!.read('one')
      trial.place.bytes!.write('one', whole.subarray(0, -7))
      const { repairs } = await trial.open('one', trial.place.again())
      assert.equal(repairs.length, 1)
      const { code, severity, phase, stateEffect, message } = repairs[0]!
      assert.deepEqual({ code, severity, phase, stateEffect }, { code: 'PTC-J001', severity: 'warning', phase: 'recover', stateEffect: 'rolled-back' })
      assert.ok(message.includes(`${whole.length - 7 - lastLine(whole)} bytes`), message)
      assert.ok(message.includes('line 2'), message)
    },
  },
  {
    title: 'S4: a torn tail that is all there is leaves an empty history',
    needs: 'torn-tail',
    async test(trial) {
      const history = await trial.open('one')
      history.append(opened())
      await history.close()
      trial.place.bytes!.write('one', trial.place.bytes!.read('one').subarray(0, -1))
      assert.deepEqual(await all((await trial.open('one', trial.place.again())).entries()), [])
    },
  },
  {
    title: 'S5: damage before an intact line is refused, named by its line, and left alone',
    needs: 'damage',
    async test(trial) {
      await trial.three()
      const whole = trial.place.bytes!.read('one')
      const second = whole.indexOf(10) + 1
      const third = whole.indexOf(10, second) + 1
      const flipped = Buffer.from(whole)
      flipped[second + 40]! ^= 1
      await refuseBytes(trial, flipped, 2)
      await refuseBytes(trial, Buffer.concat([Buffer.from('\n'), whole]), 1)
      await refuseBytes(trial, Buffer.concat([whole.subarray(0, third), whole.subarray(second)]), 3)
      trial.place.bytes!.write('one', whole)
      await trial.open('one', trial.place.again())
    },
  },
  {
    title: 'S5: a damaged session does not keep the others from being listed and opened',
    needs: 'damage',
    async test(trial) {
      await trial.three('one')
      await trial.three('two')
      const whole = trial.place.bytes!.read('one')
      whole[40]! ^= 1
      trial.place.bytes!.write('one', whole)
      assert.deepEqual((await trial.place.again().list()).map(({ id }) => id), ['one', 'two'])
      await trial.open('two', trial.place.again())
    },
  },
]
