// What the completion of a terminal asks for: session names, or the members of a value that a dotted path names. Looks at
// descriptors only; getters and proxies are left alone.
import { getOwnPropertyDescriptor, getPrototypeOf, isProxy, ownKeys } from '../natives.ts'
import * as root from './root.ts'

type Preview = { name: string, kind: string }

const MAX_NAMES = 2_000

function kindOf(found: PropertyDescriptor | undefined): string {
  if (found === undefined || !('value' in found)) return 'accessor'
  return typeof found.value
}

function resolve(path: string): unknown {
  const [first = '', ...rest] = path.split('.')
  let value = root.peek(first)
  for (const key of rest) {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || isProxy(value)) return undefined
    const found: PropertyDescriptor | undefined = getOwnPropertyDescriptor(value, key)
    value = found !== undefined && 'value' in found ? found.value : undefined
  }
  return value
}

export function previewNames(path: string): Preview[] {
  if (path === '') return root.sessionNames()
  const names: Preview[] = []
  const seen = new Set<string>()
  const start = resolve(path)
  let holder: unknown = typeof start === 'object' || typeof start === 'function' || start === undefined ? start : getPrototypeOf(Object(start))
  for (; holder !== null && holder !== undefined && !isProxy(holder); holder = getPrototypeOf(holder)) {
    for (const key of ownKeys(holder as object)) {
      if (typeof key !== 'string' || seen.has(key) || names.length >= MAX_NAMES) continue
      seen.add(key)
      names.push({ name: key, kind: kindOf(getOwnPropertyDescriptor(holder as object, key)) })
    }
  }
  return names
}
