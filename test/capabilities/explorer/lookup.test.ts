// `find` (contract 4.1): which texts find which members, and in which order.
import { expect } from 'chai'
import { CapabilityExplorationError } from '../../../plugins/capabilities/index.ts'
import { find } from '../../../plugins/capabilities/explorer/lookup.ts'
import { catalogOf } from './catalogs.ts'

const catalog = catalogOf([
  ['files.read', 'Answers the text of a file.', { completeness: 'bounded' }],
  ['files.readLines', 'Answers the lines of a file, one by one.'],
  ['files.write'],
  ['mail.read', 'Reads the next mail. Files it under read.'],
  ['tools.mcp__github__open_issue', '打开一个议题'],
  ['tools.a.b', 'A name with a dot.'],
  ['read.now', 'Another namespace.'],
])

const FOUND: readonly (readonly [text: string, symbols: readonly string[]])[] = [
  ['files.read', ['files.read', 'files.readLines']],
  ['FILES.READ', ['files.read', 'files.readLines']],
  [' files.write ', ['files.write']],
  ['files', ['files.read', 'files.readLines', 'files.write', 'mail.read']],
  ['read', ['read.now', 'files.read', 'mail.read', 'files.readLines']],
  ['lines', ['files.readLines']],
  ['readlines', ['files.readLines']],
  ['read lines', ['files.readLines']],
  ['lines read', []],
  ['text of a file', ['files.read']],
  ['text file', []],
  ['github issue', []],
  ['open_issue', ['tools.mcp__github__open_issue']],
  ['open issue', ['tools.mcp__github__open_issue']],
  ['议题', ['tools.mcp__github__open_issue']],
  ['打开一个', ['tools.mcp__github__open_issue']],
  ['打开议题', []],
  ['a.b', ['tools.a.b']],
  ['lin', []],
  ['constructor', []],
  ['?!', []],
]

describe('capabilities.find', () => {
  for (const [text, symbols] of FOUND) {
    it(`4.1 find ${JSON.stringify(text)}`, () => { expect(find(catalog, text).map(({ symbol }) => symbol)).to.deep.equal(symbols) })
  }

  it("4.1 find 'files.read' -> a row with effect unknown", () => {
    expect(find(catalog, 'files.read')[0]).to.deep.equal({
      symbol: 'files.read', description: 'Answers the text of a file.', completeness: 'bounded', effect: 'unknown', replay: 'recorded-value',
    })
    expect(find(catalog, 'files.write')[0]).to.deep.equal({ symbol: 'files.write', completeness: 'unknown', effect: 'unknown', replay: 'recorded-value' })
  })

  it("4.1 find('') -> error", () => {
    for (const bad of ['', '  ', undefined, null, 7, {}, ['files']]) {
      expect(() => find(catalog, bad)).to.throw(CapabilityExplorationError).with.property('operation', 'find')
    }
  })
})
