// What a person's editor leaves of a cell.
import { expect } from 'chai'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { editedText } from '../../../../client/terminal/shell/edit.ts'
import { openOwnEditor } from '../../../../client/terminal/shell/own-editor.ts'
import { temporaryFolder } from '../../../harness/sessions.ts'

describe('a cell in an editor', () => {
  const table: readonly (readonly [title: string, before: string, after: string, text: string | undefined])[] = [
    ['another text', 'let a = 1', 'let a = 2', 'let a = 2'],
    ['the end of line that editors add is not counted', 'let a = 1', 'let a = 2\n', 'let a = 2'],
    ['one that was there is', 'let a = 1\n', 'let a = 2\n', 'let a = 2\n'],
    ['nothing was changed', 'let a = 1', 'let a = 1\n', undefined],
    ['all was deleted', 'let a = 1', ' \n', undefined],
  ]
  for (const [title, before, after, text] of table) {
    it(title, async () => {
      let file = ''
      expect(await editedText(before, async (given) => {
        file = given
        expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).to.deep.equal([before, 0o600])
        writeFileSync(file, after)
        return 0
      })).to.equal(text)
      expect(existsSync(file)).to.equal(false)
    })
  }

  it('an editor that fails leaves nothing to run, and no file', async () => {
    let file = ''
    const failed = await editedText('1', async (given) => { file = given; return 3 }).catch((error: Error) => error)
    expect(failed).to.be.an('error').with.property('message', 'the editor ended with status 3, so nothing was run')
    expect(existsSync(file)).to.equal(false)
  })

  it('the choice may have arguments, VISUAL comes first, and none is said', async () => {
    const folder = temporaryFolder()
    const file = `${folder.path}/a "cell" $1.ts`
    writeFileSync(file, '1')
    try {
      expect(await openOwnEditor(file, 'ignore', { ...process.env, VISUAL: 'sed -i s/1/2/', EDITOR: 'false' })).to.equal(0)
      expect(readFileSync(file, 'utf8')).to.equal('2')
      expect(await openOwnEditor(file, 'ignore', { ...process.env, VISUAL: '', EDITOR: 'exit 7;' })).to.equal(7)
      expect(await openOwnEditor(file, 'ignore', { VISUAL: '', EDITOR: '' }).catch(({ message }: Error) => message)).to.match(/^no editor is chosen/)
    } finally {
      folder.remove()
    }
  })
})
