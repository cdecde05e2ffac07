// The skeleton's worker: strips types, runs the text as an async function's body, answers its last expression.
import { stripTypeScriptTypes } from 'node:module'
import { Socket } from 'node:net'
import { Script } from 'node:vm'

const socket = new Socket({ fd: 4, readable: true, writable: true })
const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`)
const calls = new Map<number, (value: unknown) => void>()
let made = 0
Object.assign(globalThis, {
  echo: (args: unknown) => new Promise((resolve) => { made += 1; calls.set(made, resolve); send({ call: made, args }) }),
})

async function run(source: string): Promise<void> {
  const code = stripTypeScriptTypes(source)
  const last = code.lastIndexOf('\n') + 1
  const body = new Script(`(async () => {${code.slice(0, last)}return (${code.slice(last)}\n)})`).runInThisContext() as () => Promise<unknown>
  send({ value: await body() })
}

let rest = ''
socket.setEncoding('utf8').on('data', (text: string) => {
  rest += text
  for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
    const message = JSON.parse(rest.slice(0, end)) as { source?: string, settle?: number, value?: unknown }
    rest = rest.slice(end + 1)
    if (message.source !== undefined) { void run(message.source); continue }
    calls.get(message.settle!)!(message.value)
    calls.delete(message.settle!)
  }
})
send({ ready: true })
