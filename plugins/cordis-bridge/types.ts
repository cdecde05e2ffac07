// The contract of the bridge: how the host's own runtimes reach it, and what others may ask it. Types only.
import type { ReplSession } from '../kernel/types.ts'
import type { SeamName, Seams } from './host/types.ts'

export type { SeamName, Seams }

/** `ctx.cordisBridge`. */
export interface BridgeService {
  /** False when the bridge only passes on: then the host behaves as if the bundle were not installed. */
  readonly enabled: boolean
  /**
   * Takes the place of a runtime of the host: publishes one of the same name that runs the cells of sessions in their kernels and
   * leaves everything else to `original`. The disposer takes it away again. At most one attachment a seam.
   */
  attach<Name extends SeamName>(seam: Name, original: Seams[Name]): () => Promise<void>
  /** The live kernel session of a session of the host, if it has run a cell. */
  session(id: string): ReplSession | undefined
}
