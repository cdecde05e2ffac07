// What counts as a word: for `find`, which compares words as they are, and for `search`, which looks up terms.
//
// Chinese and Japanese are written without spaces, so each of their characters is a word of its own. A term of `search` is a pair
// of neighbours there, which tells more than a character and needs no dictionary; and a word without its plural elsewhere.

const IDEOGRAPH = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/v
/** An ideograph; capitals that another word does not begin with (`HTML` of `HTMLFile`); a word; letters without case; digits. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[[\p{L}\p{M}]--[\p{Lu}\p{Ll}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+|\p{N}+/gv

/** The same for a text of ASCII, which most are, in a third of the time. */
const ASCII_WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/gu
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/u.test(text)

/** The words of a text in order, in lower case. camelCase, punctuation and digits part words. */
export function words(text: string): string[] {
  if (isAscii(text)) return text.match(ASCII_WORD)?.map(word => word.toLowerCase()) ?? []
  return text.normalize('NFKC').match(WORD)?.map(word => word.toLowerCase()) ?? []
}

/** Terms under which a text is filed: its words, and pairs of ideographs. May repeat; how often counts. */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  eachRun(text, (run) => {
    for (let i = 0; i < run.length; i++) {
      terms.push(singular(run[i]!))
      if (i > 0) terms.push(run[i - 1]! + run[i]!)
    }
  })
  return terms
}

/** Terms that a question looks up, each once: of a run of ideographs the pairs, or the only one. */
export function queryTerms(text: string): string[] {
  const terms = new Set<string>()
  eachRun(text, (run) => {
    if (run.length === 1) terms.add(singular(run[0]!))
    else for (let i = 1; i < run.length; i++) terms.add(run[i - 1]! + run[i]!)
  })
  return [...terms]
}

/** Runs of ideographs without anything between them, and other words one by one. */
function eachRun(text: string, use: (run: readonly string[]) => void): void {
  if (isAscii(text)) {
    for (const word of words(text)) use([word])
    return
  }
  let run: string[] = []
  let end = -1
  const flush = (): void => { if (run.length > 0) use(run); run = [] }
  for (const { 0: word, index } of text.normalize('NFKC').matchAll(WORD)) {
    const ideograph = IDEOGRAPH.test(word)
    if (!ideograph || index !== end) flush()
    if (ideograph) { run.push(word); end = index + word.length } else use([word.toLowerCase()])
  }
  flush()
}

/** English plurals and singulars are one term. Wrong for a few words, in the same way on both sides. */
export function singular(word: string): string {
  if (word.length < 4 || !/[^s]s$/u.test(word)) return word
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ss|x|ch|sh)es$/u.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
