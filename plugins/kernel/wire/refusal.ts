// The one way in which this codec says no: a TypeError that names the place and the reason.
import { typeError } from './intrinsics.ts'

export function refuseValue(path: string, detail: string): never {
  throw typeError(`${path} is not a PTC Value V1 value: ${detail}`)
}

export function refuseEnvelope(path: string, detail: string): never {
  throw typeError(`${path} is not a PTC Value V1 envelope: ${detail}`)
}

/** The path of a property or a slot below `parent`. Keys are shown as they are. */
export function pathOf(parent: string, key: string | number): string {
  return typeof key === 'number' ? `${parent}[${key}]` : `${parent}.${key}`
}
