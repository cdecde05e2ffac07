// Stack traces as programs see them: frames of cells with the cell's name and its own lines, frames of the user's files as
// they are, and no frames of ours below the first one.
import { placeInCell } from '../cell/thrown.ts'
import { apply, defineProperty, exec, sliceText } from '../natives.ts'

const errorText = Error.prototype.toString
const OURS = sliceText(import.meta.url, 0, import.meta.url.lastIndexOf('/worker/') + '/worker/'.length)
const CELL_FRAME = /^(.*?)\(?(?:eval at .*\()?(ptc-cell:\d+(?:#f\d+)?):(\d+):(\d+)\)*$/

function headline(error: unknown): string {
  try { return apply(errorText, error, []) as string } catch { return 'Error' }
}

function frameText(site: NodeJS.CallSite): string | undefined {
  const file = site.getFileName() ?? site.getEvalOrigin() ?? ''
  if (typeof file === 'string' && sliceText(file, 0, OURS.length) === OURS) return undefined
  const text = `${site as unknown as string}`
  const match = exec(CELL_FRAME, text)
  if (match === null) return text
  const place = placeInCell(match[2]!, Number(match[3]!), Number(match[4]!))
  const where = `cell ${place.cell}:${place.line}:${place.column}`
  return match[1] === '' ? where : `${match[1]}(${where})`
}

function format(error: unknown, trace: NodeJS.CallSite[]): string {
  let text = headline(error)
  for (let i = 0; i < trace.length; i += 1) {
    const frame = frameText(trace[i]!)
    if (frame === undefined) break     // everything below is the kernel's and Node's
    text += `\n    at ${frame}`
  }
  return text
}

/** A program may set its own `Error.prepareStackTrace`; ours is only what stands there first. */
export function installStackTrace(): void {
  defineProperty(Error, 'prepareStackTrace', { value: format, writable: true, enumerable: false, configurable: true })
}
