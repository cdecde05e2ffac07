// The package as it is published, in the host as its users install it: by its name, from JavaScript, with nothing of this checkout.
import { expect } from 'chai'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../harness/sessions.ts'
import { resultsIn, withHost } from './host.ts'
import { cell, say } from './model.ts'
import { command, pack } from './pack.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Unpacks the package beside what it depends on. Answers the folder that has it. */
function install(folder: string): string {
  const tarball = pack(folder)
  const app = join(folder, 'app')
  const installed = join(app, 'node_modules', 'dsh-ptc-plus')
  mkdirSync(installed, { recursive: true })
  command(installed, 'tar', ['-xzf', tarball, '--strip-components', '1'])
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name))
  }
  return app
}

describe('the packed package', () => {
  it('is a bundle of the host, and runs its cells', async function () {
    this.timeout(120_000)
    const folder = temporaryFolder()
    try {
      const app = install(folder.path)
      await withHost(async (host) => {
        const conversation = await host.open()
        await conversation.ask(cell('enum E { A = 3 }'), say('Done.'))
        expect(resultsIn(await conversation.ask(cell('return E.A'), say('Done.')))).to.deep.equal(['3'])
      }, { installed: app })
    } finally {
      folder.remove()
    }
  })
})
