// What a worker takes from its host. The host is trusted, the bytes are not: a message that is not one ends the worker, because
// nothing after it can be believed. Uses operators only, since a program may have replaced what it would call.
import type { ToWorker } from './messages.ts'

type Fields = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null
function isTexts(value: unknown): boolean {
  if (!isObject(value) || typeof value.length !== 'number') return false
  for (let i = 0; i < value.length; i += 1) if (typeof value[i] !== 'string') return false
  return true
}
const isIndex = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value % 1 === 0

export function isFromHost(message: unknown): message is ToWorker {
  if (!isObject(message)) return false
  if (message.type === 'complete') return isIndex(message.id) && typeof message.path === 'string'
  if (message.type === 'observe') return isIndex(message.id) && (message.names === undefined || isTexts(message.names))
  if (message.type !== 'settle' || !isIndex(message.cell) || !isIndex(message.call)) return false
  if (message.ok === true) return isObject(message.value) && typeof message.value.codec === 'string'
  if (message.origin !== null && message.origin !== 'capability') return false
  return message.ok === false && isObject(message.error) && typeof message.error.name === 'string' && typeof message.error.message === 'string'
}
