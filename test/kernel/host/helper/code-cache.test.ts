// Would catch: a setting of the kernel's own that programs and their children inherit, or a wish of whoever runs the host that is
// not respected.
import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { codeCacheVariables } from '../../../../plugins/kernel/host/helper/code-cache.ts'
import { answerOf, withSession } from '../../../harness/sessions.ts'

describe('the code cache of helpers', () => {
  it('is not seen by programs, nor by their children', async () => {
    await withSession(async (session) => {
      const result = await session.run(`import { execFileSync } from 'node:child_process'
        const inherited = execFileSync(process.execPath, ['-p', 'process.env.NODE_COMPILE_CACHE'], { encoding: 'utf8' }).trim()
        return [process.env.NODE_COMPILE_CACHE ?? 'none', inherited]`)
      const own = process.env.NODE_COMPILE_CACHE
      expect(answerOf(result)).to.deep.equal({ value: [own ?? 'none', own ?? 'undefined'] })
    })
  })

  it('is where a helper looks for it', async function () {
    if (!existsSync('/proc/self/environ')) this.skip()
    await withSession(async (session) => {
      const { value } = await session.run('process.pid')
      const environment = readFileSync(`/proc/${value as number}/environ`, 'utf8').split('\0')
      expect(environment.filter((line) => line.startsWith('NODE_COMPILE_CACHE=')), 'of its process, not of its programs').to.have.length(1)
    })
  })

  it('is left to whoever has chosen one, or none', () => {
    expect(codeCacheVariables({})).to.have.property('NODE_COMPILE_CACHE').that.is.a('string')
    expect(codeCacheVariables({ NODE_COMPILE_CACHE: '/somewhere' })).to.equal(null)
    expect(codeCacheVariables({ NODE_DISABLE_COMPILE_CACHE: '1' })).to.equal(null)
  })
})
