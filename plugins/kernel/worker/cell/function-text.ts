// `Function.prototype.toString` shows what the user wrote, also for the few functions whose text the compiler had to edit.
// Edited texts carry a marker that makes them unique, so the text itself is the key: closures that a function makes later
// are covered without being known one by one.
import { apply, defineProperty, mapGet, mapSet, NativeMap, NativeProxy } from '../natives.ts'

const originals = new NativeMap<string, string>()

export function rememberText(pairs: readonly (readonly [edited: string, original: string])[]): void {
  for (let i = 0; i < pairs.length; i += 1) mapSet(originals, pairs[i]![0], pairs[i]![1])
}

export function installFunctionText(): void {
  const { prototype } = Function
  defineProperty(prototype, 'toString', {
    value: new NativeProxy(prototype.toString, {
      apply(target, self, args) {
        const text = apply(target, self, args) as string
        return mapGet(originals, text) ?? text
      },
    }),
    writable: true, enumerable: false, configurable: true,
  })
}
