// Settings that are changed while the host runs: the loader restarts the bridge with what is new. What does not work is put back to
// what worked last, in the row as well, or, when nothing has worked yet, to a bridge that is switched off (contract 9.1).
//
// Owns: which settings of a fiber worked last. Does not own: the row (the loader's), and what settings mean.
import type { Context, Fiber } from 'cordis'

/** The loader's row of a fiber. */
interface Row {
  readonly options: { config?: unknown }
  readonly parent: { readonly tree: { write(): void } }
}

/** `_config`: what was handed in, before it is read. A fiber without a row was started by a program. */
type Restartable = Pick<Fiber, 'await' | 'update'> & { _config: unknown, readonly entry?: Row }

/** What worked last, by the fiber, which stays when its plugin is restarted. */
const worked = new WeakMap<object, unknown>()

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

export class LiveSettings {
  private readonly ctx: Context
  private readonly fiber: Restartable
  private readonly given: unknown
  private isFailed = false

  /** To be made when the plugin is applied. `isValid`: whether settings that are about to be applied can be read at all. */
  constructor(ctx: Context, isValid: (given: unknown) => boolean) {
    this.ctx = ctx
    this.fiber = ctx.fiber as unknown as Restartable
    this.given = this.fiber._config
    const on = ctx.on.bind(ctx) as unknown as (event: string, listener: (this: unknown, given: unknown, next: () => unknown) => unknown, options: object) => void
    const settings = this
    on('internal/config', function (_given, next) {
      const read = next()
      // Who asked for the change is told why it can not be; the next restart must not meet it again.
      if (this === ctx.fiber && !isValid(read)) queueMicrotask(() => { settings.write(settings.given) })
      return read
    }, { global: true })
  }

  /** These settings do what they say. */
  work(): void { if (!this.isFailed) worked.set(this.fiber, this.given) }

  /** These settings do not work. Answers whether others take their place; otherwise there is nothing to go back to. */
  fail(error: unknown): boolean {
    if (this.isFailed) return true
    const last = worked.has(this.fiber) ? worked.get(this.fiber) : { ...this.given as object, enabled: false }
    if (JSON.stringify(last) === JSON.stringify(this.given)) return false
    this.isFailed = true
    this.ctx.logger.error(`these settings do not work (${messageOf(error)}): back to the last ones that did`)
    const restart = async () => {
      await this.fiber.await().catch(() => {})
      this.write(last)
      await this.fiber.update(last, true)
    }
    restart().catch((reason: unknown) => { this.ctx.logger.error(reason) })
    return true
  }

  private write(given: unknown): void {
    const { entry } = this.fiber
    this.fiber._config = given
    if (entry === undefined) return
    try {
      entry.options.config = given
      entry.parent.tree.write()
    } catch (error) {
      this.ctx.logger.error(`the settings that worked last could not be written: ${messageOf(error)}`)
    }
  }
}
