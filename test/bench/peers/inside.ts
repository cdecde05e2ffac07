// Peers that are libraries: one of them as a persistent session inside this process, which does nothing else. Forked by
// `index.ts` with the peer's name; answers what it measured.
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { Session as InspectorSession } from 'node:inspector'
import { start as startRepl } from 'node:repl'
import { PassThrough } from 'node:stream'
import { measureSession, type Measured, type PeerSession } from './session.ts'

const require = createRequire(new URL('../package.json', import.meta.url))
const erase = (code: string) => stripTypeScriptTypes(code)
/** The packages bring types of their own that nothing here relies on. */
type Loose = (...args: unknown[]) => never
type Module = { readonly [name: string]: Loose & { new (...args: unknown[]): never } }

type Start = () => PeerSession | Promise<PeerSession>

const PEERS: { readonly [name: string]: Start } = {
  'Node REPL': () => {
    const repl = startRepl({ prompt: '', input: new PassThrough(), output: new PassThrough(), terminal: false })
    return {
      erase, echo: (call) => { repl.context.echo = call },
      run: (code) => new Promise((resolve, reject) => {
        repl.eval(`${code}\n`, repl.context, 'cell', (error, value) => { if (error === null) resolve(value); else reject(error) })
      }),
    }
  },
  'V8 inspector': () => {
    const session = new InspectorSession()
    session.connect()
    return {
      erase, echo: (call) => { Object.assign(globalThis, { echo: call }) },
      run: (expression) => new Promise((resolve, reject) => {
        session.post('Runtime.evaluate', { expression, replMode: true, awaitPromise: true, returnByValue: true }, (error, answer) => {
          const { result, exceptionDetails } = answer as { result?: { value?: unknown }, exceptionDetails?: { text: string } }
          if (error !== null || exceptionDetails !== undefined) reject(error ?? new Error(exceptionDetails?.text))
          else resolve(result?.value)
        })
      }),
    }
  },
  'ts-node REPL': () => {
    const { create, createRepl } = require('ts-node') as Module
    const repl = createRepl!() as { evalAwarePartialHost: object, setService(service: unknown): void, nodeEval: Loose }
    repl.setService(create!({
      ...repl.evalAwarePartialHost, skipProject: true, compiler: require.resolve('typescript'), compilerOptions: { target: 'es2022', module: 'commonjs', types: ['node'] },
    }))
    Object.assign(globalThis, { require, module: { exports: {} }, exports: {} })
    return {
      run: (code) => new Promise((resolve, reject) => {
        (repl.nodeEval as (...args: unknown[]) => void)(`${code}\n`, globalThis, '<repl>', (error: Error | null, value: unknown) => {
          if (error === null) resolve(value)
          else reject(error)
        })
      }),
    }
  },
  'tslab': () => {
    const { createConverter } = require('tslab/dist/converter') as Module
    const { createExecutor } = require('tslab/dist/executor') as Module
    let shown: unknown
    const output = { log: (value: unknown) => { shown = value }, error: (...said: unknown[]) => { throw new Error(said.join(' ')) } }
    const converters = { node: createConverter!({ isJS: false, isBrowser: false }), close() {} }
    const executor = createExecutor!(import.meta.dirname, converters, output) as { execute(code: string): Promise<boolean> }
    return { run: async (code) => { shown = undefined; await executor.execute(code); return shown } }
  },
  'isolated-vm': async () => {
    const { Isolate } = require('isolated-vm') as Module
    const isolate = new Isolate!({ memoryLimit: 256 }) as { createContext(): Promise<{ eval: Loose, evalClosure: Loose }> }
    const context = await isolate.createContext()
    return {
      erase, isScript: true,
      run: (code) => (context.eval as (...args: unknown[]) => Promise<unknown>)(code, { copy: true, promise: true }),
      async echo(call) {
        await (context.evalClosure as (...args: unknown[]) => Promise<unknown>)(
          'globalThis.echo = (value) => $0.apply(undefined, [value], { result: { promise: true, copy: true } })', [call], { arguments: { reference: true } })
      },
    }
  },
  'quickjs-emscripten': async () => {
    const { getQuickJS } = require('quickjs-emscripten') as { getQuickJS(): Promise<{ newContext(): QuickContext }> }
    const context = (await getQuickJS()).newContext()
    return {
      erase, isScript: true,
      run: async (code) => {
        const result = context.unwrapResult(context.evalCode(code, 'cell.js'))
        const value = context.dump(result)
        result.dispose()
        return value
      },
    }
  },
}

interface QuickHandle { dispose(): void }
interface QuickContext {
  evalCode(code: string, name: string): unknown
  unwrapResult(result: unknown): QuickHandle
  dump(handle: QuickHandle): unknown
}

const session = await PEERS[process.argv[2]!]!()
if (await session.run('1+1') !== 2) throw new Error('1+1 is not 2')
process.send!('ready')
process.once('message', async () => {
  const measured: Measured = await measureSession(session)
  process.send!(measured, () => process.exit())
})
