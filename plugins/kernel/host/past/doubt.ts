// What is said about a call whose answer was never seen. Its owner may have declared that it can be asked again
// (`owner-replay`); then it is asked, and the answer is reported. It does not reach a program: the cell that called is gone.
import type { CapabilityService } from '../../../capabilities/types.ts'
import type { Diagnostic, InDoubtCall } from '../../../journal/types.ts'
import type { KernelLimits } from '../../types.ts'
import { decode, encode } from '../../wire/index.ts'
import { messageOf } from '../../errors.ts'
import { askedAgain, inDoubt } from '../diagnostics.ts'
import { valueLimits } from '../limits.ts'

/** An owner that does not answer keeps nobody waiting for longer. */
const PATIENCE_MS = 30_000

export interface Asking {
  readonly session: string
  readonly cwd: string
  readonly capabilities: CapabilityService
  readonly limits: KernelLimits
  readonly signal: AbortSignal | undefined
}

/** Never rejects: what the owner throws is part of the report. */
export async function resolveDoubt(call: InDoubtCall, { session, cwd, capabilities, limits, signal }: Asking): Promise<Diagnostic> {
  const { global, member, args } = call
  if (capabilities.replayOf(global, member) !== 'owner-replay') return inDoubt(call)
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    const values = valueLimits(limits)
    const context = { session, cwd, signal: signal === undefined ? patience : AbortSignal.any([signal, patience]) }
    const answer = await capabilities.dispatch(global, member, decode(args, values), context)
    return askedAgain(call, encode(answer, values))
  } catch (error) {
    return inDoubt(call, messageOf(error))
  }
}
