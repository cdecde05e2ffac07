// Opens the session that a command line names.
import type { ReplSession } from '../../plugins/kernel/types.ts'
import type { Invocation } from './args.ts'
import type { App } from './compose.ts'

export type SessionChoice = Pick<Invocation, 'session' | 'cwd' | 'policy'>

export function openSession(app: App, { session, cwd, policy }: SessionChoice): Promise<ReplSession> {
  return app.kernel.open(session, { cwd, ...policy === undefined ? {} : { policy } })
}
