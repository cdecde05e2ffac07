// The thread in which the cells of one session run. Opens the socket to the host itself, takes prepared cells from the
// helper's thread over a private port, and answers with messages; it decides nothing about budgets, records or recovery.
//
// Owns: the realm's session names (root.ts), the running cell, the realm's clocks and streams. Does not own: its own end.
// Crosses by: the port (prepared cells in), the socket (everything else). Invariants: K1 one running cell.
import './natives.ts'
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { MessagePort, workerData } from 'node:worker_threads'
import { isFromHost } from '../protocol/from-host.ts'
import { receiveLines, sendLines } from '../protocol/lines.ts'
import type { FromSessionWorker, FromWorker, ToSessionWorker } from '../protocol/messages.ts'
import { completeOrders } from '../protocol/repeated.ts'
import { installAmbient } from './realm/ambient.ts'
import { expectCell, runningCell } from './cell/live-cell.ts'
import { deliverLive } from './cell/drive.ts'
import { observe } from './cell/observe.ts'
import { runCell, runProbe } from './cell/evaluate.ts'
import { installFunctionText } from './cell/function-text.ts'
import { installModules } from './realm/modules.ts'
import { previewNames } from './cell/names.ts'
import { apply, defineProperty, keepMethods, later, toJson } from './natives.ts'
import { installFences, openFence } from './realm/descriptors.ts'
import { installOutput, report } from './realm/output.ts'
import { describeThrown } from './cell/thrown.ts'
import { installStackTrace } from './realm/stack-trace.ts'
import { installTimers } from './realm/timers.ts'

interface Boot { readonly port: MessagePort, readonly fd: number, readonly nonce: string, readonly maxLineBytes: number, readonly hidesCodeCache: boolean }

const { port, fd, nonce, maxLineBytes, hidesCodeCache } = workerData as Boot
for (const key of Object.keys(workerData as object)) delete (workerData as Record<string, unknown>)[key]
if (hidesCodeCache) delete process.env.NODE_COMPILE_CACHE

const endWorker = process.exit.bind(process)
const socket = keepMethods(new Socket({ fd, readable: true, writable: true }))
keepMethods(port)
// A socket reads through the prototype of streams; ours never waits for a first listener, which is all that it does besides.
defineProperty(socket, 'read', { value: Readable.prototype.read, writable: true, configurable: true })
const sendLine = sendLines(socket)
const send = (message: FromWorker) => { sendLine(toJson(message)) }

socket.on('error', keepMethods(() => endWorker(1)))
socket.on('close', keepMethods(() => endWorker(0)))

receiveLines({ on: (event, listener) => socket.on(event, keepMethods(listener)), write: (text) => socket.write(text) }, maxLineBytes, (message) => {
  if (!isFromHost(message)) return endWorker(1)
  if (message.type === 'observe') return send({ type: 'observed', id: message.id, values: observe(message.names) })
  if (message.type === 'complete') return send({ type: 'completed', id: message.id, names: previewNames(message.path) })
  const cell = runningCell()
  if (cell !== undefined && cell.number === message.cell) deliverLive(cell, message)
}, () => endWorker(1))


// A late failure of a program is output, not the end of its session.
const uncaught = (kind: string) => (thrown: unknown) => {
  const { name = 'a value', message } = describeThrown(thrown)
  report(send, `Uncaught ${kind}: ${name}: ${message}`)
}
// Node's emitter calls `apply` of a listener, so that is their own as well.
process.on('uncaughtException', keepMethods(uncaught('exception')))
process.on('unhandledRejection', keepMethods(uncaught('rejection')))
// Node's own handler writes to the descriptor, a moment after the cell that is warned may have ended.
process.removeAllListeners('warning')
keepMethods(process)
process.on('warning', ({ name, message }) => { if (name !== 'ExperimentalWarning') report(send, `${name}: ${message}`) })

const { postMessage } = MessagePort.prototype
const tellHelper = (message: FromSessionWorker) => { apply(postMessage, port, [message]) }
installFences(nonce)
installOutput(send, (cell) => tellHelper({ type: 'overflow', cell }))
const { timers, 'timers/promises': timersPromises } = installTimers()
installAmbient()
installFunctionText()
installStackTrace()
await installModules({ timers, 'timers/promises': timersPromises })

const complete = completeOrders()
// Nothing in `runCell` should reject. If a program has found a way, the worker is not to be trusted with the next cell.
const hear = async (order: ToSessionWorker) => {
  try {
    if ('order' in order) {
      openFence(order.order.cell)
      return await runCell({ ...order, order: complete(order.order) }, send)
    }
    tellHelper({ type: 'probing' })
    const failure = await runProbe(order)
    tellHelper({ type: 'probed', ...failure === undefined ? {} : { failure } })
    expectCell(send)   // what booting touched is nobody's
    if (failure !== undefined) return
    send({ type: 'ready' })
    later(flushCompileCache)   // now, because a helper is ended with a signal
  } catch (error) { writeSync(2, `${String((error as Error)?.stack)}\n`); endWorker(1) }
}
// Answers nothing: Node calls `then` on what a listener answers, which a program may have replaced.
port.on('message', (order: ToSessionWorker) => { void hear(order) })
