// The TypeScript that a model reads, row by row, and all of it through the TypeScript compiler: each type must admit what its row says
// and refuse what it says not. TypeScript 7 is a program, so it runs once, over one file a row.
import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { declareNamespace, errorClassText } from '../../../plugins/capabilities/declare/declaration.ts'
import type { JsonSchema, MemberContract } from '../../../plugins/capabilities/types.ts'
import { SCHEMAS } from './schemas.ts'

const contract = (name: string, rest: Partial<MemberContract> = {}): MemberContract => ({
  namespace: 'ns', name, parameters: null, returns: null, completeness: 'unknown', effect: 'unknown', authority: 'ptc-plus-program-binding', replay: 'recorded-value', ...rest,
})
const declare = (contracts: readonly MemberContract[], omittable: readonly string[] = []) => declareNamespace({ name: 'ns', contracts, omittable }).text
const object = (properties: object, $defs: object = {}) => ({ type: 'object', properties, $defs }) as JsonSchema

const NAMESPACE = [
  contract('add', { description: 'Keeps a note.', parameters: object({ text: { type: 'string' } }), returns: { type: 'integer' } }),
  contract('all'),
  contract('odd-name', { description: 'Line one.\nLine two. */', returns: { $ref: '#/$defs/Note', $defs: { Note: { type: 'string', description: 'A note.' } } } }),
  contract('other', { parameters: { $ref: '#/$defs/Note', $defs: { Note: { type: 'string', description: 'A note.' } } } }),
  contract('third', { parameters: { $ref: '#/$defs/Note', $defs: { Note: { type: 'number' } } } }),
]
const NAMESPACE_TEXT = `declare namespace ns {
  /** A note. */
  type Note = string
  type Note2 = number
}
declare const ns: {
  /** Keeps a note. */
  add(args?: { text?: string }): Promise<number>
  all(): Promise<unknown>
  /**
   * Line one.
   * Line two. *\\/
   */
  "odd-name"(): Promise<ns.Note>
  other(args: ns.Note): Promise<unknown>
  third(args: ns.Note2): Promise<unknown>
}
`
const ERROR_TEXT = 'declare class NsError extends Error {\n  readonly "member-name": string\n}\n'

/** One file: the declaration, and uses of its type that must compile, or must not. */
function program({ schema, fits = [], not = [] }: typeof SCHEMAS[number]): string {
  const text = declare([contract('probe', { parameters: schema as JsonSchema })])
  return [
    text, 'export {}', ...fits.map(value => `void ns.probe(${value})`),
    ...not.flatMap(value => ['// @ts-expect-error', `void ns.probe(${value})`]),
  ].join('\n')
}

describe('declarations', () => {
  for (const { title, schema, type } of SCHEMAS) {
    it(title, () => {
      const text = declare([contract('probe', { parameters: schema as JsonSchema })])
      expect(text).to.include(`probe(args: ${type.replaceAll('\n', '\n  ')}): Promise<unknown>\n`)
      expect(declare([contract('probe', { parameters: structuredClone(schema) as JsonSchema })])).to.equal(text)
    })
  }

  it('a namespace: comments, names, shared and different definitions, an argument that may be left away', () => {
    expect(declare(NAMESPACE, ['add'])).to.equal(NAMESPACE_TEXT)
    expect(declare([])).to.equal('declare const ns: {}\n')
    expect(errorClassText({ name: 'NsError', memberNameProperty: 'member-name' })).to.equal(ERROR_TEXT)
    expect(errorClassText({ name: 'NsError', memberNameProperty: 'm', extends: 'TypeError' })).to.include('extends TypeError')
  })

  it('definitions of one name that mean different things are different types', () => {
    const around = (type: string) => object({ a: { type }, b: { $ref: '#/$defs/Same' } }, { Same: { $ref: '#/properties/a' } })
    expect(declare([contract('one', { parameters: around('string') }), contract('two', { parameters: around('number') })]))
      .to.include('type Same = ns.A\n').and.include('type Same2 = ns.A2\n')
  })

  it('the compiler accepts all of it, and what each type admits and refuses', function () {
    this.timeout(120_000)
    const folder = mkdtempSync(join(tmpdir(), 'declared-'))
    try {
      for (const [index, row] of SCHEMAS.entries()) writeFileSync(join(folder, `${`${index}`.padStart(2, '0')}.ts`), program(row))
      writeFileSync(join(folder, 'namespace.ts'), [
        NAMESPACE_TEXT, ERROR_TEXT, 'export const note: Promise<ns.Note> = ns["odd-name"]()', 'void ns.add()',
        'export const member = (error: unknown) => error instanceof NsError ? error["member-name"] : undefined',
      ].join('\n'))
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, target: 'es2024', lib: ['es2024'], types: [], module: 'esnext', moduleDetection: 'force' }, include: ['*.ts'],
      }))
      const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
      const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8', timeout: 110_000 })
      expect(`${stdout}${stderr}`).to.equal('')
      expect(status).to.equal(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
