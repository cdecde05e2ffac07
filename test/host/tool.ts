// Tools that tests give to agents of the host.
import type { Context } from '@deepseek-ai/cordis'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'

export interface TestTool {
  /** Names of number properties that the argument must have. */
  readonly needs?: readonly string[]
  /** May run beside others. */
  readonly parallel?: boolean
  readonly call: (args: Record<string, unknown>, exec: Parameters<ToolDefinition['execute']>[1]) => unknown
}

export function giveTools(ctx: Context, tools: Readonly<Record<string, TestTool>>): void {
  for (const [name, { needs = [], parallel = false, call }] of Object.entries(tools)) {
    ctx.get('tools')!.register({
      name, description: `The test tool ${name}.`,
      parameters: {
        type: 'object', properties: Object.fromEntries(needs.map((need) => [need, { type: 'number' }])), required: [...needs], additionalProperties: false,
      },
      output: { schema: {}, render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }] },
      isConcurrencySafe: () => parallel,
      execute: async (args, exec) => call(args as Record<string, unknown>, exec),
    })
  }
}

/** What a tool does that nobody answers: it rejects when its call is cancelled. */
export const untilAborted = (signal: AbortSignal): Promise<never> => new Promise((_resolve, reject) => {
  signal.addEventListener('abort', () => { reject(signal.reason as Error) })
})
