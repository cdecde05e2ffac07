// What the model reads about cells: the wording is here and nowhere else, and the same for every request of a session. No text may
// hold a double brace: the host takes one for a variable.

/** The description of the one tool that the model calls. */
export const RUN_CODE_DESCRIPTION = [
  'Run a TypeScript cell in the live session of this conversation.',
  'Takes two required arguments: `code`, the cell, and `description`, a short summary of what it does.',
  'Top-level names persist: what earlier cells declared is there, and can be declared again.',
  'Top-level `await`, `return`, `import` and `export` work; without `return`, the value of a last expression is the result.',
  'Call tools as `await tools.name(args)` per the declarations in the system prompt.',
  'Only what you print or return is output, so curate it. Image-bearing subtool results are attached after the run.',
].join(' ')

export const CODE_DESCRIPTION = 'The cell: TypeScript statements, run in the session after those of earlier cells.'

/** The section about the session, before the guidance of single tools. */
export const SESSION_SECTION = { name: 'tools:ptc-plus-repl', order: 98 } as const

export const SESSION_TEXT = `## The session behind run_code

Every \`run_code\` call is one cell of a live TypeScript session that lasts as long as this conversation.

- Keep what you will need again in top-level names: variables, functions, classes, imports. Later cells and earlier closures see their current values. Do not repeat work whose result still has a name.
- A cell that fails keeps what it finished before the failure, in the session and outside of it. Look at the reported line, then continue with a small cell instead of running everything again.
- To correct a long cell in the turn that sent it, call \`tools.edit_run_code\` in a small cell: the cell that settled last is edited, and all of it runs again afterwards.
- Node's own modules and installed packages can be imported. Compute in the cell; start other processes only for what needs them. Relative paths start at the working directory.
- Look \`tools\` up inside the function that calls it: a member that was kept from an earlier cell belongs to that cell and rejects.
- Large results stay in names: return or print only the part that you need to see.
- After a restart the session is rebuilt from its record without calling any tool again. \`PTC-R002\` in an output says that some names could not be brought back: declare those that you still need. \`PTC-R003\` names a call of which nobody knows whether it took effect: check before repeating it.`

/** How the host describes a program's grammar in its SDK section, and what is true of a cell. */
export const SDK_GRAMMAR: readonly (readonly [host: string, ours: string])[] = [[
  '`code` — the body of an async TypeScript function (erasable syntax only — no `enum` or namespaces; type annotations are advisory, the code runs type-stripped) —',
  '`code` — a TypeScript cell of the session (enums, namespaces and decorators work; type annotations are advisory) —',
]]

/** Before the declarations of what cells can call beside the host's tools. */
export const BESIDE_HEADING = '### Beside the tools'
