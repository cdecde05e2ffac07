// `show(value)`, the function with which programs print values, as text for the realm that runs them.

export const SHOW = `function showAt(value, depth) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return value + 'n'
  if (typeof value === 'symbol') return String(value)
  if (Object.is(value, -0)) return '-0'
  if (typeof value !== 'object' && typeof value !== 'function' || value === null) return String(value)
  if (depth > 3) return '...'
  let head = ''
  if (typeof value === 'function') head = 'function ' + value.name + '/' + value.length + JSON.stringify(Function.prototype.toString.call(value))
  else if (value instanceof Error) head = value.name + ': '
  else if (!Array.isArray(value)) { const p = Object.getPrototypeOf(value); head = p === null ? 'null ' : p === Object.prototype ? '' : p.constructor?.name + ' ' }
  const parts = []
  for (const key of Reflect.ownKeys(value)) {
    if (key === 'stack' || key === 'message' || (typeof value === 'function' && (key === 'length' || key === 'name' || key === 'prototype' || key === 'arguments' || key === 'caller')) || (Array.isArray(value) && key === 'length')) continue
    const found = Object.getOwnPropertyDescriptor(value, key)
    parts.push(String(key) + (found.enumerable ? ':' : '!') + (found.get ? 'get' : found.set ? 'set' : showAt(found.value, depth + 1)))
  }
  return head + (Array.isArray(value) ? '[' + value.length + '|' + parts + ']' : parts.length > 0 || head === '' ? '{' + parts + '}' : '')
}
function show(value) { return showAt(value, 0) }
const writtenText = Function.prototype.toString
/** Programs whose reference is printed anew have no texts of functions, wherever they come from. */
function hideTexts(hidden) { Function.prototype.toString = hidden ? function toString() { return 'hidden' } : writtenText }
`

/** A context's own console, whose lines its owner takes. */
export const CONSOLE = `globalThis.lines = []
globalThis.console = { log: (...values) => { lines.push(values.join(' ')) } }
`
