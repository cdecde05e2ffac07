// The host's definition of `run_code`, wherever the host keeps it: in its registry of tools, or in an executor of its own. Of an executor
// only what is published for reading is called (contract 12.2): anything else could change what the host is doing.
import type { Context } from 'cordis'
import { RUN_CODE } from '../session/log.ts'
import type { ToolDefinition, Tools } from './types.ts'

/** Names of the executor's service. No host on a public registry has one yet: decision 26. */
export const EXECUTORS: readonly string[] = ['toolExecutor', 'toolExecutorPtc']
const READERS: readonly string[] = ['requirePtcTransport', 'requireTransport', 'transport']

type Surface = { readonly [member: string]: unknown }

const isDefinition = (value: unknown): value is ToolDefinition => {
  const { name, output } = (typeof value === 'object' && value !== null ? value : {}) as Partial<ToolDefinition>
  return name === RUN_CODE && typeof output === 'object' && output !== null
}

/** What a reader answers; nothing where there is none, or where it has nothing to read. */
function read(surface: Surface, member: string, ...args: readonly unknown[]): unknown {
  const reader = surface[member]
  if (typeof reader !== 'function') return undefined
  try { return Reflect.apply(reader, surface, args) as unknown } catch { return undefined }
}

function declares(executor: Surface): boolean {
  const declared = read(executor, 'describe', [])
  return Array.isArray(declared) && declared.some((one: unknown) => one === RUN_CODE || (one as { name?: unknown } | null)?.name === RUN_CODE)
}

/** The host's tools, `run_code` among them wherever it is. */
export class TransportTools implements Tools {
  private readonly tools: Tools
  private readonly service: (name: string) => unknown
  private readonly warn: (message: string) => void
  private hasWarned = false

  constructor(tools: Tools, service: (name: string) => unknown, warn: (message: string) => void) {
    this.tools = tools
    this.service = service
    this.warn = warn
  }

  get(name: string, scope?: unknown): ToolDefinition | undefined {
    return this.tools.get(name, scope) ?? (name === RUN_CODE ? this.read() : undefined)
  }

  execute(...args: Parameters<Tools['execute']>): ReturnType<Tools['execute']> { return this.tools.execute(...args) }

  /** The host says that it has `run_code` and does not let it be read: then no cell can be told from another program. Warns once. */
  get isUnreadable(): boolean {
    const isUnreadable = this.executors().some(declares) && this.read() === undefined && this.tools.get(RUN_CODE) === undefined
    if (isUnreadable && !this.hasWarned) this.warn('the host declares run_code and does not publish its definition: its cells stay with it')
    this.hasWarned ||= isUnreadable
    return isUnreadable
  }

  private executors(): Surface[] {
    return EXECUTORS.map((name) => this.service(name)).filter((service): service is Surface => typeof service === 'object' && service !== null)
  }

  private read(): ToolDefinition | undefined {
    return this.executors().flatMap((executor) => READERS.map((member) => read(executor, member))).find(isDefinition)
  }
}

/** `ctx`: the bridge's own. */
export const transportTools = (ctx: Context, tools: Tools): TransportTools =>
  new TransportTools(tools, (name) => (ctx as unknown as { get(name: string): unknown }).get(name), (message) => { ctx.logger.warn(message) })
