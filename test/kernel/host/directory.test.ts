// Would catch: files, paths and children of a cell that mean another directory than the host's tools do, before or after
// `tools.working_directory` has moved the cell; a replay that does not know of the move.
import { expect } from 'chai'
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { boot, type Graph } from '../../harness/graph.ts'
import { answerOf, temporaryFolder } from '../../harness/sessions.ts'

const LOOK = `
  import fs from 'node:fs'; import { readFile } from 'node:fs/promises'; import path from 'node:path'; import { execSync } from 'node:child_process'
  const look = async () => [fs.readFileSync('name', 'utf8'), await readFile('name', 'utf8'), path.basename(path.resolve('.')), path.basename(execSync('pwd').toString().trim()), path.basename(process.cwd())]`
const all = (name: string) => [name, name, name, name, name]

describe("a cell's directory", () => {
  const folder = temporaryFolder()
  const top = realpathSync(folder.path)
  const first = join(top, 'first')
  const second = join(top, 'second')
  let graph: Graph
  let seen: string[]

  before(async () => {
    for (const [path, name] of [[first, 'first'], [second, 'second']] as const) {
      mkdirSync(path)
      writeFileSync(join(path, 'name'), name)
      writeFileSync(join(path, 'm.mjs'), `export const where = '${name}'`)
    }
    graph = await boot()
    graph.ctx.capabilityPlan.register('tools', {
      working_directory: { replay: 'recorded-value', call: (args) => args },
      where: { replay: 'recorded-value', call: (_args, { cwd }) => { seen.push(cwd) } },
    })
  })
  beforeEach(() => { seen = [] })
  after(async () => { await graph.dispose(); folder.remove() })

  for (const [title, answer] of [['a path', '"DIR"'], ['{ cwd }', '{ cwd: "DIR" }'], ['{ path } beside other fields', '{ ok: true, path: "DIR" }']] as const) {
    it(`follows an answer that is ${title}, for the rest of the cell`, async () => {
      const session = await graph.kernel.open(`follows ${title}`, { cwd: first })
      await session.run(LOOK)
      const moved = await session.run(`await tools.where(); const before = await look(); await tools.working_directory(${answer.replace('DIR', second)}); await tools.where(); [before, await look()]`)
      expect(answerOf(moved)).to.deep.equal({ value: [all('first'), all('second')] })
      expect(seen).to.deep.equal([first, second])
      expect(answerOf(await session.run('await look()')), 'the next cell starts where it is told to').to.deep.equal({ value: all('first') })
    })
  }

  it('moves no module that is imported later, nor what import.meta says', async () => {
    const session = await graph.kernel.open('modules', { cwd: first })
    const result = await session.run(`await tools.working_directory('${second}'); [(await import('./m.mjs')).where, require('./m.mjs').where, import.meta.dirname]`)
    expect(answerOf(result)).to.deep.equal({ value: ['first', 'first', first] })
  })

  it('stays where it is when the directory can not be entered, and the program hears of it', async () => {
    const session = await graph.kernel.open('refused', { cwd: first })
    const result = await session.run(`let said; try { await tools.working_directory('${top}/nowhere') } catch (e) { said = e.message } [said, process.cwd()]`)
    expect(answerOf(result)).to.deep.equal({ value: [`the working directory ${JSON.stringify(`${top}/nowhere`)} can not be entered (ENOENT)`, first] })
  })

  it('is the same in a replay, also in a timer between two cells', async () => {
    const session = await graph.kernel.open('replayed', { cwd: first })
    await session.run(`const at = [process.cwd()]; await tools.working_directory('${second}'); at.push(process.cwd()); const marks = {}; setTimeout(() => { at.push(process.cwd()); marks.done = 1 })`)
    while (!(await session.complete('marks')).some(({ name }) => name === 'done')) await new Promise((resolve) => { setImmediate(resolve) })
    const live = await session.run('at')
    expect([live.status, answerOf(live)]).to.deep.equal(['durable', { value: [first, second, second] }])
    await session.kill()
    expect(answerOf(await session.run('at'))).to.deep.equal(answerOf(live))
  })

  it('goes along into a nested run', async () => {
    const session = await graph.kernel.open('nested', { cwd: first })
    const result = await session.run(`await tools.working_directory('${second}'); (await code.run({ code: 'process.cwd()', description: 'where' })).result`)
    expect(answerOf(result)).to.deep.equal({ value: second })
  })
})
