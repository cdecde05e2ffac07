// PTC Value V1: the one way in which values leave and enter a program. The format is described in docs/reference/values.md.
import type { Envelope } from '../../journal/types.ts'
import { CODEC } from './kinds.ts'

export { decode } from './decode.ts'
export { encode } from './encode.ts'
export { CODEC } from './kinds.ts'
export { DEFAULT_LIMITS, parseLimits, type ValueLimits } from './limits.ts'
export { project, type Projection } from './project.ts'
export { envelopeText, sameEnvelope } from './text.ts'

/** The envelope of `undefined`: the argument of a call without one. */
export const UNDEFINED: Envelope = { codec: CODEC, root: { tag: 'undefined' }, nodes: [] }
