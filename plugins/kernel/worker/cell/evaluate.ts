// Runs one prepared cell from its imports to its `done` message.
import { Script, constants } from 'node:vm'
import type { PreparedCell } from '../../compile/types.ts'
import type { CellPlace, FromWorker, PreparedOrder, ProbeOrder, RunOrder, WorkerCompletion } from '../../protocol/messages.ts'
import { encode } from '../../wire/index.ts'
import type { CellAbi } from '../abi.ts'
import { assignCell, expectCell, type LiveCell, scope } from './live-cell.ts'
import { driveReplay, type ReplayDrive } from './drive.ts'
import { rememberText } from './function-text.ts'
import { isolate, isolatedNames } from './isolated.ts'
import { openLease } from './lease.ts'
import { CELL_SCHEME, enterCell, linkImports } from '../realm/modules.ts'
import { apply, bare, create, indirectEval, later, NativePromise } from '../natives.ts'
import * as root from './root.ts'
import { describeThrown, originOf, positionOf, rememberPositions } from './thrown.ts'
import { probe } from '../probe/conformance.ts'
import { closeFence } from '../realm/descriptors.ts'
import { endReplay } from '../realm/timers.ts'

type Body = (abi: CellAbi) => Promise<unknown>
type Send = (message: FromWorker) => void

const NOTHING = create(null)
const runIn = scope.run

/** Scripts of a cell carry its file name, which is how `import()` and stack traces find the cell again. */
function script(code: string, cell: number): unknown {
  return new Script(code, {
    filename: `${CELL_SCHEME}${cell}`, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext()
}

/** What `import.meta` is in a cell: an object of the cell's own, with the places that a module in its directory would have. */
function metaOf({ dirname, filename, url }: CellPlace): object {
  const meta = create(null)
  meta.dirname = dirname
  meta.filename = filename
  meta.url = url
  return meta
}

/** Declares functions by indirect eval of their own text: native names, native text, recursion through the session name. */
function functionsOf({ cell, functions }: PreparedCell, abi: () => CellAbi): { hoist(): void, place(index: number): void } {
  if (functions.length === 0) return { hoist() {}, place() {} }
  // The eval has to be called by a script of the cell, because `import()` in the function resolves by its caller's script.
  const evaluate = script('(run, text) => run(text)', cell) as (run: typeof eval, text: string) => unknown
  const declare = (index: number) => {
    const { name, code, factory } = functions[index]!
    const made = evaluate(indirectEval, code)
    if (factory) root.publish({ [name]: (made as (abi: CellAbi) => unknown)(abi()) })
    root.hideFunction(name)
  }
  const hoisted: boolean[] = []
  return {
    hoist() {
      for (let i = 0; i < functions.length; i += 1) hoisted[i] = !root.exists(functions[i]!.name)
      for (let i = 0; i < functions.length; i += 1) if (hoisted[i] === true) declare(i)
    },
    place(index) { if (hoisted[index] !== true) declare(index) },
  }
}

interface Answer {
  /** `NOTHING` when the cell has no value. */
  readonly value: unknown
  /** The value of the last expression, which nobody asked for in so many words. */
  readonly isImplicit: boolean
}

type Evaluation = Pick<PreparedOrder, 'prepared' | 'place'> & { readonly order: Pick<RunOrder, 'isProtected'> }

/** `begin` is called when the imports are there and the cell's own code is next. */
async function evaluate({ prepared, order, place }: Evaluation, begin: () => void): Promise<Answer> {
  const { cell, imports, vars, helpers, names, isolated, defaultFollows } = prepared
  rememberPositions(prepared)
  rememberText(prepared.originals)
  for (let i = 0; i < isolated.length; i += 1) isolate(isolated[i]!)
  if (imports !== null) {
    const linked = await linkImports(cell, imports.code)
    for (let i = 0; i < imports.aliases.length; i += 1) {
      const alias = imports.aliases[i]!
      root.follow(alias, () => linked[alias], 'import', order.isProtected)
    }
  }
  begin()
  for (let i = 0; i < vars.length; i += 1) root.hoist(vars[i]!)
  const functions = functionsOf(prepared, () => abi)
  let isImplicit = false
  const abi: CellAbi = {
    d: root.declare, e: root.ensure, p: root.publish, k: root.publishConstants, f: functions.place,
    c: (completion) => { isImplicit = true; return completion === undefined ? NOTHING : completion }, n: NOTHING, m: metaOf(place),
    i: isolatedNames, u: (callee) => callee, h: helpers === null ? undefined : new Script(helpers).runInThisContext(),
  }
  functions.hoist()
  if (defaultFollows !== null) root.follow('__default', () => root.peek(defaultFollows), 'variable', false)
  const body = script(prepared.code, cell) as Body
  const value = await body(abi)
  for (let i = 0; i < names.length; i += 1) root.noteKind(names[i]!.name, names[i]!.kind)
  return bare({ value, isImplicit })
}

/** Runs the cells of the startup probe; answers what is wrong with the realm, if anything. */
export async function runProbe({ probe: cells, place }: ProbeOrder): Promise<string | undefined> {
  enterCell(0, place.url)
  return await probe(cells, async (prepared, name) => {
    try {
      const { value } = await evaluate({ prepared: prepared[name], order: { isProtected: false }, place }, () => {})
      return value === NOTHING ? 'nothing' : { value }
    } catch (thrown) {
      return { thrown }
    }
  })
}

/**
 * Waits until the program has no open call and nothing of it is left in the queues of this turn, so that where a cell ends does
 * not depend on how many of its continuations the kernel happened to let in. A replay also waits for what its record has.
 */
async function untilQuiet(cell: LiveCell, replay: ReplayDrive | undefined): Promise<void> {
  replay?.end()
  await replay?.complete
  do {
    await cell.whenQuiet()
    await new NativePromise<void>((resolve) => { later(resolve) })
  } while (cell.whenQuiet() !== undefined)
}

async function complete(cell: LiveCell, prepared: PreparedOrder, replay: ReplayDrive | undefined): Promise<WorkerCompletion> {
  let answer: Answer | undefined
  let thrown: unknown
  const begin = () => { cell.start(); replay?.begin() }
  try { answer = await evaluate(prepared, begin) } catch (value) { thrown = value }
  await untilQuiet(cell, replay)
  if (answer === undefined) {
    const at = positionOf(thrown)
    const origin = originOf(thrown)
    return bare({ kind: 'throw', error: describeThrown(thrown), ...at === undefined ? {} : { at }, ...origin === undefined ? {} : { origin } })
  }
  if (answer.value === NOTHING) return bare({ kind: 'return', hasValue: false })
  try {
    return bare({ kind: 'return', hasValue: true, value: encode(answer.value, cell.order.limits) })
  } catch (error) {
    const described = describeThrown(error)
    if (answer.isImplicit) return bare({ kind: 'return', hasValue: false, withheld: described.message })
    return bare({ kind: 'throw', error: { ...described, kind: 'invalid-output' } })
  }
}

/** Not `Promise.race`: that looks up `resolve` and `then`, which a cell may have replaced. */
function untilDivergence(cell: LiveCell, outcome: Promise<WorkerCompletion>): Promise<WorkerCompletion> {
  return new NativePromise((resolve) => {
    void (async () => { resolve(await outcome) })()
    void (async () => { await cell.whenDiverged; resolve(bare({ kind: 'return', hasValue: false })) })()
  })
}

/** The cell's body, after its early part if that is replayed. */
async function play(cell: LiveCell, prepared: PreparedOrder, replay: ReplayDrive | undefined): Promise<WorkerCompletion> {
  await replay?.early
  cell.enter()
  enterCell(cell.number, prepared.place.url)
  openLease(cell)
  return await (apply(runIn, scope, [cell, complete, cell, prepared, replay]) as Promise<WorkerCompletion>)
}

/** Resolves when the cell is over; `done` has then been handed to `send`. */
export async function runCell(prepared: PreparedOrder, send: Send): Promise<void> {
  if (prepared.order.recorded === undefined) endReplay(prepared.order.dropsTimers === true)
  const cell = assignCell(prepared.order, send)
  const replay = cell.recorded === undefined ? undefined : driveReplay(cell)
  const outcome = play(cell, prepared, replay)
  const completion = replay === undefined ? await outcome : await untilDivergence(cell, outcome)
  cell.closed = true
  replay?.stop()
  expectCell(send)
  const divergence = cell.divergence ?? cell.leftover()
  send({
    type: 'done', cell: cell.number, isFenced: closeFence(cell.number), completion, settles: cell.settles, wakes: cell.wakes,
    ambient: cell.volatile === undefined ? cell.ambient : [], ...divergence === undefined ? {} : { divergence },
  })
}
