// The text of an entry, as every source stores it: the store's stamp comes first and wins, and nothing else is added or lost.
import { expect } from 'chai'
import { entryText } from '../../plugins/journal/entry.ts'
import type { NewEntry } from '../../plugins/journal/types.ts'

const opened = { kind: 'cell-opened', source: 'const café = "\u2028"', cwd: '/' }

/** Without the time, which is now. */
const textOf = (entry: object) => entryText(7, entry as NewEntry).replace(/"at":\d+/g, '"at":0')

describe('the text of an entry', () => {
  for (const [name, entry, text] of [
    ['begins with the stamp', opened, '{"seq":7,"at":0,"kind":"cell-opened","source":"const café = \\"\u2028\\"","cwd":"/"}'],
    ['drops what JSON drops', { kind: 'x', gone: undefined, call: () => 1 }, '{"seq":7,"at":0,"kind":"x"}'],
    ['has the stamp alone when nothing is left', { kind: undefined }, '{"seq":7,"at":0}'],
    ['has the store\'s stamp in place of an older one', { seq: 1, kind: 'x', at: 2 }, '{"seq":7,"at":0,"kind":"x"}'],
    ['has fields, and not what an object of some class says of itself', Object.assign(Object.create({ toJSON: () => 'other' }), { kind: 'x' }), '{"seq":7,"at":0,"kind":"x"}'],
  ] as const) {
    it(name, () => { expect(textOf(entry)).to.equal(text) })
  }

  it('of a value that JSON has no text for is refused', () => {
    expect(() => entryText(7, { ...opened, notes: 1n } as unknown as NewEntry)).to.throw(/BigInt/)
  })
})
