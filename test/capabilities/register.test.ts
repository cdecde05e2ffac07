// What an owner may register: names, members and declarations, and the code of each refusal.
import { expect } from 'chai'
import type { Context } from 'cordis'
import { CapabilityError } from '../../plugins/capabilities/index.ts'
import type { CapabilityService, Member, Members, NamespaceOptions } from '../../plugins/capabilities/types.ts'
import { active, bench, callContext, HOSTS, member, owner, rejection, unwind, type Bench } from './hosts.ts'

for (const [host, create] of HOSTS) {
  describe(`capability registration on ${host}`, () => {
    let graph: Bench
    let ctx: Context
    beforeEach(async () => {
      graph = await bench(create)
      const fiber = graph.ctx.plugin(owner((own) => { ctx = own }))
      await active(fiber)
    })
    afterEach(() => unwind(graph))

    const register = (name: unknown, members: unknown = { m: member() }, options?: unknown) =>
      ctx.capabilityPlan.register(name as string, members as Members, options as NamespaceOptions)
    const refuses = (code: string, ...args: Parameters<typeof register>): void => {
      expect(() => register(...args)).to.throw(CapabilityError).with.property('code', code)
    }

    it('names: identifiers of ASCII', () => {
      for (const name of ['a', '_', '$', 'A1_$', 'constructor', 'tools', 'toString', 'of', 'async']) register(name)
      for (const bad of ['', '1a', 'a b', 'a.b', 'ä', 'a\n', null, undefined, 7, {}, Symbol('s')]) refuses('bad-name', bad)
    })

    it('names: words of the language and reserved namespaces are refused', () => {
      for (const bad of ['class', 'await', 'let', 'static', 'yield', 'null', 'undefined', 'arguments', 'globalThis', '__proto__']) refuses('bad-name', bad)
      for (const bad of ['capabilities', 'code', 'repl', 'console']) refuses('bad-name', bad)
    })

    it('names: taken by another namespace or by an error class', () => {
      const dispose = register('notes', { m: member() }, { errorClass: { name: 'NotesError', memberNameProperty: 'member' } })
      refuses('taken', 'notes')
      refuses('taken', 'NotesError')
      refuses('taken', 'other', {}, { errorClass: { name: 'notes', memberNameProperty: 'member' } })
      refuses('taken', 'other', {}, { errorClass: { name: 'other', memberNameProperty: 'member' } })
      refuses('taken', 'other', {}, { errorClass: { name: 'NotesError', memberNameProperty: 'operation' } })
      register('shares', {}, { errorClass: { name: 'NotesError', memberNameProperty: 'member' } })
      dispose()
      register('notes')
    })

    it('error classes', () => {
      for (const errorClass of [null, 7, {}, { name: 'E' }, { name: 'E', memberNameProperty: '' }, { name: 'a b', memberNameProperty: 'm' }, { name: 'class', memberNameProperty: 'm' }]) {
        refuses('bad-name', 'n', {}, { errorClass })
      }
    })

    it('members: what is not one', () => {
      for (const bad of [null, undefined, 7, 'text']) refuses('bad-member', 'n', bad === undefined ? null : bad)
      for (const bad of [
        { '': member() }, { [Symbol('s')]: member() }, { get m() { return member() } }, { m: null }, { m: () => 1 },
        { m: { replay: 'volatile' } }, { m: { call: () => 1 } }, { m: { ...member(), replay: 'maybe' } }, { m: { ...member(), replay: 'toString' } },
        { m: { ...member(), effect: 'big' } }, { m: { ...member(), completeness: 'most' } }, { m: { ...member(), description: 1 } },
      ]) refuses('bad-member', 'n', bad)
      expect(graph.ctx.capabilityPlan.view()).to.have.length(1)
    })

    it('members: a symbol has at most 150 bytes', () => {
      register('ok', { ['m'.repeat(147)]: member() })
      for (const long of ['m'.repeat(150), 'ä'.repeat(75), '\u0000'.repeat(25)]) refuses('bad-member', 'n', { [long]: member() })
    })

    it('explain: only the namespaces of the kernel, shown and not callable', async () => {
      const { call: _, ...declared } = member()
      for (const bad of ['notes', 'capabilities', 'console']) {
        expect(() => ctx.capabilityPlan.explain(bad, { run: declared })).to.throw(CapabilityError).with.property('code', 'bad-name')
      }
      const withdraw = ctx.capabilityPlan.explain('code', { run: declared }, { errorClass: { name: 'CodeError', memberNameProperty: 'operation' } })
      expect(() => ctx.capabilityPlan.explain('code', { run: declared })).to.throw(CapabilityError).with.property('code', 'taken')
      refuses('taken', 'CodeError')
      expect(ctx.capabilityPlan.tree()).to.deep.equal([{ namespace: 'code', members: ['run'] }])
      expect(ctx.capabilityPlan.view().map(({ name }) => name)).to.deep.equal(['capabilities'])
      expect(await rejection(ctx.capabilityPlan.dispatch('code', 'run', undefined, callContext()))).to.include({ code: 'unknown-member' })
      withdraw()
      expect(ctx.capabilityPlan.tree()).to.deep.equal([])
    })

    it('4.1 authority: of the plugin, or of the host for its tools', () => {
      register('notes')
      register('tools', { m: member() }, { authority: 'dsh-tool-dispatch' })
      refuses('bad-member', 'n', {}, { authority: 'root' })
      expect(graph.ctx.capabilityPlan.inspect().symbols.map(({ namespace, authority }) => [namespace, authority]))
        .to.deep.equal([['notes', 'ptc-plus-program-binding'], ['tools', 'dsh-tool-dispatch']])
    })

    it('4.1 sourceRef and revision: of the namespace, or of the member, and in no declaration', () => {
      const plan = graph.ctx.capabilityPlan
      const before = register('n', { m: member() })
      const [plain, text] = [plan.inspect({ symbols: ['n.m'] }).symbols[0]!, plan.declaration()]
      expect(plain).to.not.have.any.keys('sourceRef', 'revision')
      before()
      register('n', { m: member(), own: member(undefined, { sourceRef: 'file:own.ts', revision: 'r7' }) }, { sourceRef: 'npm:n', revision: '1.0.0' })
      const sources = plan.inspect({ symbols: ['n.m', 'n.own'] }).symbols
      expect(sources.map(({ sourceRef, revision }) => [sourceRef, revision])).to.deep.equal([['npm:n', '1.0.0'], ['file:own.ts', 'r7']])
      expect(sources[0]!.fingerprint, 'says what is promised, not where it is from').to.equal(plain.fingerprint)
      expect(plan.declaration()).to.equal(text.replace('  m():', '  m(): Promise<unknown>\n  own():'))
      for (const bad of ['', 7, null, 'x'.repeat(1_001)]) {
        refuses('bad-member', 'bad', {}, { sourceRef: bad })
        refuses('bad-member', 'bad', { m: { ...member(), revision: bad } })
      }
    })

    it('declarations must be plain JSON', () => {
      const cyclic: Record<string, unknown> = {}
      cyclic.self = cyclic
      for (const bad of [null, 'text', [], cyclic, { f: () => 1 }, { d: new Date() }, { u: undefined }, { n: NaN }, { b: 1n }, { a: [1, , 2] }]) {
        refuses('bad-member', 'n', { m: { ...member(), parameters: bad } })
        refuses('bad-member', 'n', { m: { ...member(), returns: bad } })
      }
    })

    it('declarations are copied and frozen when they are registered', async () => {
      const parameters = { type: 'object', properties: { text: { enum: ['a', 'b'] } }, ['__proto__']: { kept: true } }
      const owned: { -readonly [Key in keyof Member]: Member[Key] } = { ...member(() => 'first'), description: 'adds', parameters, effect: 'write' }
      register('n', { m: owned })
      parameters.properties.text.enum.push('c')
      owned.description = 'changed'
      owned.replay = 'volatile'
      owned.call = () => 'second'
      const plan: CapabilityService = graph.ctx.capabilityPlan
      const [contract] = plan.inspect({ symbols: ['n.m'] }).symbols
      const { fingerprint, ...declared } = contract!
      expect(fingerprint).to.equal(plan.search({ query: 'n.m' }).matches[0]!.fingerprint)
      expect(declared).to.deep.equal({
        namespace: 'n', name: 'm', description: 'adds', parameters: JSON.parse('{"type":"object","properties":{"text":{"enum":["a","b"]}},"__proto__":{"kept":true}}') as object,
        returns: null, completeness: 'unknown', effect: 'write', authority: 'ptc-plus-program-binding', replay: 'recorded-value',
      })
      expect(() => { (contract!.parameters!.properties as { text: { enum: string[] } }).text.enum.push('d') }).to.throw(TypeError)
      expect(plan.replayOf('n', 'm')).to.equal('recorded-value')
      expect(await plan.dispatch('n', 'm', { text: 'a' }, callContext())).to.equal('first')
    })
  })
}
