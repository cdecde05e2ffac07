// Names for the keys that Node's decoder reports: `a`, `C-a`, `M-left`, `return`. Pure.
import type { Key } from 'node:readline'

export function keyName(key: Key): string {
  const name = key.name ?? key.sequence ?? ''
  return key.ctrl ? `C-${name}` : key.meta ? `M-${name}` : name
}

/** Does the key stand for text to insert? */
export function isText(key: Key): boolean {
  return !key.ctrl && !key.meta && /^[^\x00-\x1f\x7f]+$/u.test(key.sequence ?? '')
}
