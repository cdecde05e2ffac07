// What TAB offers.
import { expect } from 'chai'
import { complete } from '../../../../client/terminal/shell/completion.ts'

const members: Readonly<Record<string, readonly string[]>> = { '': ['alpha', 'alphabet', 'beta'], 'alpha': ['one', 'on', 'with-dash'], 'alpha.one': ['two'], 'notes': [] }

const sources = {
  session: { id: 's', complete: async (path = '') => (members[path] ?? []).map(name => ({ name, kind: 'variable' })) },
  capabilities: {
    view: () => [{ name: 'capabilities', members: ['find'] }, { name: 'notes', members: ['add', 'list'] }],
    tree: () => [{ namespace: 'notes', members: ['add', 'list'] }, { namespace: 'repl', members: ['state'] }],
    session: () => ({ closures: ['mail', 'notes.drop'] }) as never,
  },
}

async function at(text: string) {
  const { from, candidates } = await complete(text, text.length, sources)
  return [text.slice(from), ...candidates]
}

describe('completion of names', () => {
  it('offers session names', async () => expect(await at('x = alp')).to.deep.equal(['alp', 'alpha', 'alphabet']))
  it('offers members of a dotted path that can be written as they are', async () => expect(await at('f(alpha.')).to.deep.equal(['', 'on', 'one']))
  it('reads optional chaining like a dot', async () => expect(await at('alpha?.one?.t')).to.deep.equal(['t', 'two']))
  it('reads through line breaks', async () => expect(await at('alpha\n  .on')).to.deep.equal(['on', 'on', 'one']))
  it('offers namespaces and their members', async () => {
    expect(await at('await no')).to.deep.equal(['no', 'notes'])
    expect(await at('await notes.')).to.deep.equal(['', 'add', 'list'])
  })
  it('offers globals', async () => expect(await at('structuredC')).to.deep.equal(['structuredC', 'structuredClone']))
  it('offers nothing behind a call, an index or a number', async () => {
    for (const text of ['alpha().', 'alpha[0].', '1.', 'x ', '"s".l']) expect(await at(text), text).to.have.length(1)
  })
  it('offers slash commands at the start', async () => {
    expect(await at('/na')).to.deep.equal(['/na', '/names'])
    expect((await at('/'))).to.include('/help')
  })
  it('offers namespaces of the kernel', async () => {
    expect(await at('await repl.')).to.deep.equal(['', 'state'])
    expect(await at('capab')).to.deep.equal(['capab', 'capabilities'])
  })
  it('offers what a command can be about', async () => {
    expect(await at('/close n')).to.deep.equal(['n', 'notes', 'notes.add', 'notes.list'])
    expect(await at('/tools notes.a')).to.deep.equal(['notes.a', 'notes.add'])
    expect(await at('/open ')).to.deep.equal(['', 'mail', 'notes.drop'])
    expect(await at('/policy s')).to.deep.equal(['s', 'stateful'])
    expect(await at('/journal ')).to.deep.equal([''])
  })
  it('completes in the middle of a text', async () => {
    expect(await complete('f(bet, 1)', 5, sources)).to.deep.equal({ from: 2, candidates: ['beta'] })
  })
})
