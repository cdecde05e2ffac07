// What counts as a word, row by row. Would catch a split that misses a camelCase name, and Chinese that is one endless word.
import { expect } from 'chai'
import { queryTerms, singular, termsOf, words } from '../../../plugins/capabilities/explorer/words.ts'

const WORDS: readonly (readonly [text: string, words: string])[] = [
  ['readFile', 'read file'], ['readHTMLFile', 'read html file'], ['URL', 'url'], ['getURL2', 'get url 2'], ['v12.5', 'v 12 5'],
  ['files.read', 'files read'], ['snake_case-name', 'snake case name'], ['mcp__github__open_issue', 'mcp github open issue'],
  ['  Reads a file, twice!  ', 'reads a file twice'], ['', ''], ['...', ''], ['$', ''], ['Straße ÜBER', 'straße über'], ['e\u0301te', 'éte'],
  ['привет Мир', 'привет мир'], ['한국어 단어', '한국어 단어'], ['读取文件', '读 取 文 件'], ['read文件v2', 'read 文 件 v 2'], ['カタ', 'カ タ'], ['عربي', 'عربي'],
]
const QUERY: readonly (readonly [text: string, terms: string])[] = [
  ['read the files', 'read the file'], ['files file', 'file'], ['读取文件', '读取 取文 文件'], ['读', '读'], ['读 文件', '读 文件'], ['读file', '读 file'],
]
const SINGULAR: readonly (readonly [plural: string, singular: string])[] = [
  ['files', 'file'], ['queries', 'query'], ['boxes', 'box'], ['matches', 'match'], ['classes', 'class'], ['class', 'class'], ['uses', 'use'],
  ['ties', 'tie'], ['is', 'is'], ['has', 'has'], ['2', '2'],
]

describe('words', () => {
  for (const [text, expected] of WORDS) it(`words of ${JSON.stringify(text)}`, () => { expect(words(text).join(' ')).to.equal(expected) })
  for (const [text, expected] of QUERY) it(`terms of the query ${text}`, () => { expect(queryTerms(text).join(' ')).to.equal(expected) })
  it('ASCII is split as any other text', () => {
    for (const [text] of WORDS) expect(words(`${text} ä`)).to.deep.equal([...words(text), 'ä'])
  })
  it('singulars', () => { expect(SINGULAR.map(([plural]) => [plural, singular(plural)])).to.deep.equal(SINGULAR) })
  it('every term of a query is a term of its text', () => {
    for (const [text] of [...WORDS, ...QUERY]) expect(termsOf(text)).to.include.members(queryTerms(text))
  })
})
