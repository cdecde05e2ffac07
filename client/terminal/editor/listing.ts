// The words that Tab offers: what they have in common, and a table of them. Pure.

const most = 200

export function commonStart(words: readonly string[]): string {
  return words.reduce((shared, word) => {
    let length = 0
    while (length < shared.length && shared[length] === word[length]) length++
    return shared.slice(0, length)
  }, words[0] ?? '')
}

/** Rows of words, each row with its line end. */
export function inColumns(words: readonly string[], columns: number): string {
  const shown = words.slice(0, most)
  const width = Math.max(...shown.map(word => word.length)) + 2
  const perRow = Math.max(1, Math.floor(columns / width))
  let text = ''
  for (let i = 0; i < shown.length; i += perRow) {
    text += `${shown.slice(i, i + perRow).map(word => word.padEnd(width)).join('').trimEnd()}\r\n`
  }
  return words.length > shown.length ? `${text}... ${words.length - shown.length} more\r\n` : text
}
