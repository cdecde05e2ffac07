// The older release of Cordis that hosts are on: tests that touch its lifecycle most, run again in a process in which the host and
// the bundle find that one.
import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const isOlder = import.meta.resolve('@deepseek-ai/cordis').includes('/cordis-4.0.1/')

const FILES = ['older-cordis.test.ts', 'bundle.test.ts', 'session.test.ts', 'tools.test.ts', 'edit.test.ts', 'settings.test.ts'].map(here)
const TITLES = 'name resolves|switched off and on|reloads|comes late|rebuilt in the next|cancelled|"repl"|can not be read are|put back to those|as edited after'
const COUNT = 11

describe('the older Cordis', () => {
  if (isOlder) {
    it('is what the name resolves to', () => { expect(isOlder).to.equal(true) })
    return
  }

  it('runs the bundle as the newer one does', function () {
    this.timeout(180_000)
    const { stdout, stderr } = spawnSync(process.execPath, [
      '--import', here('older-cordis.mjs'), 'node_modules/mocha/bin/mocha.js', '--no-config', '--exit', '--timeout', '30000',
      '--reporter', 'json', '--grep', TITLES, ...FILES,
    ], { cwd: root, encoding: 'utf8' })
    const start = stdout.indexOf('{\n')
    expect(start, stderr).to.be.at.least(0)
    const { stats, failures } = JSON.parse(stdout.slice(start)) as { stats: { passes: number }, failures: { fullTitle: string, err: { message: string } }[] }
    expect(failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message}`)).to.deep.equal([])
    expect(stats.passes).to.equal(COUNT)
  })
})
