// The wording of messages to the model: here and nowhere else.
import type { Tip } from './tips.ts'

export const rewriteText = (callSeq: number, descriptions: readonly string[]): string => [
  `run_code call ${callSeq} was adapted before it ran, and its result has no record, so nobody knows how far it came. Look at what it was to change before running it again.`,
  ...descriptions.map((description) => `- ${description}`),
].join('\n')

export const cordisRecoveryText = 'Earlier results of `cordis_*` tools are about another run of the host. What they say may not hold: inspect again before relying on it. No call is repeated.'

const SUMMARY: { readonly [About in Tip['about']]: string } = {
  names: 'The same name fails again and again', members: 'The same member fails again and again', platform: 'A command, shell or path is not as expected',
}

const BRIEF: { readonly [About in Tip['about']]: string } = {
  names: 'The source of this session\'s cells shows what is declared. Compare scope, spelling and order, and declare what is missing once, before running the rest.',
  members: 'Use the namespace of the running cell, and let `capabilities.find` or `capabilities.search` show which members exist. Nothing was called.',
  platform: 'Cells run where the host runs. Check the platform, the working directory and whether the program exists there before changing the rest of the cell.',
}

const DETAILED: { readonly [About in Tip['about']]: string } = {
  names: 'It has come again after earlier tips. In a cell of its own, return `typeof` of each name that the cell uses. Names of a cell that was rolled back (PTC-R002) are gone: declare them again there. Then run the rest in another cell.',
  members: 'It has come again after earlier tips. In a cell of its own, return `await capabilities.tree()`, and call only what it lists. A member that was kept in a name belongs to the cell that kept it: look it up inside the function that calls it.',
  platform: 'It has come again after earlier tips. In a cell of its own, return `[process.platform, process.cwd(), process.env.PATH]` and look at the path of the program with `node:fs`. Give the program and its arguments apart, without a shell, and prefer a tool or a module of Node where there is one.',
}

/** A tip, and the line that stands for it. */
export function tipText({ about, cause, isDetailed }: Tip): { readonly text: string, readonly summary: string } {
  const lines = [`${SUMMARY[about]}: ${cause}`, BRIEF[about], ...isDetailed ? [DETAILED[about]] : []]
  return { text: lines.join('\n'), summary: SUMMARY[about] }
}
