// Session names that modules must not see: what cells declare under a name of the realm, or under one that libraries look
// for. They are properties of an object that compiled cells get, instead of properties of the global object.
import { create, defineProperty, getOwnPropertyDescriptor } from '../natives.ts'

const root = globalThis as unknown as Record<string, unknown>

/** For a name that no cell has declared yet, or none any more: reads the realm. A write makes it the session's. */
const undeclared = create(null)
export const isolatedNames = create(undeclared)

/** From now on cells find `name` here. */
export function isolate(name: string): void {
  if (getOwnPropertyDescriptor(undeclared, name) !== undefined) return
  defineProperty(undeclared, name, {
    get: () => root[name],
    set: (value) => { defineProperty(isolatedNames, name, { value, writable: true, enumerable: false, configurable: true }) },
    enumerable: false, configurable: true,
  })
}

/** The object whose property a session name is. */
export function homeOf(name: string): object {
  return getOwnPropertyDescriptor(undeclared, name) === undefined ? root : isolatedNames
}
