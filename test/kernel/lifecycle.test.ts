// The kernel inside its graph: on both Cordis, what is left when it goes, and that it comes back (K4; design 2.7).
import { expect } from 'chai'
import * as kernelPlugin from '../../plugins/kernel/index.ts'
import { active, boot, hosts } from '../harness/graph.ts'
import { children, openFiles } from '../harness/processes.ts'
import { answerOf, isAlive, temporaryFolder } from '../harness/sessions.ts'

const settled = () => new Promise((resolve) => { setImmediate(() => setImmediate(resolve)) })

for (const { name } of hosts) {
  describe(`the graph on ${name}`, () => {
    const folder = temporaryFolder()
    after(() => folder.remove())

    it('runs a cell, a call, and leaves no process, file or timer behind', async () => {
      await settled()   // so that the runner's own timer is in both lists
      const before = { children: children(), resources: process.getActiveResourcesInfo().sort() }
      const graph = await boot({ host: name, dir: `${folder.path}/a`, kernel: { spareHelper: true } })
      graph.ctx.capabilityPlan.register('notes', { add: { replay: 'recorded-value', call: () => 1 } })
      const session = await graph.kernel.open('s')
      expect(answerOf(await session.run('return await notes.add()'))).to.deep.equal({ value: 1 })
      const started = children().filter((pid) => !before.children.includes(pid))
      expect(started.length).to.be.greaterThan(0)
      await graph.fibers.kernel.dispose()
      expect(started.filter(isAlive), 'processes').to.deep.equal([])
      expect(openFiles(folder.path), 'files').to.deep.equal([])
      await settled()
      expect(process.getActiveResourcesInfo().sort(), 'handles and timers').to.deep.equal(before.resources)
      expect(session.state).to.equal('closed')
      const again = graph.ctx.plugin(kernelPlugin as never, { spareHelper: false } as never)
      await active(again)
      expect(answerOf(await (await graph.kernel.open('s')).run('1 + 1'))).to.deep.equal({ value: 2 })
      await graph.dispose()
      expect(children()).to.deep.equal(before.children)
    })

    it('the same session continues when the kernel is loaded again', async () => {
      const graph = await boot({ host: name, dir: `${folder.path}/b` })
      await (await graph.kernel.open('s')).run('const n = 41')
      await graph.fibers.kernel.restart()
      await active(graph.fibers.kernel)
      expect(answerOf(await (await graph.kernel.open('s')).run('n + 1'))).to.deep.equal({ value: 42 })
      await graph.dispose()
    })

    for (const part of ['journal', 'capabilities'] as const) {
      it(`when the ${part} goes, the kernel goes before it and comes back after it`, async () => {
        const graph = await boot({ host: name, dir: `${folder.path}/${part}` })
        const session = await graph.kernel.open('s')
        await session.run('const n = 1')
        const order: string[] = []
        graph.ctx.on('internal/status', (fiber) => {
          if (fiber.uid === graph.fibers.kernel.uid) order.push(`kernel ${fiber.state}`)
          if (fiber.uid === graph.fibers[part].uid) order.push(`${part} ${fiber.state}`)
        }, { global: true })
        await graph.fibers[part].restart()
        await active(graph.fibers[part])
        await active(graph.fibers.kernel)
        const down = order.indexOf('kernel 0')
        expect(down, order.join()).to.be.greaterThan(-1)
        expect(down, `down before the ${part} starts again: ${order.join()}`).to.be.lessThan(order.indexOf(`${part} 1`))
        expect(order.lastIndexOf('kernel 2')).to.be.greaterThan(order.lastIndexOf(`${part} 2`))
        expect(session.state).to.equal('closed')
        expect(answerOf(await (await graph.kernel.open('s')).run('n'))).to.deep.equal({ value: 1 })
        await graph.dispose()
      })
    }
  })
}
