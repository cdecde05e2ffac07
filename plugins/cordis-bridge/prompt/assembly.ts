// What the bridge changes in a request's prompt, only where the request has `run_code` and cells run in kernels: the tool's texts,
// the section about the session, and the declarations in the SDK section.
import type { Context } from 'cordis'
import { hostOf } from '../host/context.ts'
import type { Assembly, ToolSchema } from '../host/types.ts'
import { RUN_CODE } from '../session/log.ts'
import { declaration } from './declaration.ts'
import { CODE_DESCRIPTION, RUN_CODE_DESCRIPTION, SDK_GRAMMAR, SESSION_SECTION, SESSION_TEXT } from './texts.ts'

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

/** `attached` says whether cells run in kernels now. Everything ends with the context's fiber. */
export function followPrompt(ctx: Context, attached: () => boolean): void {
  const host = hostOf(ctx)
  host.systemPrompt.section({
    ...SESSION_SECTION, text: ({ scope }) => attached() && host.tools.get(RUN_CODE, scope) !== undefined ? SESSION_TEXT : '',
  })
  const rewrite = (assembly: Assembly): Assembly => ({
    ...assembly, tools: assembly.tools.map(describeTool),
    sections: assembly.sections.map((section) => {
      if (section.name !== SDK_SECTION || section.text === '') return section
      const text = SDK_GRAMMAR.reduce((known, [theirs, ours]) => known.replace(theirs, () => ours), section.text)
      return { ...section, text: `${text}\n\n${declaration(ctx.capabilityPlan.view())}` }
    }),
  })
  host.on('system-prompt/assemble', async (_assembly, _context, next) => {
    const assembly = await next()
    return attached() && assembly.tools.some(({ name }) => name === RUN_CODE) ? rewrite(assembly) : assembly
  })
}
