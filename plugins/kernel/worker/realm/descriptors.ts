// The descriptors 1 and 2 of the process, which are the helper's pipes: fences on both of them say which bytes came inside a cell
// (the host's descriptor capture reads them). A fence is a write and a read for each pipe, so there are none until the program
// has got hold of something that can write there at all: a module that does more than compute, a native binding.
//
// Owns: whether it has, and whether the fence of a cell is open. Invariant O1: from the moment on that a program can write to a
// descriptor, the bytes of a cell are between its fences.
import { writeSync } from 'node:fs'
import { runningCell } from '../cell/live-cell.ts'

const { wait } = Atomics
const pause = new Int32Array(new SharedArrayBuffer(4))

let nonce = ''
let isReachable = false
let lastCell = 0

function writeAll(fd: number, text: string): void {
  for (;;) {
    try {
      writeSync(fd, text)
      return
    } catch (error) {
      // A pipe that is full answers EAGAIN when some child made it non-blocking. Anything else means it is closed.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      wait(pause, 0, 0, 5)
    }
  }
}

function fence(mark: string): void {
  const text = `\u0000ptc-fence ${nonce} ${mark}\u0000`
  writeAll(1, text)
  writeAll(2, text)
}

/** Called once, before user code. */
export function installFences(own: string): void { nonce = own }

/** The program is about to get hold of something that can write to descriptors. */
export function reachDescriptors(): void {
  if (isReachable) return
  isReachable = true
  // Between two cells what it writes is nobody's, which is what a closing fence says.
  fence(runningCell() === undefined ? `${lastCell}` : `+${runningCell()!.number}`)
}

export function openFence(cell: number): void {
  if (isReachable) fence(`+${cell}`)
}

/** Answers whether the host has something to wait for. */
export function closeFence(cell: number): boolean {
  lastCell = cell
  if (isReachable) fence(`${cell}`)
  return isReachable
}
