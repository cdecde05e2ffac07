// Calls that lack a description: which of them run, and what a failure tells the model.
import { expect } from 'chai'
import type { ToolResult } from '../../../plugins/cordis-bridge/host/types.ts'
import { described, descriptionMeta, descriptionNotice, missingDescription, SUMMARY } from '../../../plugins/cordis-bridge/stream/description.ts'

const failed = (message: string): ToolResult => ({ isError: true, error: { message }, content: [] })

describe('a missing description', () => {
  it('is stood for by a fixed one, in a copy, where nothing else is missing', () => {
    const args = Object.freeze({ code: '1', other: 2 })
    expect(described(args)).to.deep.equal({ code: '1', other: 2, description: SUMMARY })
    for (const own of [{ code: '1', description: '' }, { code: '1', description: null }, { description: 'x' }, {}, 'text', null, [1]]) expect(described(own)).to.equal(undefined)
  })

  it('is in the metadata of cells that ran without', () => {
    expect(descriptionMeta(undefined)).to.deep.equal({ dshPtcPlusRunCodeDescription: SUMMARY })
    expect(descriptionMeta('own')).to.deep.equal({})
  })

  const rows: readonly (readonly [message: string, path: string | undefined])[] = [
    ['invalid arguments: missing required property "description"', 'description'],
    ['invalid arguments: missing required property "code"; missing required property "description"', 'description'],
    ['x: missing required property "items.0.description"', 'items.0.description'],
    ['$ must have required property \'description\'', 'description'],
    ['missing required property "descriptions"', undefined], ['missing required property "a_description"', undefined],
    ['missing required property "code"; the description says so', undefined],
  ]
  for (const [message, path] of rows) it(`${path === undefined ? 'is not' : 'is'} what fails here: ${message}`, () => { expect(missingDescription(message)).to.equal(path) })

  it('is told of as the call\'s own or as that of a tool inside of it', () => {
    const told = (args: object, message: string, isDescribed = false) => descriptionNotice({ arguments: args }, failed(message), isDescribed)?.content[0]?.text
    expect(told({ code: '1' }, rows[0]![0])).to.match(/^run_code was refused/u)
    expect(told({ code: '1' }, rows[0]![0], true)).to.match(/^A tool that the cell called/u)
    expect(told({ code: '1', description: 'own' }, rows[0]![0])).to.match(/^A tool that the cell called/u)
    expect(told({ code: '1' }, rows[2]![0])).to.contain('`items.0.description`')
    expect(told({ code: '1' }, 'something else')).to.equal(undefined)
    expect(descriptionNotice({ arguments: {} }, { isError: false, content: [] }, false)).to.equal(undefined)
    expect(descriptionNotice({ arguments: { code: '1' } }, failed(rows[0]![0]), false)!.source).to.include({ kind: 'plugin:ptc-plus', form: 'notice' })
  })
})
