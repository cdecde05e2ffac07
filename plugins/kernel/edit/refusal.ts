// The one way in which an edit is refused while it is worked out. The message is what the program reads.

export class EditRefusal extends Error {}

export function refuse(reason: string): never { throw new EditRefusal(reason) }

/** The start of a text in quotes, in one line. */
export function excerpt(text: string, length = 40): string {
  let end = Math.min(length, text.length)
  if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end -= 1
  return JSON.stringify(text.slice(0, end)).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029') + (end < text.length ? '…' : '')
}
