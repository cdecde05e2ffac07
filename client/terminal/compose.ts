// Boots the graph of plugins that `cordis.yml` lists and hands out its services. It is the one place outside the bridge
// that knows the host's loader. The YAML file is read and never written; settings of the command line are laid over it.
import { Include, type PatchOptions } from '@deepseek-ai/cordis-plugin-include'
import { Loader, type Entry, type EntryOptions } from '@deepseek-ai/cordis-plugin-loader'
import { Context, Logger } from 'cordis'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CapabilityService } from '../../plugins/capabilities/types.ts'
import type { JournalService } from '../../plugins/journal/types.ts'
import type { KernelService } from '../../plugins/kernel/types.ts'

export interface BootOptions {
  /** Absolute; histories live in its folder `sessions`. */
  readonly home: string
  /** Keep histories in memory; `home` is not touched. */
  readonly memory?: boolean
  /** Extra plugin files, absolute. */
  readonly with?: readonly string[]
  /** Another composition file, absolute. */
  readonly compose?: string
  /** Where warnings and errors of plugins go, one message at a time. */
  readonly log?: (text: string) => void
  /** How long plugins may take to start. */
  readonly patienceMs?: number
}

export interface JournalApp {
  readonly ctx: Context
  readonly journal: JournalService
  /** Unloads the graph: helper processes have ended and histories are closed when it resolves. Idempotent. */
  dispose(): Promise<void>
}

export interface App extends JournalApp {
  readonly kernel: KernelService
  readonly capabilities: CapabilityService
}

/** The graph did not come up. `message` says which plugin and why, one line each. */
export class ComposeError extends Error {
  override name = 'ComposeError'
}

interface Services {
  readonly ptcJournal: JournalService
  readonly capabilityPlan: CapabilityService
  readonly replKernel: KernelService
}

const standard = fileURLToPath(new URL('../../cordis.yml', import.meta.url))

/** Starts all of the composition. Throws `ComposeError`. */
export async function boot(options: BootOptions): Promise<App> {
  const { ctx, dispose } = await start(options, ['ptcJournal', 'capabilityPlan', 'replKernel'], [])
  const { ptcJournal, capabilityPlan, replKernel } = ctx as unknown as Services
  return { ctx, journal: ptcJournal, capabilities: capabilityPlan, kernel: replKernel, dispose }
}

/** Starts what is needed to read histories, and no kernel. Throws `ComposeError`. */
export async function bootJournal(options: BootOptions): Promise<JournalApp> {
  const { ctx, dispose } = await start(options, ['ptcJournal'], [{ id: 'kernel', disabled: true }])
  return { ctx, journal: (ctx as unknown as Services).ptcJournal, dispose }
}

async function start(options: BootOptions, services: readonly (keyof Services)[], patches: readonly PatchOptions[]) {
  const file = options.compose ?? standard
  if (!existsSync(file)) throw new ComposeError(`${file} does not exist`)
  const ctx = new Context()
  let disposing: Promise<void> | undefined
  const dispose = () => disposing ??= ctx.fiber.dispose()
  try {
    exportLogs(ctx, options.log ?? (text => process.stderr.write(`${text}\n`)))
    let tree: Tree | undefined
    await ctx.plugin(Loader as unknown as Plugin, { baseUrl: pathToFileURL(file).href })
    await ctx.plugin(Composition as unknown as Plugin, {
      path: pathToFileURL(file).href,
      patches: [...patchesFor(options), ...patches],
      mounted: (self: Tree) => { tree = self },
    })
    const problems = await settle(ctx, tree, services, options.patienceMs ?? 30_000)
    if (problems.length > 0) throw new ComposeError(problems.join('\n'))
  } catch (error) {
    // A plugin that hangs while it starts can not be unloaded either.
    await Promise.race([dispose(), delay(1000, undefined, { ref: false })])
    throw error instanceof ComposeError ? new ComposeError(`${file} does not start:\n${error.message}`)
      : new ComposeError(`${file} can not be loaded: ${(error as Error).message}`)
  }
  return { ctx, dispose }
}

/** Cordis only keeps messages in a buffer unless somebody exports them. */
function exportLogs(ctx: Context, log: (text: string) => void): void {
  const exporter = {
    levels: { default: 1 },
    export(message: Parameters<typeof Logger.format>[1]) {
      log(`[${message.name}] ${message.type}: ${Logger.format(exporter, message)}`)
    },
  }
  ctx.logger.exporter(exporter)
}

function patchesFor({ home, memory, with: files }: BootOptions): PatchOptions[] {
  return [
    { id: 'journal', config: memory ? { memory: true } : { dir: join(home, 'sessions') } },
    ...(files ?? []).map((file, index) => ({ insert: [{ id: `${extra}${index + 1}`, name: pathToFileURL(file).href, config: {} }] })),
  ]
}

const extra = 'with-'

type Plugin = Parameters<Context['plugin']>[0]

/** The parts of the loader's file tree that are used here. Its own types belong to another copy of cordis. */
interface Tree {
  config: CompositionConfig
  write(): void
  applyPatches(rows: EntryOptions[], patches?: PatchOptions[]): EntryOptions[]
  entries(): Iterable<Entry>
  await(): Promise<void>
}

interface CompositionConfig { readonly path: string, readonly patches: PatchOptions[], mounted(tree: Tree): void }

class Composition extends (Include as unknown as new (ctx: Context, config: CompositionConfig) => Tree) {
  constructor(ctx: Context, config: CompositionConfig) {
    super(ctx, config)
    config.mounted(this)
  }

  /** The loader notes in the file that a plugin has gone; this file is the user's. */
  override write(): void {}

  /** A patch replaces a row's whole config; the command line only changes the fields that it names. */
  override applyPatches(rows: EntryOptions[], patches = this.config.patches): EntryOptions[] {
    const merged = patches.flatMap(patch => {
      const row = rows.find(({ id }) => id === patch.id)
      if (!row && patch.disabled) return []
      return row && patch.config ? { ...patch, config: { ...row.config, ...patch.config } } : patch
    })
    return super.applyPatches(rows, merged)
  }
}

/** Waits until nothing moves any more and answers what is wrong then. */
async function settle(ctx: Context, tree: Tree | undefined, services: readonly string[], patienceMs: number): Promise<string[]> {
  if (!tree) return ['the loader did not mount the composition']
  const controller = new AbortController()
  const late = delay(patienceMs, 'late', { signal: controller.signal }).catch(() => 'late')
  try {
    // A plugin that waits for a service begins to load only after the service's plugin has finished.
    for (let round = 0; ; round++) {
      const first = await Promise.race([tree.await(), late])
      const problems = problemsOf(ctx, tree, services)
      if (problems.length === 0 || first === 'late' || round === 5) return problems
      await delay(10)
    }
  } finally {
    controller.abort()
  }
}

function problemsOf(ctx: Context, tree: Tree, services: readonly string[]): string[] {
  const missing = services.filter(name => ctx.get(name) === undefined)
  const rows = [...tree.entries()].filter(entry => !entry.disabled && entry.fiber?.state !== 2)
  if (missing.length === 0 && !rows.some(row => row.options.id.startsWith(extra))) return []
  return [
    ...rows.map(row => `  ${row.options.id} (${row.options.name}) ${stateOf(ctx, row)}`),
    ...missing.map(name => `  nothing provides ${name}`),
  ]
}

function stateOf(ctx: Context, { fiber }: Entry): string {
  if (!fiber) return 'could not be loaded, see the error above'
  if (fiber.state === 1) return 'has not finished starting'
  const waiting = Object.keys(fiber.inject).filter(name => ctx.get(name) === undefined)
  return waiting.length > 0 ? `waits for ${waiting.join(', ')}` : 'failed to start, see the error above'
}
