// `Math.random` of cells: one recorded seed a cell and a generator from there, so a program may draw as often as it likes.
//
// Owns: the generator's state. Invariant: R2 a cell that is replayed draws the numbers that it drew.
import { currentCell, type LiveCell, read } from '../cell/live-cell.ts'
import { defineProperty, NativeProxy } from '../natives.ts'

const { imul } = Math
const SOURCE = 'Math.random'
const SEED = 'Math.random seed'

/** xoshiro128**: four words of state, never all zero. */
const state = new Uint32Array(4)
let seeded: LiveCell | undefined

const rotate = (word: number, by: number) => (word << by) | (word >>> (32 - by))

function next(): number {
  const a = state[0]!, b = state[1]!, c = state[2]!, d = state[3]!
  const result = imul(rotate(imul(b, 5), 7), 9) >>> 0
  state[2] = c ^ a
  state[3] = d ^ b
  state[1] = b ^ state[2]
  state[0] = a ^ state[3]
  state[2] ^= b << 9
  state[3] = rotate(state[3], 11)
  return result
}

function seed(words: readonly number[]): void {
  for (let i = 0; i < 4; i += 1) state[i] = words[i]!
  state[0] = state[0]! | 1
}

/** Called once, before user code. */
export function installRandom(): void {
  const native = Math.random
  const word = () => native() * 2 ** 32 >>> 0
  const draw = () => {
    const cell = currentCell()
    if (cell === undefined) return native()
    // Histories from before there were seeds have every number.
    if (cell.recorded !== undefined && cell.nextSource === SOURCE) return read(SOURCE, native)
    if (seeded !== cell) {
      seed(read(SEED, () => [word(), word(), word(), word()]))
      seeded = cell
    }
    return ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53
  }
  defineProperty(Math, 'random', {
    value: new NativeProxy(native, { apply: draw }), writable: true, enumerable: false, configurable: true,
  })
}
