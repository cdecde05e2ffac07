// What Tab offers: slash commands, session names, namespaces that programs may call, globals, and members of a value that
// a dotted path names. Nothing of it runs user code.
import type { CapabilityService } from '../../../plugins/capabilities/types.ts'
import type { ReplSession } from '../../../plugins/kernel/types.ts'
import { commandNames } from './commands.ts'

export interface Completions { readonly from: number, readonly candidates: readonly string[] }

export interface NameSources {
  readonly session: Pick<ReplSession, 'complete' | 'id'>
  readonly capabilities: Pick<CapabilityService, 'view' | 'tree' | 'session'>
}

/** What the explorer shows is more than the plan dispatches: the kernel has namespaces, too. */
const nodes = ({ session, capabilities }: NameSources) =>
  capabilities.tree(session.id).map(({ namespace, members }) => ({ name: namespace, members }))

/** What a command can be about. */
function targets(command: string, sources: NameSources): readonly string[] {
  if (command === 'open') return sources.capabilities.session(sources.session.id).closures
  if (command === 'policy') return ['stateful', 'protected']
  if (command !== 'close' && command !== 'tools') return []
  return nodes(sources).flatMap(({ name, members }) => [name, ...members.map(member => `${name}.${member}`)])
}

const none = (from: number): Completions => ({ from, candidates: [] })

export async function complete(text: string, cursor: number, sources: NameSources): Promise<Completions> {
  const before = text.slice(0, cursor)
  if (/^\/[a-z]*$/.test(before)) return choose(0, before, commandNames.map(name => `/${name}`))
  const argument = /^\/([a-z]+)[ \t]+(\S*)$/.exec(before)
  if (argument) return among(cursor - argument[2]!.length, argument[2]!, targets(argument[1]!, sources))
  const found = /(?:^|[^\p{ID_Continue}$.?])((?:[\p{ID_Start}_$][\p{ID_Continue}$]*\s*\??\.\s*)*)([\p{ID_Start}_$][\p{ID_Continue}$]*)?$/u.exec(before)
  if (!found) return none(cursor)
  const path = (found[1] ?? '').replace(/\s|\?/g, '').replace(/\.$/, '')
  const typed = found[2] ?? ''
  const from = cursor - typed.length
  if (path === '' && typed === '') return none(cursor)
  const names = (await sources.session.complete(path === '' ? undefined : path)).map(({ name }) => name)
  const namespaces = [...sources.capabilities.view(sources.session.id), ...nodes(sources)]
  if (path !== '') return choose(from, typed, [...names, ...namespaces.filter(({ name }) => name === path).flatMap(({ members }) => members)])
  return choose(from, typed, [...names, ...namespaces.map(({ name }) => name), ...Object.getOwnPropertyNames(globalThis)])
}

/** Only names that can stand after a dot as they are; those of the language's attic only for who asks for them. */
function choose(from: number, typed: string, names: readonly string[]): Completions {
  return among(from, typed, names.filter(name => (typed.startsWith('_') || !name.startsWith('__')) && /^\/?[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)))
}

function among(from: number, typed: string, names: readonly string[]): Completions {
  return { from, candidates: [...new Set(names.filter(name => name.startsWith(typed)))].sort() }
}
