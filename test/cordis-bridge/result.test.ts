// What the host is told of a cell.
import { expect } from 'chai'
import { toPtcRunResult, toRunResult } from '../../plugins/cordis-bridge/result.ts'
import type { CellResult, FailureKind, LogEntry } from '../../plugins/kernel/types.ts'

const out = (text: string): LogEntry => ({ channel: 'stdout', text })
const notice: LogEntry = { channel: 'diagnostic', text: 'warning[PTC-R002]: gone' }
const made = (part: Partial<CellResult>): CellResult => ({ status: 'durable', hasValue: false, logs: [], output: '', diagnostics: [], record: {} as never, ...part })

describe('the result of a cell, in the host\'s terms', () => {
  const CASES: Readonly<Record<string, readonly [Partial<CellResult>, object]>> = {
    'no value': [{}, { logs: [] }],
    'a value': [{ hasValue: true, value: [1] }, { logs: [], value: [1] }],
    'a value that is null': [{ hasValue: true, value: null }, { logs: [], value: null }],
    'a value that is no JSON, as its text': [{ hasValue: true, text: '[1n]' }, { logs: [], value: '[1n]' }],
    'prints, of one line, of none or of more': [{ logs: [out('a'), out(''), out('b\nc')] }, { logs: ['a', '', 'b\nc'] }],
    'notices first, as they came': [{ logs: [notice, out('a')] }, { logs: ['warning[PTC-R002]: gone', 'a'] }],
    'a failure without a diagnostic': [{ error: { kind: 'abort', message: 'stop' }, logs: [notice, out('a')] }, { logs: ['a'], error: { kind: 'abort', message: 'stop' } }],
  }
  for (const [title, [part, expected]] of Object.entries(CASES)) it(title, () => { expect(toRunResult(made(part), '')).to.deep.equal(expected) })

  it('has the failure before what recovery found, with its frame', () => {
    const { error } = toRunResult(made({
      error: { kind: 'exception', message: 'x' },
      diagnostics: [
        { code: 'PTC-R002', severity: 'warning', phase: 'recover', message: 'gone', stateEffect: 'rolled-back' },
        { code: 'PTC-X001', severity: 'error', phase: 'execute', message: 'x', stateEffect: 'unchanged', source: { cell: 'current', start: { line: 1, column: 1 } } },
      ],
    }), 'boom()')
    expect(error!.message).to.match(/^error\[PTC-X001\]: x\n --> current:1:1\n1 \| boom\(\)\n[^]*\nwarning\[PTC-R002\]: gone/u)
  })

  it('has output in parts for hosts that take it so, images last', () => {
    const image = { type: 'image', attachment: { id: 'a' } } as const
    expect(toPtcRunResult(made({ logs: [out('a'), out('b')], hasValue: true, value: 1 }), '', [image])).to.deep.equal({
      logs: ['a', 'b'], value: 1, output: [{ type: 'text', text: 'a\n' }, { type: 'text', text: 'b\n' }, image],
    })
  })

  it('tells kinds that the older host does not have as the nearest', () => {
    const kindOf = (kind: FailureKind) => [toRunResult(made({ error: { kind, message: '' } }), ''), toPtcRunResult(made({ error: { kind, message: '' } }), '', [])].map(({ error }) => error!.kind)
    expect(kindOf('protocol')).to.deep.equal(['worker-exit', 'protocol'])
    expect(kindOf('recovery')).to.deep.equal(['worker-exit', 'worker-exit'])
    expect(kindOf('budget-unavailable')).to.deep.equal(['timeout', 'timeout'])
    expect(kindOf('output-limit')).to.deep.equal(['output-limit', 'output-limit'])
  })
})
