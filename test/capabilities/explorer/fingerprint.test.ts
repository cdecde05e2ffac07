// Fingerprints of contracts: which contracts share one, and which do not. The first value is pinned, because documents of others may
// hold it.
import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { fingerprintOf, inspected } from '../../../plugins/capabilities/explorer/fingerprint.ts'
import type { MemberContract } from '../../../plugins/capabilities/types.ts'

const contract: MemberContract = {
  namespace: 'notes', name: 'add', description: 'Adds a note.', returns: null,
  parameters: { type: 'object', properties: { text: { type: 'string' }, at: { type: 'number' } }, required: ['text', 'at'], minProperties: 1 },
  completeness: 'complete', effect: 'write', authority: 'ptc-plus-program-binding', replay: 'recorded-value',
}
const PINNED = '447a17d375e2c4f0ed0f73093d3a18d464146e3331f72c1d2d066cedc8c4c147'

const { description: _description, ...undescribed } = contract
const reversed = (value: unknown): unknown => Array.isArray(value) ? value.map(reversed)
  : typeof value !== 'object' || value === null ? value
    : Object.fromEntries(Object.entries(value).reverse().map(([key, item]) => [key, reversed(item)]))

const SAME: readonly (readonly [title: string, contract: MemberContract])[] = [
  ['keys in another order', reversed(contract) as MemberContract],
  ['numbers spelled otherwise', { ...contract, parameters: JSON.parse(JSON.stringify(contract.parameters).replace(':1}', ':1.0}')) as MemberContract['parameters'] }],
  ['another source and revision', { ...contract, sourceRef: 'npm:notes', revision: '2.0.0' }],
]
const OTHER: readonly (readonly [title: string, contract: MemberContract])[] = [
  ['another name', { ...contract, name: 'put' }],
  ['the dot elsewhere', { ...contract, namespace: 'not', name: 'es.add' }],
  ['no description', undescribed],
  ['an empty description', { ...contract, description: '' }],
  ['another order of a list', { ...contract, parameters: { ...contract.parameters, required: ['at', 'text'] } }],
  ['a number as a text', { ...contract, parameters: { ...contract.parameters, minProperties: '1' } }],
  ['an answer', { ...contract, returns: {} }],
  ['another replay kind', { ...contract, replay: 'volatile' }],
  ['another effect', { ...contract, effect: 'read' }],
  ['another authority', { ...contract, authority: 'dsh-tool-dispatch' }],
]

describe('fingerprints of contracts', () => {
  it('4.1 is SHA-256 over canonical JSON, in this process and in another', () => {
    expect(fingerprintOf(contract)).to.equal(PINNED)
    const module = fileURLToPath(new URL('../../../plugins/capabilities/explorer/fingerprint.ts', import.meta.url))
    const source = `import { fingerprintOf } from ${JSON.stringify(module)}; process.stdout.write(fingerprintOf(${JSON.stringify(reversed(contract))}))`
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })).to.equal(PINNED)
  })

  for (const [title, same] of SAME) it(`the same: ${title}`, () => { expect(fingerprintOf(same)).to.equal(PINNED) })
  for (const [title, other] of OTHER) it(`another one: ${title}`, () => { expect(fingerprintOf(other)).to.not.equal(PINNED) })

  it('a contract is hashed once, and shown whole', () => {
    expect(inspected(contract)).to.equal(inspected(contract)).and.to.deep.equal({ ...contract, fingerprint: PINNED })
  })
})
