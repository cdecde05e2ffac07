// The main thread of a helper process: compiles cells, holds the session worker and answers how long it has been active.
// It runs no user code, so it stays responsive while a cell blocks. The host ends it with a signal; when the host is gone,
// it takes its whole process group with it.
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { queryObjects } from 'node:v8'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Rejection } from '../compile/types.ts'
import { machineMs } from '../protocol/clock.ts'
import type { CellPlace, FromHelper, FromSessionWorker, ProbeOrder, SentPrepared, ToHelper } from '../protocol/messages.ts'
import { completeOrders, shortenOrders } from '../protocol/repeated.ts'
import { watchProbe } from './probe/watch.ts'

export interface HelperBoot {
  readonly fd: number
  readonly nonce: string
  readonly maxLineBytes: number
  readonly maxOldGenerationSizeMb: number
  readonly startupProbeMs: number
  /** The code cache was chosen by the host; programs must not see it. */
  readonly hidesCodeCache: boolean
}

const boot = JSON.parse(process.argv[2] ?? '') as HelperBoot
const { fd, nonce, maxLineBytes, hidesCodeCache } = boot
const send = (message: FromHelper, done?: () => void) => { process.send?.(message, undefined, undefined, done) }

let current = process.cwd()
const { port1: port, port2 } = new MessageChannel()
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
const worker = new Worker(new URL(`./session-worker${extension}`, import.meta.url), {
  workerData: { port: port2, fd, nonce, maxLineBytes, hidesCodeCache }, transferList: [port2],
  resourceLimits: { maxOldGenerationSizeMb: boot.maxOldGenerationSizeMb },
  trackUnmanagedFds: false,
})

/** Children of cells share the group that the host gave this process; none of them outlives the session. */
function leave(): void {
  try { process.kill(-process.pid, 'SIGKILL') } catch { process.exit(0) }
}

const end = (reason: string) => send({ type: 'worker-ended', reason }, leave)
/** The worker ends with whatever its program threw, which need not be an error. */
worker.on('error', (thrown: unknown) => {
  const { code, message } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as { code?: unknown, message?: unknown }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') end(`out of memory: the worker reached ${boot.maxOldGenerationSizeMb} MB`)
  else end(`the worker ended with ${typeof message === 'string' ? message : `a thrown ${typeof thrown}`}`)
})
worker.on('exit', (code) => end(`the worker ended with code ${code}`))
process.on('disconnect', leave)

// The compiler takes as long to load as the worker takes to start, so the one follows the start of the other.
const [{ compile }, { editSource }, { compileProbe }] = await Promise.all([
  import('../compile/index.ts'), import('../edit/index.ts'), import('./probe/cells.ts'),
])

/** A cell's directory is the process's, so that relative paths of files and children mean what they say. Answers a refusal. */
function enter(cwd: string): string | undefined {
  if (cwd === current) return undefined
  try {
    process.chdir(cwd)
    current = cwd
    return undefined
  } catch (error) {
    return `the working directory ${JSON.stringify(cwd)} can not be entered (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`
  }
}

function refuseDirectory(message: string): Rejection {
  return {
    kind: 'rejected', error: { name: 'Error', message },
    diagnostic: { code: 'PTC-C003', severity: 'error', phase: 'preflight', message, stateEffect: 'unchanged' },
  }
}

let place: CellPlace | undefined

/** Worked out here, because `node:path` and `node:url` use array methods that a program may have replaced in the worker. */
function placeOf(dirname: string): CellPlace {
  if (place?.dirname === dirname) return place
  const filename = join(dirname, 'repl')
  return place = { dirname, filename, url: pathToFileURL(filename).href }
}

/** What cells have isolated. A recovery compiles its cells here as well, so the set is that of the worker. */
const isolated = new Set<string>()

/** Whether compiling may take so long that the host should hear of the start before; decorators load a compiler of their own. */
const takesTime = (source: string): boolean => source.length > 4_096 || source.includes('@')

const complete = completeOrders()
const shorten = shortenOrders()

const activeMs = () => worker.performance.eventLoopUtilization().active

process.on('message', (message: ToHelper) => {
  if (message.type === 'sample') {
    send({ type: 'sampled', id: message.id, activeMs: activeMs() })
    return
  }
  if (message.type === 'edit') {
    send({ type: 'edited', id: message.id, edited: editSource(message.source, message.operation) })
    return
  }
  if (message.type === 'enter') {
    const refusal = enter(message.cwd)
    send({ type: 'entered', id: message.id, ...refusal === undefined ? {} : { refusal } })
    return
  }
  const { request, startBy } = message
  const order = complete(message.order)
  const isLate = () => startBy !== undefined && machineMs() > startBy
  if (isLate()) return     // the host has given it up
  const started: FromHelper | undefined = startBy === undefined ? undefined : { type: 'started', cell: request.cell, activeMs: activeMs() }
  const saysFirst = started !== undefined && takesTime(request.source)
  if (saysFirst) send(started)
  const refusal = enter(order.cwd)
  // A record may come from another machine; a replay touches no files, so it does not need the directory.
  const compiled = refusal !== undefined && order.recorded === undefined ? refuseDirectory(refusal) : compile({ ...request, isolated: [...isolated] })
  if (!saysFirst && isLate()) return
  if (compiled.kind === 'rejected') send({ type: 'rejected', cell: request.cell, rejection: compiled })
  else {
    for (const name of compiled.isolated) isolated.add(name)
    port.postMessage({ prepared: compiled, order: shorten(order), place: placeOf(order.cwd) } satisfies SentPrepared)
    if (started !== undefined && !saysFirst) send(started)     // the worker is on its way meanwhile
  }
})

const GIVE_BACK_MS = 1_000

/** Collects what loading has left behind: a tenth of a helper's size, of which there are as many as live sessions. */
function giveBack(): void {
  queryObjects(class Nothing {}, { format: 'count' })   // documented to collect first; nothing else does that without a flag
}

const onProbe = watchProbe(boot.startupProbeMs, end)
port.on('message', (message: FromSessionWorker) => {
  if (message.type === 'overflow') return send(message)
  onProbe(message)
  if (message.type !== 'probed') return
  flushCompileCache()   // now, because a helper is ended with a signal
  setTimeout(giveBack, GIVE_BACK_MS)
})

const probe = compileProbe()
if ('failure' in probe) end(`the compiler failed its startup probe: ${probe.failure}`)
else port.postMessage({ probe, place: placeOf(current) } satisfies ProbeOrder)
