// TypeScript files that cells import. Node strips types by itself; what it refuses there (enums, namespaces, parameter
// properties) is transformed, so that a module may use the same language as a cell.
import { createRequire } from 'node:module'
import { exec } from '../natives.ts'

type Amaro = typeof import('amaro')

const require = createRequire(import.meta.url)
const TYPESCRIPT = /\.([mc]?)ts(?:[?#]|$)/
const INSTALLED = /[\\/]node_modules[\\/]/
let amaro: Amaro | undefined

/** The JavaScript of a TypeScript module, or undefined when Node's own stripping is enough (or the file is installed). */
export function transformModule(url: string, source: string): string | undefined {
  if (exec(TYPESCRIPT, url) === null || exec(INSTALLED, url) !== null) return undefined
  amaro ??= require('amaro') as Amaro
  try {
    amaro.transformSync(source, { mode: 'strip-only', filename: url })
    return undefined
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'UnsupportedSyntax') return undefined   // Node says it better
  }
  const { code, map } = amaro.transformSync(source, { mode: 'transform', sourceMap: true, filename: url })
  return map === undefined ? code : `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`
}
