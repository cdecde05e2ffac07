// Namespaces that one cell's request brings along: called, explained, recorded and replayed like registered ones, and gone
// with the cell.
import { expect } from 'chai'
import type { Member, RequestNamespaces } from '../../../plugins/capabilities/types.ts'
import { answerOf, withSession } from '../../harness/sessions.ts'

const member = (call: Member['call'], parameters?: Member['parameters']): Member => ({
  replay: 'recorded-value', call, ...parameters === undefined ? {} : { parameters },
})
const errorClass = { name: 'ToolCallError', memberNameProperty: 'toolName' }
const anything = { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false }

/** A host's tools; `asked` collects what they were called with. */
function tools(asked: unknown[] = []): RequestNamespaces {
  return {
    tools: {
      authority: 'dsh-tool-dispatch', errorClass,
      members: {
        echo: member((args) => { asked.push(args); return args }, anything),
        needs: member((args) => { asked.push(args); return args ?? 'nothing' }, { ...anything, required: ['n'] }),
        fail: member(() => { throw new Error('no such file') }),
      },
    },
  }
}

describe('the namespaces of a request', () => {
  it('are called, and their errors are of the declared class', () => withSession(async (session) => {
    const run = (source: string) => session.run(source, { namespaces: tools() })
    expect(answerOf(await run('tools.echo({ n: 1 })'))).to.deep.equal({ value: { n: 1 } })
    const caught = await run('try { await tools.fail({}) } catch (e) { return [e instanceof ToolCallError, e.toolName, e.message] }')
    expect(answerOf(caught)).to.deep.equal({ value: [true, 'fail', 'no such file'] })
  }))

  it('end with their cell, and a cell without them does not know them', () => withSession(async (session) => {
    await session.run('var kept = tools.echo, now = (x) => tools.echo(x)', { namespaces: tools() })
    expect(answerOf(await session.run('Object.keys(tools)')), "the kernel's own is left").to.deep.equal({ value: ['edit_run_code'] })
    const next = await session.run('return [await now({ n: 2 }), await kept({}).catch((e) => e.name)]', { namespaces: tools() })
    expect(answerOf(next)).to.deep.equal({ value: [{ n: 2 }, 'LeaseError'] })
  }))

  it('are what the explorer shows, with their authority', () => withSession(async (session) => {
    const shown = await session.run(
      'return [(await capabilities.tree()).map(({ namespace }) => namespace), (await capabilities.inspect({ symbols: ["tools.echo"] })).symbols[0].authority]', { namespaces: tools() },
    )
    expect(answerOf(shown)).to.deep.equal({ value: [['code', 'repl', 'tools'], 'dsh-tool-dispatch'] })
    const without = await session.run("(await capabilities.tree()).find(({ namespace }) => namespace === 'tools').members")
    expect(answerOf(without)).to.deep.equal({ value: ['edit_run_code'] })
  }))

  it('mean {} by a call without an argument, where the schema allows that', () => withSession(async (session) => {
    const asked: unknown[] = []
    await session.run('await tools.echo(); await tools.echo(undefined); await tools.needs()', { namespaces: tools(asked) })
    expect(asked).to.deep.equal([{}, undefined, undefined])
  }))

  it('R1 are answered from the record, with their class of errors', () => withSession(async (session) => {
    const asked: unknown[] = []
    await session.run('var first = await tools.echo({ n: 1 }), second = await tools.echo()', { namespaces: tools(asked) })
    await session.run('var third = await tools.fail().catch((e) => `${e.constructor.name} ${e.toolName}`)', { namespaces: tools(asked) })
    await session.reset()
    const recovered = await session.run('[first, second, third]', { namespaces: tools(asked) })
    expect(answerOf(recovered)).to.deep.equal({ value: [{ n: 1 }, {}, 'ToolCallError fail'] })
    expect(asked).to.have.length(2)
  }))

  it('R3 are answered from the record where nobody has them any more', () => withSession(async (session) => {
    await session.run('var first = await tools.echo({ n: 1 }), second = await tools.echo()', { namespaces: tools() })
    await session.reset()
    expect(answerOf(await session.run('[first, second]'))).to.deep.equal({ value: [{ n: 1 }, {}] })
  }))

  it('can not have a name that is taken', () => withSession(async (session) => {
    for (const name of ['capabilities', 'code', 'repl', 'class']) {
      const refused = await session.run('1', { namespaces: { [name]: { members: {} } } }).catch((error: unknown) => error)
      expect(refused, name).to.include({ name: 'CapabilityError', code: 'bad-name' })
    }
  }))
})
