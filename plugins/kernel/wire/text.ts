// The canonical text of an envelope: what is stored, compared and sent. Written by JSON where that is safe, and by hand where user code
// has put a `toJSON` in JSON's way.
import type { Envelope } from '../../journal/types.ts'
import { ArrayPrototype, getPrototypeOf, hasOwn, ObjectPrototype, stringify } from './intrinsics.ts'
import type { Atom, Node } from './kinds.ts'

/** Needs an envelope that `encode` wrote or `decode` accepted; then equal text means equal values. */
export function envelopeText(envelope: Envelope): string {
  if (isJsonUnpatched()) return stringify(envelope)
  const { codec, root, nodes } = envelope
  let text = `{"codec":${stringify(codec)},"root":${atomText(root as Atom)},"nodes":[`
  for (let i = 0; i < nodes.length; i++) text += (i > 0 ? ',' : '') + nodeText(nodes[i] as Node)
  return `${text}]}`
}

export function sameEnvelope(a: Envelope, b: Envelope): boolean {
  return a === b || envelopeText(a) === envelopeText(b)
}

function isJsonUnpatched(): boolean {
  return getPrototypeOf(ArrayPrototype) === ObjectPrototype && !hasOwn(ArrayPrototype, 'toJSON') && !hasOwn(ObjectPrototype, 'toJSON')
}

function nodeText(node: Node): string {
  const { entries } = node
  let text = node.type === 'object'
    ? `{"type":"object","prototype":"${node.prototype}","entries":[`
    : `{"type":"array","length":${node.length},"entries":[`
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!
    text += `${i > 0 ? ',' : ''}[${stringify(entry[0])},${atomText(entry[1])}]`
  }
  return `${text}]}`
}

function atomText(atom: Atom): string {
  if (typeof atom !== 'object' || atom === null) return stringify(atom)
  switch (atom.tag) {
    case 'undefined': return '{"tag":"undefined"}'
    case 'reference': return `{"tag":"reference","index":${atom.index}}`
    case 'number': case 'bigint': return `{"tag":"${atom.tag}","value":${stringify(atom.value)}}`
  }
}
