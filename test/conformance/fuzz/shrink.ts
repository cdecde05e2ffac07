// Makes a difference small: leaves out cuts, items, probes and inner statements while the same kind of difference stays.
import { parse } from '@babel/parser'
import { differenceOf, type Comparison, type Difference } from './fuzz.ts'
import { joined, type Program } from './program.ts'

/** What bounds a loop stays, or shrinking would not end. */
const KEPT: ReadonlySet<string> = new Set(['init', 'test', 'update', 'loc', 'comments'])
interface Range { readonly start: number, readonly end: number, readonly text: string }

/** Whether `next` shows it still, in a session of its own. */
async function attempt(before: Difference, next: Program, { native, engine }: Comparison): Promise<Difference | undefined> {
  native.renew()
  const expected = await native.run(next)
  // Without a declaration the name would be an accidental global, or missing: another matter than the one looked at.
  if (expected.rejected !== undefined || (expected.thrown === 'ReferenceError' && before.expected.thrown !== 'ReferenceError')) return undefined
  await engine.renew()
  const actual = await engine.run(next)
  if (before.actual.rejected !== undefined && actual.rejected !== before.actual.rejected) return undefined
  if (actual.thrown === 'ReferenceError' && before.actual.thrown !== 'ReferenceError') return undefined
  return differenceOf(expected, actual) === before.what ? { program: next, what: before.what, expected, actual } : undefined
}

/** A difference that takes more than so many attempts is answered as it is by then. */
export async function shrink(difference: Difference, comparison: Comparison, most = 600): Promise<Difference> {
  let best = await attempt(difference, difference.program, comparison)
  // It needs what earlier programs left behind: then it stays as it is.
  if (best === undefined) return difference
  let attempts = 0
  for (let smaller = true; smaller;) {
    smaller = false
    let at = 0
    for (let list = candidates(best.program); at < list.length && attempts < most; at += 1, attempts += 1) {
      const next: Difference | undefined = await attempt(best, list[at]!(), comparison)
      if (next === undefined) continue
      best = next
      smaller = true
      list = candidates(best.program)
      at -= 1
    }
  }
  return best
}

function candidates(program: Program): (() => Program)[] {
  const { items, cuts, probes } = program
  return [
    ...items.map((_, gone) => () => ({
      ...program, items: items.filter((_item, at) => at !== gone),
      cuts: [...new Set([0, ...cuts.map((cut) => cut > gone ? cut - 1 : cut)])].filter((cut) => cut < Math.max(1, items.length - 1)),
    })),
    ...probes.map((_, gone) => () => ({ ...program, probes: probes.filter((_probe, at) => at !== gone) })),
    ...cuts.slice(1).map((gone) => () => ({ ...program, cuts: cuts.filter((cut) => cut !== gone) })),
    ...items.flatMap(({ text }, at) => rangesOf(text).map(({ start, end, text: put }) => () => ({
      ...program, items: items.map((item, i) => i === at ? { ...item, text: joined([text.slice(0, start) + put + text.slice(end)]) } : item),
    }))),
  ]
}

/** Parts of an item that may go: statements in lists, members, elements; a block in place of what it belongs to. */
function rangesOf(text: string): Range[] {
  let root: unknown
  try {
    root = parse(text, { plugins: ['typescript'], allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true, errorRecovery: true } as never)
  } catch { return [] }
  const found: Range[] = []
  const visit = (value: unknown, listed: boolean): void => {
    if (Array.isArray(value)) return value.forEach((entry) => { visit(entry, true) })
    if (typeof value !== 'object' || value === null) return
    const node = value as { readonly type?: string, readonly start?: number, readonly end?: number, readonly body?: Partial<Range> & { type?: string } }
    if (node.type === undefined || node.start === undefined || node.end === undefined) return
    const { start, end } = node
    if (listed && /Statement$|Declaration$|^Class\w*(?:Property|Method)$|^StaticBlock$/u.test(node.type)) found.push({ start, end, text: '' })
    if (/Expression$/u.test(node.type) && node.type !== 'UpdateExpression' && end - start > 1) found.push({ start, end, text: '0' })
    if (/Statement$/u.test(node.type) && node.body?.type === 'BlockStatement') found.push({ start, end, text: text.slice(node.body.start, node.body.end) })
    for (const [key, inner] of Object.entries(node)) if (!KEPT.has(key)) visit(inner, Array.isArray(inner))
  }
  visit((root as { program: unknown }).program, false)
  return found
}
