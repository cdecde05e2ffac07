// Runtimes in the place of the host's own, where the host declares `run_code` and does not publish it: no cell is ours (contract 12.2).
import { expect } from 'chai'
import { Executions } from '../../../plugins/cordis-bridge/execution.ts'
import { EXECUTORS, TransportTools } from '../../../plugins/cordis-bridge/host/transport.ts'
import type { CodeRuntime, PtcRuntime, Tools } from '../../../plugins/cordis-bridge/host/types.ts'
import { codeRuntime } from '../../../plugins/cordis-bridge/seam/code-runtime.ts'
import { ptcRuntime } from '../../../plugins/cordis-bridge/seam/ptc-runtime.ts'

const limits = { defaultMs: 1, maxMs: 2 }
const original: PtcRuntime = {
  language: 'typescript', isolation: 'none', executionInstructions: 'ours is a fresh worker', sandboxMode: 'read-only', timeout: limits, retainsState: false,
  resolve: ({ program, bindings }) => ({ program, bindings, cwd: '/', timeoutMs: null }), run: async ({ program }) => `ran ${program}`,
}
const older: CodeRuntime = { language: 'typescript', isolation: 'none', run: async ({ program }) => ({ logs: [`ran ${program}`] }) }
const registry: Tools = { get: () => undefined, execute: async () => ({ isError: false, content: [] }) }

function runtimes(executor: object | undefined) {
  const tools = new TransportTools(registry, (name) => name === EXECUTORS[0] ? executor : undefined, () => {})
  const executions = new Executions(tools, () => { throw new Error('no session') })
  return { newer: ptcRuntime({ original, gone: false }, executions, tools, new WeakMap()), older: codeRuntime(older, executions, tools) }
}
const said = ({ isolation, executionInstructions, sandboxMode, timeout, retainsState }: PtcRuntime) => [isolation, executionInstructions, sandboxMode, timeout, retainsState]

describe('a runtime in the place of the host\'s', () => {
  it('says of itself how cells run', () => {
    const { newer, older: elder } = runtimes(undefined)
    expect([...said(newer), elder.isolation]).to.deep.equal(['process', '', undefined, undefined, true, 'process'])
  })

  it('says what the host\'s own says where run_code is declared and can not be read, and runs programs there', async () => {
    const { newer, older: elder } = runtimes({ describe: () => ['run_code'] })
    expect([...said(newer), elder.isolation]).to.deep.equal(['none', 'ours is a fresh worker', 'read-only', limits, false, 'none'])
    expect(await newer.run(newer.resolve({ program: 'p', bindings: [] }))).to.equal('ran p')
  })
})
