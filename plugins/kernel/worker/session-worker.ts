// The thread in which the cells of one session run. Opens the socket to the host itself, takes prepared cells from the
// helper's thread over a private port, and answers with messages; it decides nothing about budgets, records or recovery.
//
// Owns: the realm's session names (root.ts), the running cell, the realm's clocks and streams. Does not own: its own end.
// Crosses by: the port (prepared cells in), the socket (everything else). Invariants: K1 one running cell.
import './natives.ts'
import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { MessagePort, workerData } from 'node:worker_threads'
import { receiveLines, sendLines } from '../protocol/lines.ts'
import type { FromSessionWorker, FromWorker, ToSessionWorker, ToWorker } from '../protocol/messages.ts'
import { installAmbient } from './realm/ambient.ts'
import { expectCell, runningCell } from './cell/live-cell.ts'
import { deliverLive } from './cell/drive.ts'
import { runCell, runProbe } from './cell/evaluate.ts'
import { installFunctionText } from './cell/function-text.ts'
import { installModules } from './realm/modules.ts'
import { previewNames } from './cell/names.ts'
import { apply, toJson } from './natives.ts'
import { fence, installOutput, report } from './realm/output.ts'
import { describeThrown } from './cell/thrown.ts'
import { installStackTrace } from './realm/stack-trace.ts'
import { installTimers } from './realm/timers.ts'

interface Boot { readonly port: MessagePort, readonly fd: number, readonly nonce: string, readonly maxLineBytes: number }

const { port, fd, nonce, maxLineBytes } = workerData as Boot
for (const key of Object.keys(workerData as object)) delete (workerData as Record<string, unknown>)[key]

const endWorker = process.exit.bind(process)
const socket = new Socket({ fd, readable: true, writable: true })
const sendLine = sendLines(socket)
const send = (message: FromWorker) => {
  if (message.type === 'done') fence(nonce, message.cell, false)
  sendLine(toJson(message))
}

socket.on('error', () => endWorker(1))
socket.on('close', () => endWorker(0))

receiveLines(socket, maxLineBytes, (received) => {
  const message = received as ToWorker
  if (message.type === 'complete') return send({ type: 'completed', id: message.id, names: previewNames(message.path) })
  const cell = runningCell()
  if (cell !== undefined && cell.number === message.cell) deliverLive(cell, message)
}, () => endWorker(1))


// A late failure of a program is output, not the end of its session.
const uncaught = (kind: string) => (thrown: unknown) => {
  const { name = 'a value', message } = describeThrown(thrown)
  report(send, `Uncaught ${kind}: ${name}: ${message}`)
}
process.on('uncaughtException', uncaught('exception'))
process.on('unhandledRejection', uncaught('rejection'))
// Node's own handler writes to the descriptor, a moment after the cell that is warned may have ended.
process.removeAllListeners('warning')
process.on('warning', ({ name, message }) => { if (name !== 'ExperimentalWarning') report(send, `${name}: ${message}`) })

const { postMessage } = MessagePort.prototype
const tellHelper = (message: FromSessionWorker) => { apply(postMessage, port, [message]) }
installOutput(send, (cell) => tellHelper({ type: 'overflow', cell }))
const { timers, 'timers/promises': timersPromises } = installTimers()
installAmbient()
installFunctionText()
installStackTrace()
await installModules({ timers, 'timers/promises': timersPromises })

// Nothing in `runCell` should reject. If a program has found a way, the worker is not to be trusted with the next cell.
port.on('message', async (order: ToSessionWorker) => {
  try {
    if ('order' in order) {
      fence(nonce, order.order.cell, true)
      return await runCell(order, send)
    }
    tellHelper({ type: 'probing' })
    const failure = await runProbe(order)
    tellHelper({ type: 'probed', ...failure === undefined ? {} : { failure } })
    expectCell(send)   // what booting touched is nobody's
    if (failure === undefined) send({ type: 'ready' })
  } catch (error) { writeSync(2, `${String((error as Error)?.stack)}\n`); endWorker(1) }
})
