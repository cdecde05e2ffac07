// Where a program's output goes: `process.stdout` and `process.stderr` of the worker become streams whose every write is one
// message, so the native console keeps its formatting and the host sees each line at once. Bytes that code or a child process
// writes to the descriptors themselves take the helper's pipes (`descriptors.ts`).
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { type LiveCell, runningCell, scope } from '../cell/live-cell.ts'
import { apply, defineProperty, getPrototypeOf, sliceText } from '../natives.ts'
import type { FromWorker } from '../../protocol/messages.ts'

const getStore = scope.getStore
const { isBuffer, byteLength } = Buffer

let printing: LiveCell | undefined
let printed = 0
/** Output after the end of its cell has been sent. The host ends this worker for it, so what follows is of no use. */
let isLate = false

const MAX_REPORT_UNITS = 2_000

/** Says something about the program that the program did not print itself. */
export function report(send: (message: FromWorker) => void, text: string): void {
  const cell = (apply(getStore, scope, []) as LiveCell | undefined) ?? runningCell()
  const where = cell?.closed === true ? `cell ${cell.number}: ` : ''
  send({ type: 'output', cell: cell?.number ?? 0, channel: 'stderr', text: `${sliceText(where + text, 0, MAX_REPORT_UNITS)}\n`, isReport: true })
}

/**
 * The host ends a cell that prints too much. A program that never lets the loop turn would fill this worker's memory first, and
 * what is in the socket's queue would not leave either: so past the limit nothing is sent, and the host hears of it through
 * the helper's thread.
 */
function withinLimit(cell: LiveCell | undefined, text: string, overflow: (cell: number) => void): boolean {
  if (cell !== printing) { printing = cell; printed = 0 }
  const limit = cell?.order.limits.maxStringBytes ?? 0
  const within = printed <= limit
  printed += byteLength(text)
  if (within && printed > limit && cell !== undefined) overflow(cell.number)
  return within
}

/** Replaces the worker's standard streams. */
export function installOutput(send: (message: FromWorker) => void, overflow: (cell: number) => void): void {
  const open = (channel: 'stdout' | 'stderr', fd: number) => {
    const decoder = new StringDecoder('utf8')
    const stream = new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        const cell = (apply(getStore, scope, []) as LiveCell | undefined) ?? runningCell()
        const text = isBuffer(chunk) ? decoder.write(chunk) : chunk
        if (text !== '' && !isLate && withinLimit(cell, text, overflow)) send({ type: 'output', cell: cell?.number ?? 0, channel, text })
        if (cell?.closed === true && cell.recorded === undefined) isLate = true
        done()
      },
    })
    defineProperty(stream, 'fd', { value: fd, configurable: true })
    // Node drives a worker's own streams through a method under a private symbol; ours has nothing to drive.
    for (const key of Object.getOwnPropertySymbols(getPrototypeOf(process[channel]) as object)) {
      defineProperty(stream, key, { value: () => {}, configurable: true })
    }
    defineProperty(process, channel, { value: stream, enumerable: true, configurable: true })
  }
  open('stdout', 1)
  open('stderr', 2)
}
