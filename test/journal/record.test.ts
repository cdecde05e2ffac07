// Would catch: a record that smuggles in a field, one whose calls can not be put in order, and one of another language
// generation that is read as if it were ours.
import { expect } from 'chai'
import { parseRecord } from '../../plugins/journal/record.ts'
import type { CellRecord } from '../../plugins/journal/types.ts'
import { callOf, cutOff, discarded, durable, envelope, noop, version10, volatile } from './history.ts'

const diagnostic = {
  code: 'PTC-X001', severity: 'error', phase: 'execute', message: 'Error: no', stateEffect: 'partially-applied',
  source: { cell: 'current', start: { line: 2, column: 3 } },
} as const

const chainOf = (length: number): object => length === 1 ? diagnostic : { ...diagnostic, cause: chainOf(length - 1) }

const withDiagnostic = (change: object) => ({ ...durable, diagnostics: [{ ...diagnostic, ...change }] })

const accepted: { readonly [title: string]: unknown } = {
  'durable': durable,
  'volatile with a reason': volatile,
  'volatile without a reason': { ...durable, status: 'volatile' },
  'discarded': discarded,
  'discarded with a reason': cutOff,
  'noop': noop,
  'protected': { ...durable, languageSemantics: 'protected-v1' },
  'J4: two calls in either order': { ...durable, calls: [callOf(1), callOf(0)] },
  'J4: calls and wakes in one order': { ...durable, calls: [callOf(1)], wakes: [{ timer: 4, settle: 0 }, { timer: 4, settle: 2 }] },
  'a failed call': { ...durable, calls: [{ global: 'tools', member: 'x', args: envelope(0), settle: 0, ok: false, error: { name: 'Error', message: '' } }] },
  'J4: early wakes of earlier cells': { ...durable, calls: [callOf(1)], wakes: [{ timer: 4, settle: 0, of: 3, early: true }, { timer: 0, settle: 2, of: 1 }] },
  'a read that repeats': { ...durable, ambient: [['Date.now', 1764544000000, 2], ['Date.now', 1764544000001]] },
  'ambient reads': { ...durable, ambient: [['Date.now', 1764544000000], ['process.env.X', null], ['crypto.getRandomValues', [1, { a: [true] }]]] },
  'operations': { ...durable, operations: [{ action: 'save', name: 'a.B-9_' }, { action: 'restore' }, { action: 'restore', name: 'a' }, { action: 'delete', name: 'a' }] },
  'a thrown error': { ...durable, completion: { kind: 'throw', error: { kind: 'exception', name: 'TypeError', message: 'two\nlines' } } },
  'a returned value': { ...durable, completion: { kind: 'return', hasValue: true, value: envelope([1]) } },
  'user bindings': { ...durable, userBindingsFingerprint: 'a1'.repeat(32), userBindingNames: [{ name: '$a', state: 'local' }, { name: 'b', state: 'provider', entryId: 'e' }] },
  'a full diagnostic': withDiagnostic({
    dispatchState: 'completed', help: ['a', 'b', 'c'], cause: { code: 'PTC-LOCAL', message: 'm' },
    source: { cell: 'cell 4', start: { line: 1, column: 2 }, end: { line: 1, column: 2 } },
    collisions: [{ name: 'a', kind: 'const', reason: 'protected-root-redeclaration', start: { line: 1, column: 1 } }],
  }),
  'sixteen nested diagnostics': { ...durable, diagnostics: [chainOf(16)] },
  'a directory of another platform': { ...durable, cwd: 'C:\\work' },
}

const hidden = (): object => Object.defineProperty({ ...durable }, 'secret', { value: 1, enumerable: false })

const refused: { readonly [title: string]: readonly [value: unknown, why: RegExp] } = {
  '3.8 settle [0,2]': [{ ...durable, calls: [callOf(0), callOf(2)] }, /settle positions/],
  '3.8 noop with one call': [{ ...noop, calls: [callOf(0)] }, /calls must be empty/],
  '3.8 version 999': [{ ...durable, version: 999 }, /version 999 .*boundary/],
  'version 9': [{ ...version10, version: 9 }, /version 9 .*boundary/],
  'no version': [{ ...durable, version: undefined }, /version undefined/],
  'not an object': ['durable', /is not an object/],
  'a list': [[durable], /is not an object/],
  'J1: an unknown field': [{ ...durable, effect: 'none' }, /unknown field "effect"/],
  'J1: an unknown field deep inside': [{ ...durable, calls: [{ ...callOf(0), ms: 3 }] }, /calls\[0\] has the unknown field "ms"/],
  'J1: a symbol field': [{ ...durable, [Symbol('x')]: 1 }, /symbol/],
  'J1: a hidden field': [hidden(), /non-enumerable/],
  'J1: an inherited field': [Object.assign(Object.create({ status: 'durable' }), { ...durable, status: undefined }), /status/],
  'J1: a missing field': [{ ...durable, wakes: undefined }, /wakes/],
  'J4: a position twice': [{ ...durable, calls: [callOf(0)], wakes: [{ timer: 0, settle: 0 }] }, /settle positions/],
  'J4: a negative position': [{ ...durable, calls: [callOf(-1)] }, /settle/],
  'J4: not from zero': [{ ...durable, calls: [callOf(1)] }, /settle positions are not exactly 0 to 0/],
  'durable without completion': [{ ...durable, completion: undefined }, /completion/],
  'durable with a reason': [{ ...durable, volatileReason: 'x' }, /volatileReason must be absent/],
  'noop with a reason': [{ ...noop, volatileReason: 'x' }, /volatileReason must be absent/],
  'noop with a completion': [{ ...noop, completion: durable.completion }, /completion must be absent/],
  'discarded with a wake': [{ ...discarded, wakes: [{ timer: 0, settle: 0 }] }, /wakes must be empty/],
  'discarded with an operation': [{ ...discarded, operations: [{ action: 'restore' }] }, /operations must be empty/],
  'discarded with names': [{ ...discarded, userBindingNames: [] }, /userBindingNames must be null/],
  'a foreign codec': [{ ...durable, completion: { kind: 'return', hasValue: true, value: { ...envelope(1), codec: 'v2' } } }, /codec/],
  'an envelope without nodes': [{ ...durable, calls: [{ ...callOf(0), args: { codec: 'ptc-value-graph/v1', root: 1 } }] }, /args.nodes is missing/],
  'hasValue without a value': [{ ...durable, completion: { kind: 'return', hasValue: true } }, /value is missing/],
  'a value without hasValue': [{ ...durable, completion: { kind: 'return', hasValue: false, value: envelope(1) } }, /unknown field "value"/],
  'an unknown kind of failure': [{ ...durable, completion: { kind: 'throw', error: { kind: 'bad', message: '' } } }, /kind is not one of/],
  'a save without a name': [{ ...durable, operations: [{ action: 'save' }] }, /needs a name/],
  'a bad checkpoint name': [{ ...durable, operations: [{ action: 'save', name: '.a' }] }, /checkpoint name/],
  'a long checkpoint name': [{ ...durable, operations: [{ action: 'save', name: 'a'.repeat(65) }] }, /checkpoint name/],
  'unsorted namespaces': [{ ...durable, namespaces: ['b', 'a'] }, /namespaces is not sorted/],
  'a namespace twice': [{ ...durable, namespaces: ['a', 'a'] }, /holds a name twice/],
  'confirms twice': [{ ...durable, confirms: [3, 3] }, /confirms holds a cell twice/],
  'a relative directory': [{ ...durable, cwd: 'work' }, /absolute/],
  'a fingerprint in upper case': [{ ...durable, userBindingsFingerprint: 'A1'.repeat(32) }, /SHA-256/],
  'a provider without entry': [{ ...durable, userBindingNames: [{ name: 'a', state: 'provider' }] }, /entryId/],
  'a binding that is no identifier': [{ ...durable, userBindingNames: [{ name: 'a b', state: 'local' }] }, /identifier/],
  'an ambient value that is not JSON': [{ ...durable, ambient: [['Date.now', NaN]] }, /ambient\[0\] is not JSON/],
  'an ambient value with a hole': [{ ...durable, ambient: [['x', [undefined]]] }, /JSON/],
  'J4: an early wake after a call': [{ ...durable, calls: [callOf(0)], wakes: [{ timer: 0, settle: 1, early: true }] }, /early wake/],
  'a wake of no cell': [{ ...durable, wakes: [{ timer: 0, settle: 0, of: 0 }] }, /wakes\[0\].of/],
  'four parts of an ambient read': [{ ...durable, ambient: [['x', 1, 2, 3]] }, /at most how often/],
  'a read that repeats once': [{ ...durable, ambient: [['x', 1, 1]] }, /ambient\[0\]/],
  'another compiler': [{ ...durable, moduleTransform: 'native-root-v2+amaro@1.2.1' }, /boundary/],
  'the compiler of the other language': [{ ...version10, moduleTransform: 'protected-module-v1+amaro@1.1.11' }, /boundary/],
  'a diagnostic code in lower case': [withDiagnostic({ code: 'ptc' }), /diagnostics\[0\].code/],
  'a message of two lines': [withDiagnostic({ message: 'a\nb' }), /more than one line/],
  'four lines of help': [withDiagnostic({ help: ['', '', '', ''] }), /more than 3/],
  'no collisions': [withDiagnostic({ collisions: [] }), /collisions is empty/],
  'line 0': [withDiagnostic({ source: { cell: 'current', start: { line: 0, column: 1 } } }), /source.start.line/],
  'an end before the start': [withDiagnostic({ source: { cell: 'c', start: { line: 2, column: 2 }, end: { line: 2, column: 1 } } }), /ends before/],
  'seventeen nested diagnostics': [{ ...durable, diagnostics: [chainOf(17)] }, /nests deeper than 16/],
  'a getter that throws': [{ ...durable, get calls() { throw new Error('no') } }, /could not be read/],
  'a revoked proxy': [(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })(), /could not be read/],
}

function parsed(value: unknown): CellRecord {
  const record = parseRecord(value)
  if ('invalid' in record) throw new Error(record.invalid)
  return record
}

describe('record', () => {
  for (const [title, value] of Object.entries(accepted)) {
    it(`reads ${title}`, () => {
      expect(parsed(value)).to.deep.equal(value)
    })
  }

  for (const [title, [value, why]] of Object.entries(refused)) {
    it(`refuses ${title}`, () => {
      expect(parseRecord(value)).to.have.property('invalid').that.matches(why)
    })
  }

  it('J1: answers a fresh object at every level that is not an envelope\'s inside', () => {
    const given = { ...durable, calls: [callOf(0)], ambient: [['x', { deep: [1] }]], operations: [{ action: 'restore' }] }
    const read = parsed(given)
    expect(read).to.not.equal(given)
    expect(read.calls[0]).to.not.equal(given.calls[0])
    expect(read.calls[0]?.args).to.not.equal(given.calls[0]?.args)
    expect(read.ambient[0]?.[1]).to.not.equal(given.ambient[0]?.[1])
    expect(read.operations[0]).to.not.equal(given.operations[0])
  })

  it('refuses JSON that is too deep instead of overflowing the stack', () => {
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(parseRecord({ ...durable, ambient: [['x', deep]] })).to.have.property('invalid').that.matches(/JSON/)
  })
})

describe('record of version 10', () => {
  it('is read as version 11, with its compiler and the directory of its entry', () => {
    const read = parseRecord(version10, '/home/me')
    expect(read).to.deep.equal({ ...durable, moduleTransform: version10.moduleTransform, namespaces: [] })
  })

  it('is read for the protected language', () => {
    const read = parseRecord({
      ...version10, languageSemantics: 'protected-v1', moduleTransform: 'protected-module-v1+amaro@1.1.11',
      bindingPolicy: { variableRedeclarations: false, functionClassRedeclarations: false },
    })
    expect(read).to.include({ languageSemantics: 'protected-v1', version: 11 })
  })

  it('is stable: what was read is read again as the same', () => {
    const once = parsed(version10)
    expect(parsed(once)).to.deep.equal(once)
  })

  const { userBindingsShadowPolicy: _, ...incomplete } = version10
  const boundaries: { readonly [title: string]: unknown } = {
    'legacy language': { ...version10, languageSemantics: 'legacy-v1', moduleTransform: 'amaro@1.1.11' },
    'other binding policy': { ...version10, bindingPolicy: { variableRedeclarations: true, functionClassRedeclarations: false } },
    'open binding policy': { ...version10, bindingPolicy: { ...version10.bindingPolicy, more: true } },
    'other rewrite policy': { ...version10, rewritePolicy: { ...version10.rewritePolicy, autoStripExports: false } },
    'other module semantics': { ...version10, moduleSemantics: { defaultExportBinding: 'legacy-variable', importExpressionBoundary: 'statement-safe' } },
    'other reuse policy': { ...version10, userBindingsReusePolicy: 'fingerprint-v1' },
    'other shadow policy': { ...version10, userBindingsShadowPolicy: 'whole-entry' },
    'missing policy': incomplete,
    'unknown compiler': { ...version10, moduleTransform: 'stateful-module-v3+amaro@1.1.11' },
    'J1: a field of version 11': { ...version10, wakes: [] },
    'J1: an unknown field': { ...version10, more: 1 },
  }
  for (const [title, value] of Object.entries(boundaries)) {
    it(`is a boundary: ${title}`, () => {
      expect(parseRecord(value)).to.have.property('invalid').that.is.a('string')
    })
  }
})
