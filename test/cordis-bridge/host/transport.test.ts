// Where the host keeps its definition of `run_code`.
import { expect } from 'chai'
import { EXECUTORS, TransportTools } from '../../../plugins/cordis-bridge/host/transport.ts'
import type { ToolDefinition, Tools } from '../../../plugins/cordis-bridge/host/types.ts'

const definition = (description: string): ToolDefinition => ({ name: 'run_code', description, parameters: {}, output: {} })
/** The host's tools, with what its registry and an executor of that name have. */
function toolsOf(registered: ToolDefinition | undefined, executor?: object, name = EXECUTORS[0]!) {
  const warned: string[] = []
  const registry: Tools = { get: (tool) => tool === 'run_code' ? registered : undefined, execute: async () => ({ isError: false, content: [] }) }
  return { warned, tools: new TransportTools(registry, (service) => service === name ? executor : undefined, (text) => { warned.push(text) }) }
}
const forbidden = { dispose() { throw new Error('called') }, start() { throw new Error('called') } }

describe('the definition of run_code', () => {
  it('is the registry\'s where that has one', () => {
    const { tools } = toolsOf(definition('registry'), { transport: () => definition('executor') })
    expect(tools.get('run_code')!.description).to.equal('registry')
    expect(tools.get('read')).to.equal(undefined)
  })

  for (const reader of ['requirePtcTransport', 'requireTransport', 'transport']) {
    for (const name of EXECUTORS) {
      it(`is read from ${name}.${reader}, and nothing else is called`, () => {
        const executor = { ...forbidden, held: definition('executor'), [reader]() { return this.held } }
        const { tools, warned } = toolsOf(undefined, executor, name)
        expect(tools.get('run_code')).to.equal(executor.held)
        expect([tools.isUnreadable, tools.get('read'), warned]).to.deep.equal([false, undefined, []])
      })
    }
  }

  for (const [what, executor] of Object.entries({
    'readers that answer nothing': { transport: () => undefined }, 'readers that refuse': { requireTransport() { throw new Error('not now') } },
    'readers of something else': { transport: () => ({ name: 'bash', output: {} }) }, 'no readers': {}, 'a member that is no reader': { transport: definition('x') },
  })) {
    for (const declared of [['run_code'], [{ name: 'run_code' }]]) {
      it(`that is declared by an executor with ${what} can not be read, which is said once`, () => {
        const { tools, warned } = toolsOf(undefined, { ...forbidden, ...executor, describe: (of: unknown[]) => of.length === 0 ? declared : [] })
        expect([tools.isUnreadable, tools.isUnreadable, tools.get('run_code')]).to.deep.equal([true, true, undefined])
        expect(warned).to.have.length(1)
      })
    }
    it(`that is declared by nobody is not missed, with ${what}`, () => {
      for (const describe of [() => ['bash'], () => undefined, () => { throw new Error('not now') }]) {
        const { tools, warned } = toolsOf(undefined, { ...executor, describe })
        expect([tools.isUnreadable, warned]).to.deep.equal([false, []])
      }
    })
  }

  it('is not missed where there is no executor', () => { expect(toolsOf(undefined).tools.isUnreadable).to.equal(false) })
})
