// What the bridge changes in a request's prompt, only where the request has `run_code` and cells run in kernels: the tool's texts,
// the section about the session, and the declarations in the SDK section.
import type { Context } from 'cordis'
import { hostOf } from '../host/context.ts'
import { transportTools } from '../host/transport.ts'
import type { Agent, Assembly, ToolSchema } from '../host/types.ts'
import { kernelId } from '../session/hosted-session.ts'
import { RUN_CODE } from '../session/log.ts'
import { withoutTools } from './sdk.ts'
import { BESIDE_HEADING, CODE_DESCRIPTION, RUN_CODE_DESCRIPTION, SDK_GRAMMAR, SESSION_SECTION, SESSION_TEXT } from './texts.ts'

const SDK_SECTION = 'tools:sdk'

function describeTool(tool: ToolSchema): ToolSchema {
  if (tool.name !== RUN_CODE) return tool
  const parameters = tool.parameters as { readonly properties?: Readonly<Record<string, object>> }
  const { code } = parameters.properties ?? {}
  if (code === undefined) throw new Error('the host\'s run_code takes no `code`: this is not a host that the bridge knows')
  return {
    ...tool, description: RUN_CODE_DESCRIPTION,
    parameters: { ...parameters, properties: { ...parameters.properties, code: { ...code, description: CODE_DESCRIPTION } } },
  }
}

/** The scope of an assembly is its agent, where it has one. */
const agentOf = (scope: unknown): Agent | undefined => (scope as Partial<Agent> | undefined)?.session === undefined ? undefined : scope as Agent

/** `attached` says whether cells run in kernels now. Everything ends with the context's fiber. */
export function followPrompt(ctx: Context, attached: () => boolean): void {
  const host = hostOf(ctx)
  const tools = transportTools(ctx, host.tools)
  host.systemPrompt.section({
    ...SESSION_SECTION, text: ({ scope }) => attached() && tools.get(RUN_CODE, scope) !== undefined ? SESSION_TEXT : '',
  })
  // Somebody's description may hold what the host takes for a variable of a prompt.
  const declared = (agent: Agent | undefined) => ctx.capabilityPlan.declaration(agent && kernelId(agent.session)).replaceAll('{{', '{ {').trimEnd()
  /** Whether what a section is about is closed for the session: the guidance of a tool, or the instructions of a server of tools. */
  const isGone = (agent: Agent, name: string): boolean => {
    const [, kind, of] = /^(tool|mcp):(.+)$/u.exec(name) ?? []
    return of !== undefined && ctx.capabilityPlan.isClosed(kernelId(agent.session), kind === 'tool' ? 'tools' : 'mcp', of)
  }
  const rewrite = (assembly: Assembly, agent: Agent | undefined): Assembly => ({
    ...assembly, tools: assembly.tools.map(describeTool),
    sections: assembly.sections.filter(({ name }) => agent === undefined || !isGone(agent, name)).map((section) => {
      if (section.name !== SDK_SECTION || section.text === '') return section
      const open = agent === undefined ? section.text : withoutTools(section.text, (tool) => ctx.capabilityPlan.isClosed(kernelId(agent.session), 'tools', tool))
      const text = SDK_GRAMMAR.reduce((known, [theirs, ours]) => known.replace(theirs, () => ours), open)
      return { ...section, text: `${text}\n\n${BESIDE_HEADING}\n\n\`\`\`ts\n${declared(agent)}\n\`\`\`` }
    }),
  })
  host.on('system-prompt/assemble', async (_assembly, { scope }, next) => {
    const assembly = await next()
    return attached() && assembly.tools.some(({ name }) => name === RUN_CODE) ? rewrite(assembly, agentOf(scope)) : assembly
  })
}
