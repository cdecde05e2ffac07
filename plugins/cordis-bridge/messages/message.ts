// One message of ours to the model outside of results (contract 9.3): how it is made, and what of it is believed when it is read
// back from the log, where anybody may have written it. Pure.
import { fieldsOf, textOf, type Fields } from '../session/evidence.ts'

export const SOURCE = 'plugin:ptc-plus'

/** `snapshot`: what holds now, instead of earlier ones. `catalog`: what there is, likewise. `notice`: said once. */
export type Form = 'snapshot' | 'catalog' | 'notice'

export interface Section { readonly name: string, readonly text: string }

/** What a message says. A snapshot or a catalog without sections takes back the one before. */
export interface Told { readonly form: Form, readonly sections: readonly Section[] }

/** As the host commits it. */
export interface Message {
  readonly id: string
  readonly role: 'user'
  readonly content: readonly { readonly type: 'text', readonly text: string }[]
  readonly source: { readonly kind: typeof SOURCE, readonly form: Form, readonly sections: readonly Section[], readonly summary?: string }
}

export const REWRITE_INFO = 'tools:ptc-plus-rewrite-info'
export const CORDIS_RECOVERY = 'tools:ptc-plus-cordis-recovery'
export const BINDING_DEFAULTS = 'tools:ptc-plus-user-binding-defaults'

/** What a snapshot may be about; the last of them is read in old logs only. */
const STATE: readonly string[] = [REWRITE_INFO, CORDIS_RECOVERY, BINDING_DEFAULTS, 'tools:ptc-plus-user-bindings']
const TIP = /^tools:ptc-plus-tip\/([a-z-]+)\/([1-9]\d{0,8})$/u

/** UTF-16 units of all texts together. */
export const LIMITS: { readonly [Kind in Form]: number } = { snapshot: 65_536, catalog: 65_536, notice: 8_192 }
/** UTF-16 units that the host shows of a notice without unfolding it. */
const SUMMARY_UNITS = 120

const HEADING = 'The state of the session behind run_code. It replaces what was said about that before.'
const TAKEN_BACK: { readonly [Kind in Exclude<Form, 'notice'>]: string } = {
  snapshot: 'What was said about the state of the session behind run_code does not hold any more.',
  catalog: 'What was said about bindings that every cell has does not hold any more.',
}

export const tipName = (trigger: string, ordinal: number): string => `tools:ptc-plus-tip/${trigger}/${ordinal}`

/** Which tip a section is, if it is one. */
export function tipOf({ name }: Section): { readonly trigger: string, readonly ordinal: number } | undefined {
  const [, trigger, ordinal] = TIP.exec(name) ?? []
  return trigger === undefined ? undefined : { trigger, ordinal: Number(ordinal) }
}

/** At most so many units, without half a character. */
export const cut = (text: string, units: number): string => text.length <= units ? text : `${text.slice(0, units - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`

/** Within the limits, whatever the sections say. */
function fitted(form: Form, sections: readonly Section[]): Section[] {
  let room = LIMITS[form]
  return sections.flatMap(({ name, text }) => {
    if (room === 0) return []
    const kept = cut(text, room)
    room -= kept.length
    return [{ name, text: kept }]
  })
}

export function messageOf({ form, sections: wanted }: Told, summary?: string): Message {
  const sections = fitted(form, wanted)
  const texts = sections.map(({ text }) => text)
  const said = form === 'notice' ? texts : texts.length === 0 ? [TAKEN_BACK[form]] : form === 'snapshot' ? [HEADING, ...texts] : texts
  return {
    id: crypto.randomUUID(), role: 'user', content: [{ type: 'text', text: said.join('\n\n') }],
    source: { kind: SOURCE, form, sections, ...summary === undefined ? {} : { summary: cut(summary, SUMMARY_UNITS) } },
  }
}

const isSection = (value: unknown): value is Section => {
  const { name, text, ...more } = fieldsOf(value)
  return typeof name === 'string' && typeof text === 'string' && Object.keys(more).length === 0
}

const isAbout = (form: Form, name: string): boolean => form === 'snapshot' ? STATE.includes(name) : form === 'catalog' ? name === BINDING_DEFAULTS : TIP.test(name)

function ours({ form, sections }: Fields): Told | undefined {
  if (form !== 'snapshot' && form !== 'catalog' && form !== 'notice') return undefined
  if (!Array.isArray(sections) || !sections.every(isSection) || !sections.every(({ name }) => isAbout(form, name))) return undefined
  const isTooMuch = new Set(sections.map(({ name }) => name)).size < sections.length || (form !== 'snapshot' && sections.length > 1)
    || sections.reduce((units, { text }) => units + text.length, 0) > LIMITS[form]
  return isTooMuch || (form === 'notice' && sections.length === 0) ? undefined : { form, sections }
}

/** What a message of the log says of ours. Older releases said it in a section of the host's own snapshots. */
export function toldBy(message: unknown): Told[] {
  const source = fieldsOf(fieldsOf(message).source)
  if (source.kind === SOURCE || (source.kind === 'plugin' && source.plugin === 'ptc-plus')) {
    const told = ours(source)
    return told === undefined ? [] : [told]
  }
  if (textOf(source.kind) !== 'plugin' || source.form !== 'snapshot' || !Array.isArray(source.sections)) return []
  const sections = source.sections.filter(isSection)
  const state = sections.filter(({ name }) => STATE.includes(name))
  return [
    ...state.length > 0 ? [{ form: 'snapshot' as const, sections: state }] : [],
    ...sections.filter(({ name }) => TIP.test(name)).map((section) => ({ form: 'notice' as const, sections: [section] })),
  ]
}
