// The TypeScript conformance cells on the compiler alone, when the shared inputs are beside the checkout, or where
// `PTC_CONFORMANCE` says.
// Legacy decorators are no part of the language of cells.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, runCells } from '../../harness/cells.ts'

interface Case {
  readonly id: string, readonly area: string, readonly source: string, readonly optional?: boolean
  readonly expect?: unknown, readonly throws?: string
}

const directory = process.env['PTC_CONFORMANCE'] ?? fileURLToPath(new URL('../../../../shared/conformance', import.meta.url))
const file = join(directory, 'ts-cells.json')

describe('cells: TypeScript conformance', () => {
  if (!existsSync(file)) {
    it('ts-cells.json is not there (set PTC_CONFORMANCE)')
    return
  }
  for (const cell of JSON.parse(readFileSync(file, 'utf8')) as Case[]) {
    const title = `${cell.area}: ${cell.id}${cell.optional === true ? ' (optional)' : ''}`
    if (cell.area === 'legacy-decorator') {
      it(`${title} is the legacy form`)
      continue
    }
    it(title, async () => {
      const outcome = await runCells([cell.source])
      check(outcome.hasValue ? { ...outcome, value: plain(outcome.value) } : outcome, cell.throws === undefined ? cell.expect : { error: cell.throws })
    })
  }
})

/** Values of the cell's realm, as JSON has them, which is how the cases were written down. */
function plain(value: unknown): unknown { return value === undefined ? undefined : JSON.parse(JSON.stringify(value)) }
