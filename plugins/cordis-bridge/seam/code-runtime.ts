// `ctx.codeRuntime` of hosts up to 0.1.0-rc.8, in the place of the host's own: cells of sessions run in their kernels, any other
// program runs where it would have run.
import type { Executions } from '../execution.ts'
import type { TransportTools } from '../host/transport.ts'
import type { CodeRuntime, RunRequest } from '../host/types.ts'
import { toRunResult } from '../result.ts'
import { runCell } from './run-cell.ts'

export function codeRuntime(original: CodeRuntime, executions: Executions, tools: TransportTools): CodeRuntime {
  return {
    get language() { return original.language },
    get isolation() { return tools.isUnreadable ? original.isolation : 'process' },
    async run(request: RunRequest) {
      const execution = executions.take(request.program, 'codeRuntime')
      if (execution === undefined) return await original.run(request)
      return toRunResult(await runCell(executions, execution, tools, request), request.program)
    },
  }
}
