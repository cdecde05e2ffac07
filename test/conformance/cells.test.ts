// Every case of the shared conformance suites as a named test on the real kernel. The suites are inputs from outside the
// project; where their folder is absent, one visibly skipped test says so.
import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BindingPolicy, KernelLimits } from '../../plugins/kernel/types.ts'
import { createSession, shutdown, type Outcome } from './adapter.ts'

const folder = fileURLToPath(new URL('../../../shared/conformance', import.meta.url))

interface Expectation {
  readonly anyOf?: readonly Expectation[]
  readonly any?: boolean
  readonly ok?: boolean
  readonly value?: unknown
  readonly valueUndefined?: boolean
  readonly error?: string
  readonly phase?: string
  readonly line?: number
  readonly limit?: string
  readonly logs?: readonly string[]
  readonly logsAnyOrder?: boolean
  readonly logsExclude?: readonly string[]
}

interface Case {
  readonly id: string
  readonly area: string
  readonly cells: readonly string[]
  readonly expect: readonly Expectation[]
  readonly policy?: BindingPolicy
  readonly config?: Partial<KernelLimits>
  readonly submit?: 'together'
  readonly repeatFirst?: number
  readonly optional?: boolean
}

interface SingleCell { readonly id: string, readonly area: string, readonly source: string, readonly expect?: unknown, readonly throws?: string, readonly optional?: boolean }

/** Cases that our contract decides differently, with its sentence. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'F031-const-not-a-global-property': 'design 3: "A session\'s top-level names are configurable, non-enumerable properties of the worker realm\'s global object."',
}

/** Optional cases of features that cells do not have. */
const ABSENT: Readonly<Record<string, string>> = {
  'legacy-decorator': 'cells have standard decorators; the legacy form, with descriptors and parameters, is another meaning of the same text',
}

function check(wanted: Expectation, got: Outcome): void {
  if (wanted.anyOf !== undefined) {
    const reasons = wanted.anyOf.map((option) => { try { check(option, got); return undefined } catch (error) { return (error as Error).message } })
    if (!reasons.includes(undefined)) throw new Error(reasons.join(' | '))
    return
  }
  if (wanted.limit !== undefined) expect(got.limit, got.errorMessage).to.equal(wanted.limit)
  else if (wanted.error !== undefined) {
    expect(got.ok, JSON.stringify(got.value)).to.equal(false)
    if (wanted.error !== '*') expect(got.errorName, got.errorMessage).to.equal(wanted.error)
    if (wanted.phase !== undefined) expect(got.phase).to.equal(wanted.phase)
    if (wanted.line !== undefined) expect(got.line).to.equal(wanted.line)
  } else if (wanted.any !== true) {
    expect(got.ok, `${got.errorName}: ${got.errorMessage}`).to.equal(true)
    if (wanted.valueUndefined === true) expect(got.valueUndefined).to.equal(true)
    else if ('value' in wanted) expect(got.value).to.deep.equal(wanted.value)
  }
  const text = got.logs.join('\n')
  let from = 0
  for (const line of wanted.logs ?? []) {
    const at = text.indexOf(line, wanted.logsAnyOrder === true ? 0 : from)
    expect(at, `${JSON.stringify(line)} in ${JSON.stringify(text)}`).to.be.greaterThan(-1)
    from = at + line.length
  }
  for (const line of wanted.logsExclude ?? []) expect(text).not.to.include(line)
}

async function runCase(entry: Case): Promise<void> {
  const session = await createSession({ cwd: process.cwd(), timeoutMs: 15_000, ...entry.policy === undefined ? {} : { policy: entry.policy }, ...entry.config === undefined ? {} : { config: entry.config } })
  try {
    for (let i = 1; i < (entry.repeatFirst ?? 1); i += 1) expect((await session.run(entry.cells[0]!)).ok).to.equal(true)
    const together = entry.submit === 'together' ? await Promise.all(entry.cells.map((cell) => session.run(cell))) : undefined
    for (const [index, cell] of entry.cells.entries()) check(entry.expect[index]!, together?.[index] ?? await session.run(cell))
  } finally {
    await session.close()
  }
}

const suites = [
  { file: 'ts-cells.json', read: (entry: SingleCell): Case => ({ ...entry, cells: [entry.source], expect: [entry.throws === undefined ? { value: entry.expect } : { error: entry.throws }] }) },
  { file: 'field-cases.json', read: (entry: Case) => entry },
] as const

describe('conformance', function () {
  this.timeout(60_000)
  after(shutdown)
  for (const { file, read } of suites) {
    describe(file, () => {
      const path = `${folder}/${file}`
      if (!existsSync(path)) { it.skip(`${path} is not there`); return }
      for (const entry of (JSON.parse(readFileSync(path, 'utf8')) as never[]).map(read as (entry: never) => Case)) {
        if (Object.hasOwn(DIFFERENT, entry.id)) it.skip(`${entry.id}: decided differently, ${DIFFERENT[entry.id]}`)
        else if (entry.optional === true && Object.hasOwn(ABSENT, entry.area)) it.skip(`${entry.id}: ${ABSENT[entry.area]}`)
        else it(`${entry.area} ${entry.id}${entry.optional === true ? ' (optional)' : ''}`, () => runCase(entry))
      }
    })
  }
})
