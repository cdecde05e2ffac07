// Cells of a host's session in their kernel: what persists, what the model reads of failures, and what a session is rebuilt from.
import { expect } from 'chai'
import { cpSync } from 'node:fs'
import { temporaryFolder } from '../harness/sessions.ts'
import { bootHost, endOf, resultsIn, withHost, type Conversation, type Host } from './host.ts'
import { cell, say } from './model.ts'
import { giveTools, untilAborted, type TestTool } from './tool.ts'

const done = say('Done.')
const run = async (conversation: Conversation, code: string) => resultsIn(await conversation.ask(cell(code), done)).join('|')

/** A tool that counts its calls. */
function counter(): { readonly calls: () => number, readonly setup: (ctx: Parameters<typeof giveTools>[0]) => void } {
  let calls = 0
  const count: TestTool = { call() { calls += 1; return calls } }
  return { calls: () => calls, setup: (ctx) => giveTools(ctx, { count }) }
}

/** Of each result, whether its metadata tells what its cell could see. */
const tellingIn = ({ session }: Conversation) => session.events.flatMap((event) => event.type === 'tool/result' ? [Object.hasOwn((event.data.meta ?? {}) as object, 'dshPtcPlusSurface')] : [])

/** Hosts one after the other over the same files, as processes would be. */
async function inTurn(...uses: ((host: Host, cwd: string) => Promise<void>)[]): Promise<void> {
  const folder = temporaryFolder()
  try {
    for (const use of uses) await withHost((host) => use(host, folder.path), { sessions: folder.path })
  } finally {
    folder.remove()
  }
}

describe('a session of the host', () => {
  it('keeps its names over turns', () => withHost(async (host) => {
    const conversation = await host.open()
    expect(await run(conversation, 'const x: number = 20; console.log("seen"); x + 1')).to.equal('seen\n21')
    expect(await run(conversation, 'return x * 2')).to.equal('40')
    expect(endOf(conversation.session.events)).to.equal('completed')
  }))

  it('shows every print on a line of its own, and the parts of a line together', () => withHost(async (host) => {
    const prints = 'console.log("a"); console.error("b"); console.log(""); process.stdout.write("c"); process.stdout.write("d\\n"); console.log("e\\nf"); return 1'
    expect((await run(await host.open(), prints)).split('\n').sort()).to.deep.equal(['', '1', 'a', 'b', 'cd', 'e', 'f'])
  }))

  it('tells the model of a failure with its place, its output apart', () => withHost(async (host) => {
    const conversation = await host.open()
    const failed = await run(conversation, 'const kept = 1\nconsole.log("before")\nmissing(kept)')
    expect(failed).to.equal([
      'Error: code run failed (exception): error[PTC-X001]: ReferenceError: missing is not defined', ' --> current:3:1', '3 | missing(kept)', '  | ^',
      'phase: execute', 'state: partially-applied', 'Captured output:', 'before',
    ].join('\n'))
    expect(await run(conversation, 'let {')).to.match(/^Error: code run failed \(exception\): error\[PTC-C001\]/u)
    expect(await run(conversation, 'kept')).to.equal('1')
  }))

  it('is rebuilt in the next process without a call, and is told of nothing', () => {
    const { calls, setup } = counter()
    return inTurn(async (host, cwd) => {
      const conversation = await host.open({ id: 'kept', cwd, setup })
      await run(conversation, 'const first = await tools.count(); let at = Date.now()')
      await run(conversation, 'function twice(n) { return 2 * n }')
    }, async (host) => {
      const conversation = await host.resume('kept', { setup })
      expect(await run(conversation, 'return twice(first) + typeof at')).to.equal('2number')
      expect(calls()).to.equal(1)
      expect(conversation.session.events.map(({ type }) => type).filter((type) => /ptc/iu.test(type))).to.deep.equal([])
    })
  })

  it('R002: says once what the next process could not bring back', () => inTurn(async (host, cwd) => {
    const conversation = await host.open({ id: 'lossy', cwd })
    await run(conversation, 'var sure = 1')
    await run(conversation, 'import { readFileSync } from "node:fs"; var unsure = 2')
  }, async (host) => {
    const conversation = await host.resume('lossy')
    expect(await run(conversation, 'var now = 3; return [sure, typeof unsure].join()')).to.match(/^warning\[PTC-R002\]: 1 cell [^]*\n1,undefined$/u)
    expect(await run(conversation, 'now')).to.equal('3')
  }, async (host) => {
    expect(await run(await host.resume('lossy'), 'return sure + now')).to.equal('4')
  }))

  it('R003: names the call that was on its way when the process died, and does not repeat it', async () => {
    const folder = temporaryFolder()
    const { calls, setup } = counter()
    try {
      const host = await bootHost({ sessions: folder.path })
      const reached = Promise.withResolvers<void>()
      const conversation = await host.open({
        id: 'broken', cwd: folder.path, setup: (ctx) => giveTools(ctx, { pay: { needs: ['amount'], call: (_args, { signal }) => { reached.resolve(); return untilAborted(signal) } } }),
      })
      await run(conversation, 'var balance = 10')
      void conversation.ask(cell('await tools.pay({ amount: 5 })'))
      await reached.promise
      await host.ctx.get('sessions')!.flush(conversation.session)
      // What a process that dies here leaves on disk.
      const left = temporaryFolder()
      cpSync(folder.path, left.path, { recursive: true })
      conversation.agent.cancel({ kind: 'user' })
      await host.dispose()
      await withHost(async (next) => {
        const resumed = await next.resume('broken', { setup })
        const told = await run(resumed, 'balance')
        expect(told).to.match(/warning\[PTC-R003\]: tools\.pay was called when the session broke off[^\n]*\{"amount":5\}/u)
        expect(told).to.match(/\n10$/u)
      }, { sessions: left.path })
      left.remove()
      expect(calls()).to.equal(0)
    } finally {
      folder.remove()
    }
  })

  it('does not count a call that the host refused before it ran', () => inTurn(async (host, cwd) => {
    const conversation = await host.open({ id: 'refused', cwd })
    let refuse = true
    conversation.agent.ctx.on('tools/pre-execute', async (exec, next) => exec.name === 'run_code' && refuse ? { kind: 'deny', reason: 'not now' } : await next())
    expect(await run(conversation, 'var never = 1')).to.equal('Error: not now')
    refuse = false
    // A timer that fires in a later cell is recorded with the number of the cell that made it.
    await run(conversation, 'var fired = 0; const again = new Promise((wake) => setTimeout(() => { fired += 1; wake() }, 30))')
    expect(await run(conversation, 'await again; return fired')).to.equal('1')
  }, async (host) => {
    expect(await run(await host.resume('refused'), 'return [fired, typeof never].join()')).to.equal('1,undefined')
  }))

  it('does not count on a record that the host did not keep', () => inTurn(async (host, cwd) => {
    const conversation = await host.open({ id: 'stripped', cwd })
    await run(conversation, 'var first = 1')
    let strip = true
    conversation.agent.ctx.on('tools/execute', async (exec, next) => {
      const result = await next()
      // A failure is the only result whose metadata another plugin can take away.
      if (!strip || exec.name !== 'run_code' || !result.isError) return result
      const { meta: _meta, ...rest } = result
      return rest
    }, { prepend: true })
    await run(conversation, 'var second = 2; null.x')
    strip = false
    expect(await run(conversation, 'var third = first + second; return third')).to.equal('3')
    const told = await run(conversation, 'return (await repl.state({ action: "list" })).volatileReason')
    expect(told).to.equal('its record was not preserved')
  }, async (host) => {
    expect(await run(await host.resume('stripped'), 'return [first, typeof second, typeof third].join()')).to.match(/PTC-R002[^]*\n1,undefined,undefined$/u)
  }))

  it('R3: shows a cell the tools of its time in every process, and its log tells them when they change', () => {
    const give = (...names: string[]) => ({ setup: (ctx: Parameters<typeof giveTools>[0]) => giveTools(ctx, Object.fromEntries(names.map((name) => [name, { call: () => name }]))) })
    const look = 'Object.keys(tools).filter((name) => /^t[0-9]$/u.test(name)).join()'
    return inTurn(async (host, cwd) => {
      const conversation = await host.open({ id: 'surface', cwd, ...give('t1', 't2') })
      expect(await run(conversation, `var first = ${look}; return [first, typeof tools.t3, "t3" in tools].join()`)).to.equal('t1,t2,undefined,false')
      expect(await run(conversation, 'var caught = ""; try { await tools.t3({}) } catch (error) { caught = `${error.name}: ${error.message}` } return caught')).to.equal('TypeError: tools.t3 is not a function')
      expect(tellingIn(conversation)).to.deep.equal([true, false])
    }, async (host) => {
      const conversation = await host.resume('surface', give('t2', 't3'))
      expect(await run(conversation, `var second = ${look}; return [first, caught, second].join(" ")`)).to.equal('t1,t2 TypeError: tools.t3 is not a function t2,t3')
      expect(tellingIn(conversation)).to.deep.equal([true, false, true])
    }, async (host) => {
      const conversation = await host.resume('surface', give('t2', 't3'))
      expect(await run(conversation, 'return [first, caught, second].join(" ")')).to.equal('t1,t2 TypeError: tools.t3 is not a function t2,t3')
      expect(tellingIn(conversation)).to.deep.equal([true, false, true, false])
      await host.bridge.session(conversation.session.id)!.kill()
      expect(await run(conversation, 'return first')).to.equal('t1,t2')
      expect(tellingIn(conversation)).to.deep.equal([true, false, true, false, false])
    })
  })

  it('R3: is told again what it could see, when the host has not kept that', () => withHost(async (host) => {
    const conversation = await host.open()
    let strip = true
    conversation.agent.ctx.on('tools/execute', async (exec, next) => {
      const result = await next()
      if (!strip || exec.name !== 'run_code' || !result.isError) return result
      const { meta: _meta, ...rest } = result
      return rest
    }, { prepend: true })
    await run(conversation, 'let {')
    strip = false
    await run(conversation, '1')
    await run(conversation, '2')
    expect(tellingIn(conversation)).to.deep.equal([false, true, false])
  }))

  it('that was forked has the names of before the fork, and its own from then on', () => withHost(async (host) => {
    const { calls, setup } = counter()
    const parent = await host.open({ setup })
    await run(parent, 'let n = await tools.count()')
    const child = await host.open({ seed: parent.session.events, parent: parent.session.id, setup })
    expect(await run(child, 'n += 10; return n')).to.equal('11')
    expect(await run(parent, 'return n')).to.equal('1')
    expect(calls()).to.equal(1)
  }))

  it('shares nothing with another one that runs at the same time', () => withHost(async (host) => {
    const [one, two] = [await host.open(), await host.open()]
    host.model.answer = ({ messages }) => {
      const asked = messages.filter(({ role }) => role === 'tool').length
      return asked === 0 ? cell('var mine = Math.random(); globalThis.kept = mine') : asked === 1 ? cell('return mine === globalThis.kept') : done
    }
    const results = await Promise.all([one.ask(), two.ask()])
    expect(results.map((events) => resultsIn(events).at(-1))).to.deep.equal(['true', 'true'])
  }))

  it('ends its kernel when it is disposed, and leaves others alone', () => withHost(async (host) => {
    const [parent, child] = [await host.open(), await host.open()]
    await run(parent, 'var mine = 1')
    await run(child, 'var mine = 2')
    const { bridge } = host
    const kernel = bridge.session(child.session.id)!
    await child.dispose()
    expect([bridge.session(child.session.id), kernel.state]).to.deep.equal([undefined, 'closed'])
    expect(await run(parent, 'mine')).to.equal('1')
  }))
})
