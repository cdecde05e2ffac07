// What becomes of a call that lacks a description, and what is the model told? The model's schema asks for one either way, so that
// requests are the same; a cell that comes without runs all the same where that is wanted (contract 7.3). Pure.
import type { Json, ToolExecution, ToolResult } from '../host/types.ts'
import { messageOf, type Message } from '../messages/message.ts'

/** Private metadata of a result: what stands for the description that the call did not have. */
export const DESCRIPTION_KEY = 'dshPtcPlusRunCodeDescription'
export const SUMMARY = 'Run a TypeScript cell'

/** The metadata of a cell that ran with this description. */
export const descriptionMeta = (description: string | undefined): { readonly [key: string]: Json } => description === undefined ? { [DESCRIPTION_KEY]: SUMMARY } : {}

type Fields = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The arguments with a description, when that is all that they lack; undefined for any others. */
export function described(args: unknown): Fields | undefined {
  return isObject(args) && typeof args.code === 'string' && args.description === undefined ? { ...args, description: SUMMARY } : undefined
}

/** A property that a check of arguments has missed, in the words of the host's checks and of those inside cells. */
const MISSING = /(?:missing|must have) required property (["'`])((?:(?!\1).)*)\1/gu

/** The path of a missing description that a failure is about. */
export function missingDescription(message: string): string | undefined {
  return [...message.matchAll(MISSING)].map(([, , path = '']) => path).find((path) => /(?:^|\.)description$/u.test(path))
}

const NOTICE = 'tools:ptc-plus-missing-description'

const OUTER = 'run_code was refused before anything ran: its own argument `description` is missing. Send the call again with both `code` and `description`.'
const nested = (path: string) =>
  `A tool that the cell called was refused: \`${path}\` is missing in the argument of that tool, inside the cell. The \`description\` of run_code itself is another one, and is not what is missing.`

/** What the model is told about a failure of `run_code`, if it is about a description. `isDescribed`: the call itself needs none. */
export function descriptionNotice({ arguments: args }: Pick<ToolExecution, 'arguments'>, result: ToolResult, isDescribed: boolean): Message | undefined {
  const path = result.isError ? missingDescription(result.error?.message ?? '') : undefined
  if (path === undefined) return undefined
  const isOuter = path === 'description' && !isDescribed && isObject(args) && args.description === undefined
  return messageOf({ form: 'notice', sections: [{ name: NOTICE, text: isOuter ? OUTER : nested(path) }] }, 'A description is missing')
}
