// Writing to streams that are slow, or gone.
import { expect } from 'chai'
import { PassThrough, Writable } from 'node:stream'
import { Printer } from '../../../client/terminal/printer.ts'
import { plain } from '../../../client/terminal/render.ts'
import { sink, type Sink } from '../../../client/terminal/streams.ts'
import type { CellResult } from '../../../plugins/kernel/types.ts'

describe('a sink', () => {
  it('waits until a slow reader has room', async () => {
    const stream = new PassThrough({ highWaterMark: 10 })
    const out = sink(stream)
    let written = false
    const writing = out.write('x'.repeat(100)).then(() => { written = true })
    await new Promise(resolve => setTimeout(resolve, 10))
    expect(written).to.equal(false)
    stream.resume()
    await writing
    expect(stream.listenerCount('drain')).to.equal(0)
  })

  it('lets go when the reader goes, and swallows what comes after', async () => {
    const stream = new Writable({ highWaterMark: 1, write(_chunk, _encoding, done) { setTimeout(() => done(new Error('EPIPE')), 5) } })
    const out = sink(stream)
    await out.write('first')
    expect(out.gone.aborted).to.equal(true)
    await out.write('second')
  })
})

describe('printing what cells do', () => {
  const result = (fields: Partial<CellResult>) => ({ status: 'durable', hasValue: false, logs: [], output: '', diagnostics: [], ...fields }) as unknown as CellResult
  const memory = () => {
    const written: string[] = []
    const make = (name: string): Sink => ({ gone: new AbortController().signal, async write(text) { written.push(`${name}:${text}`) } })
    return { written, out: make('out'), err: make('err') }
  }

  it('shows output as it comes, on its own stream, then the value, then troubles', async () => {
    const { written, ...sinks } = memory()
    const printer = new Printer({ ...sinks, look: plain, json: false })
    printer.live({ channel: 'stdout', text: 'a\n' })
    printer.live({ channel: 'stderr', text: 'b\n' })
    printer.live({ channel: 'diagnostic', text: 'comes again in the result\n' })
    await printer.result(result({ hasValue: true, value: 1, error: { kind: 'timeout', message: 'late' } }), '')
    expect(written).to.deep.equal(['out:a\n', 'err:b\n', 'out:1\n', 'err:timeout: late\n'])
  })

  it('ends a line that a program left open, where it was left', async () => {
    const { written, ...sinks } = memory()
    const printer = new Printer({ ...sinks, look: plain, json: false })
    printer.live({ channel: 'stderr', text: 'half' })
    await printer.result(result({}), '')
    await printer.result(result({ hasValue: true, value: 1 }), '')
    expect(written).to.deep.equal(['err:half', 'err:\n', 'out:1\n'])
  })

  it('prints one line a cell with json', async () => {
    const { written, ...sinks } = memory()
    const printer = new Printer({ ...sinks, look: plain, json: true })
    printer.live({ channel: 'stdout', text: 'a' })
    await printer.result(result({ logs: [{ channel: 'stdout', text: 'a' }] }), '')
    expect(written).to.deep.equal(['out:{"status":"durable","hasValue":false,"logs":[{"channel":"stdout","text":"a"}],"diagnostics":[]}\n'])
  })
})
