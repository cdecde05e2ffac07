// The part of the SDK section that declares what cells can call beside the host's tools. Pure: the same view reads the same.
import type { NamespaceView } from '../../capabilities/types.ts'
import { EXPLORER_MEMBERS, KERNEL_DECLARATION } from './texts.ts'

const EXPLORER = 'capabilities'

function explorer(view: NamespaceView): string {
  const members = view.members.flatMap((member) => Object.hasOwn(EXPLORER_MEMBERS, member) ? [`  ${EXPLORER_MEMBERS[member]}`] : [])
  return ['/** What can be called in this session, and the full contract of each member. */', `declare const ${EXPLORER}: {`, ...members, '}'].join('\n')
}

export function declaration(views: readonly NamespaceView[]): string {
  const found = views.find(({ name }) => name === EXPLORER)
  const others = views.filter(({ name }) => name !== EXPLORER).map(({ name, members }) => `- \`${name}\`: ${members.join(', ')}`)
  return [
    '### Beside the tools', '', '```ts', ...found === undefined ? [] : [explorer(found)], KERNEL_DECLARATION, '```',
    ...others.length === 0 ? [] : ['', 'Further namespaces, whose contracts `capabilities.inspect` shows:', '', ...others],
  ].join('\n')
}
