// The corpus of realistic cells: plain text files below `corpus/`, one session each, a title and an expression to look at
// afterwards before every cell. Also the rule of the contract (1.5) by which clocks and timers alone make a cell volatile,
// so that both figures can be told.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Sample {
  readonly title: string
  /** What of the live state is compared with the recovered one. */
  readonly probe: string
  readonly source: string
}

const folder = fileURLToPath(new URL('corpus/', import.meta.url))

/** The samples of each file, in the order in which its session runs them. */
export function corpus(): { readonly name: string, readonly samples: readonly Sample[] }[] {
  return readdirSync(folder).filter((file) => file.endsWith('.cells')).sort().map((file) => ({
    name: file.slice(0, -'.cells'.length), samples: parse(readFileSync(folder + file, 'utf8')),
  }))
}

function parse(text: string): Sample[] {
  return text.split(/^=== /mu).slice(1).map((part) => {
    const end = part.indexOf('\n')
    const [title = '', probe = ''] = part.slice(0, end).split(' :: ')
    return { title, probe, source: part.slice(end + 1).trim() }
  })
}

const AMBIENT = /(?<![.\w$#])(?:Date|performance|fetch|WebSocket|crypto|Intl|setTimeout|setInterval|setImmediate|eval|Function|globalThis)\b(?!\s*:)|(?<![.\w$])Math\.random\b|\brandom\b[^\n]*= Math\b|(?<![.\w$])process\.(?!nextTick\b|platform\b|arch\b|version)/u
const MODULES = new Set(['assert', 'buffer', 'querystring', 'string_decoder', 'stream', 'url', 'util', 'zlib'].map((name) => `node:${name}`))
const SPECIFIER = /\b(?:from|import\(|require\()\s*'([^']+)'/gu

/** Whether the contract's own rule lets this cell be replayed. Works on the text: strings of the corpus name no globals. */
export function isDurableByContract({ source }: Sample): boolean {
  const modules = [...source.matchAll(SPECIFIER)].map(([, name]) => name!)
  return !AMBIENT.test(source) && modules.every((name) => MODULES.has(name))
}
