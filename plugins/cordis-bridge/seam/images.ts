// Images on their way through a cell: the host hands them to programs as descriptors, `{ path, attachment }`, and shows those that a
// program gives out. A cell gives out what it returns; only what the host has handed to the session can be given out.
//
// Owns: which images a session was handed, as long as it lives. Does not own: the files.
import type { BindingNamespace, HostSession } from '../host/types.ts'

export interface ImageOutput { readonly type: 'image', readonly attachment: object }

interface Descriptor { readonly path: string, readonly attachment: object }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isDescriptor = (value: unknown): value is Descriptor => {
  if (!isObject(value) || Object.keys(value).sort().join() !== 'attachment,path') return false
  const { path, attachment } = value as { path: unknown, attachment: unknown }
  return typeof path === 'string' && isObject(attachment) && !Array.isArray(attachment)
}

/** What a program gets of a value, and what is remembered of the images in it: by the text of their attachments. */
function received(value: unknown, images: Map<string, object>): unknown {
  if (!isObject(value)) return value
  if (isDescriptor(value)) {
    images.set(JSON.stringify(value.attachment), value.attachment)
    return { path: value.path, attachment: value.attachment } // the host's own class is none of the program's
  }
  if (Array.isArray(value)) return value.map((item) => received(item, images))
  const prototype = Object.getPrototypeOf(value) as unknown
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, received(item, images)]))
}

const ofSessions = new WeakMap<HostSession, Map<string, object>>()

/** The session's images, over all of its cells. */
export function imagesOf(session: HostSession): Map<string, object> {
  const known = ofSessions.get(session) ?? new Map<string, object>()
  ofSessions.set(session, known)
  return known
}

/** The bindings, with what they answer as a program of the session gets it. */
export const withImages = (bindings: readonly BindingNamespace[], images: Map<string, object>): BindingNamespace[] => bindings.map((binding) => {
  const functions: Record<string, (args: unknown) => Promise<unknown>> = Object.create(null) as Record<string, never>
  for (const [name, call] of Object.entries(binding.functions)) {
    Object.defineProperty(functions, name, { enumerable: true, value: async (args: unknown) => received(await call(args), images) })
  }
  return { ...binding, functions }
})

/** The images that a cell has returned: one, or some in a list. */
export function imagesIn(value: unknown, images: ReadonlyMap<string, object>): ImageOutput[] {
  return (Array.isArray(value) ? value as unknown[] : [value]).filter(isDescriptor).flatMap(({ attachment }) => {
    const known = images.get(JSON.stringify(attachment))
    return known === undefined ? [] : [{ type: 'image' as const, attachment: known }]
  })
}
