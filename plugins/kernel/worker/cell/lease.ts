// The namespaces that a program sees. Each cell gets members of its own, so a member that was kept from an earlier cell
// knows that its lease is over (K3), while looking the namespace up again finds the members of the cell that asks.
import type { NamespaceView } from '../../../capabilities/types.ts'
import { directoryAfter } from '../../protocol/directory.ts'
import { decode, encode, sameEnvelope } from '../../wire/index.ts'
import { LiveCell, runningCell, scope } from './live-cell.ts'
import {
  apply, construct, create, defineProperty, ERRORS, exec, freeze, getOwnPropertyDescriptor, mapGet, mapSet, NativeError, NativeMap,
  NativePromise, NativeTypeError, sliceText,
} from '../natives.ts'
import * as root from './root.ts'
import { rememberOrigin } from './thrown.ts'

type ErrorClass = NonNullable<NamespaceView['errorClass']>
type Thrown = { readonly name: string, readonly message: string }

const getStore = scope.getStore
const { captureStackTrace } = Error
const HEADLINE = /^.*/
const built = new WeakMap<LiveCell, Map<string, object>>()
const weakGet = WeakMap.prototype.get
const weakSet = WeakMap.prototype.set
const errorClasses = new NativeMap<string, ErrorConstructor>()

/** The cell whose continuation is asking, or the running one where the asker has no origin (an event emitter, say). */
function askingCell(): LiveCell | undefined {
  return (apply(getStore, scope, []) as LiveCell | undefined) ?? runningCell()
}

function leaseError(path: string, namespace: string): Error {
  const error = new NativeError(
    `${path} belongs to a cell that has ended. Look up ${namespace} inside the function that calls it, so that each cell uses its own.`,
  )
  defineProperty(error, 'name', { value: 'LeaseError', writable: true, enumerable: false, configurable: true })
  return rememberOrigin(error, 'lease')
}

/** One class per name and realm, so that `instanceof` works across cells. */
function errorClass({ name, extends: base }: ErrorClass): ErrorConstructor {
  const known = mapGet(errorClasses, name) as ErrorConstructor | undefined
  if (known !== undefined) return known
  const made = { [name]: class extends (base === 'TypeError' ? NativeTypeError : NativeError) {} }[name] as unknown as ErrorConstructor
  defineProperty(made.prototype, 'name', { value: name, writable: true, enumerable: false, configurable: true })
  mapSet(errorClasses, name, made)
  return made
}

function failure(view: NamespaceView, member: string, { name, message }: Thrown): Error {
  const declared = view.errorClass
  const native = getOwnPropertyDescriptor(ERRORS, name)?.value as ErrorConstructor | undefined
  // The kernel's own namespaces say what is wrong with an argument in the language's terms.
  if (declared !== undefined && !(view.soft === true && native !== undefined && name !== 'Error')) {
    const error = construct(errorClass(declared), [message]) as Error
    defineProperty(error, declared.memberNameProperty, { value: member, writable: true, enumerable: true, configurable: true })
    return error
  }
  const error = construct(native ?? NativeError, [message]) as Error
  if (native === undefined) defineProperty(error, 'name', { value: name, writable: true, enumerable: false, configurable: true })
  return error
}

/**
 * Whether a call without argument is one with `{}` (contract 1.8). A record says what such a call was in its time (R3); a live cell
 * has been told for which members it is so today.
 */
function meansEmptyObject(cell: LiveCell, view: NamespaceView, member: string): boolean {
  if (cell.recorded !== undefined) {
    const due = cell.recorded.calls[cell.calls]
    return view.name === 'tools' && due !== undefined && sameEnvelope(due.args, encode({}, cell.order.limits))
  }
  const members = view.emptyObjectMembers ?? []
  for (let i = 0; i < members.length; i += 1) if (members[i] === member) return true
  return false
}

/** A failure comes from outside and has no place of its own: the place that people look for is where the program called. */
function placed(error: Error, site: { readonly stack?: unknown }): Error {
  let frames
  try { frames = site.stack } catch { return error /* the program's own way of writing stacks threw */ }
  if (typeof frames !== 'string') return error
  const headline = exec(HEADLINE, frames)?.[0] ?? ''
  const stack = `${error.name}: ${error.message}${sliceText(frames, headline.length)}`
  defineProperty(error, 'stack', { value: stack, writable: true, enumerable: false, configurable: true })
  return error
}

function makeMember(cell: LiveCell, view: NamespaceView, member: string): unknown {
  const path = `${view.name}.${member}`
  const call = (...given: unknown[]) => {
    // Outside of the promise's executor, because every frame in between is walked as well: this is a good part of what a call costs.
    const site = {}
    captureStackTrace(site, call)
    return new NativePromise((resolve, reject) => {
      if (cell.closed) return reject(placed(leaseError(path, view.name), site))
      if (given.length > 1) return reject(placed(new NativeTypeError(`${path} takes one argument, not ${given.length}`), site))
      let args
      const omitted = given.length === 0 && meansEmptyObject(cell, view, member)
      try { args = encode(omitted ? {} : given[0], cell.order.limits) } catch (error) { return reject(placed(error as Error, site)) }
      cell.openCall(view.name, member, args, (answer) => {
        if (!answer.ok) {
          const failed = placed(failure(view, member, answer.error), site)
          return reject(answer.origin === null ? failed : rememberOrigin(failed, answer.origin))
        }
        try {
          const value = decode(answer.value, cell.order.limits)
          const directory = directoryAfter(view.name, member, value)
          if (directory !== undefined) cell.move(directory)
          resolve(value)
        } catch (error) { reject(error) }
      })
    })
  }
  defineProperty(call, 'name', { value: member, configurable: true })
  return call
}

function makeNamespace(cell: LiveCell, view: NamespaceView): object {
  const namespace = create(null)
  for (let i = 0; i < view.members.length; i += 1) {
    const member = view.members[i]!
    defineProperty(namespace, member, { value: makeMember(cell, view, member), enumerable: true })
  }
  return freeze(namespace)
}

function namespaceFor(name: string): object | undefined {
  const cell = askingCell()
  if (cell === undefined) return undefined
  let known = apply(weakGet, built, [cell]) as Map<string, object> | undefined
  if (known === undefined) apply(weakSet, built, [cell, known = new NativeMap<string, object>()])
  const found = mapGet(known, name) as object | undefined
  if (found !== undefined) return found
  const views = cell.order.namespaces
  for (let i = 0; i < views.length; i += 1) {
    const view = views[i]!
    if (view.name !== name) continue
    const namespace = makeNamespace(cell, view)
    mapSet(known, name, namespace)
    return namespace
  }
  return undefined
}

const readers = new NativeMap<string, () => unknown>()

function reader(key: string, read: () => unknown): () => unknown {
  const known = mapGet(readers, key) as (() => unknown) | undefined
  if (known !== undefined) return known
  mapSet(readers, key, read)
  return read
}

let opened: readonly NamespaceView[] | undefined

/** Puts the cell's namespaces and their error classes in place and takes away those that it does not have. */
export function openLease(cell: LiveCell): void {
  const views = cell.order.namespaces
  for (let i = 0; i < views.length; i += 1) {
    const { name, soft = false, errorClass: declared } = views[i]!
    root.reserve(name, reader(soft ? `soft ${name}` : name, () => namespaceFor(name)), soft)
    if (declared !== undefined) root.reserve(declared.name, reader(`class ${declared.name}`, () => errorClass(declared)), soft)
  }
  if (views === opened) return
  opened = views
  const kept = new NativeMap<string, true>()
  for (let i = 0; i < views.length; i += 1) {
    const { name, errorClass: declared } = views[i]!
    mapSet(kept, name, true)
    if (declared !== undefined) mapSet(kept, declared.name, true)
  }
  root.releaseOthers(kept)
}
