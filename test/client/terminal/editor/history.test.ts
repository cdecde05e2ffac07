// The history of cells and its file.
import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InputHistory } from '../../../../client/terminal/editor/history.ts'

describe('the history of a terminal', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ptc-history-'))
    file = join(folder, 'home', 'history')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('keeps a cell of many lines as one entry, for its owner only', () => {
    const history = new InputHistory(file)
    history.add('a')
    history.add('let b = {\n  "c": 1\n}')
    expect(new InputHistory(file).entries).to.deep.equal(['a', 'let b = {\n  "c": 1\n}'])
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(readFileSync(file, 'utf8').split('\n')).to.have.length(3)
  })

  it('drops blank entries and repetitions', () => {
    const history = new InputHistory(file)
    for (const entry of ['a', 'a', ' ', '', 'b', 'a']) history.add(entry)
    expect(history.entries).to.deep.equal(['a', 'b', 'a'])
  })

  it('reads around damage', () => {
    new InputHistory(file).add('a')
    writeFileSync(file, `${readFileSync(file, 'utf8')}nonsense\n5\n"b"\n"torn`)
    expect(new InputHistory(file).entries).to.deep.equal(['a', 'b'])
  })

  it('stays short', () => {
    new InputHistory(file).add('first')
    writeFileSync(file, Array.from({ length: 2500 }, (_, i) => `"entry ${i}"\n`).join(''))
    const history = new InputHistory(file)
    expect(history.entries).to.have.length(1000)
    expect(history.entries.at(-1)).to.equal('entry 2499')
    expect(readFileSync(file, 'utf8').split('\n')).to.have.length(1001)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('works without a file, and without a folder that can be written', () => {
    const memory = new InputHistory(null)
    memory.add('a')
    expect(memory.entries).to.deep.equal(['a'])
    writeFileSync(join(folder, 'blocked'), '')
    const blocked = new InputHistory(join(folder, 'blocked', 'history'))
    blocked.add('a')
    expect(blocked.entries).to.deep.equal(['a'])
  })

  it('searches from the newest to the oldest', () => {
    const history = new InputHistory(null)
    for (const entry of ['one', 'two', 'one two']) history.add(entry)
    expect(history.search('one', 3)).to.equal(2)
    expect(history.search('one', 2)).to.equal(0)
    expect(history.search('one', 0)).to.equal(-1)
  })
})
