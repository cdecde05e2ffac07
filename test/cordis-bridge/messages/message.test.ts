// Messages as they are made, and what of the log is taken for one.
import { expect } from 'chai'
import { BINDING_DEFAULTS, LIMITS, messageOf, REWRITE_INFO, SOURCE, tipName, tipOf, toldBy, type Told } from '../../../plugins/cordis-bridge/messages/message.ts'

const state = { name: REWRITE_INFO, text: 'It is so.' }
const catalog = { name: BINDING_DEFAULTS, text: 'There is this.' }
const tip = { name: tipName('repeated-binding-failure', 2), text: 'Do that.' }

describe('a message', () => {
  for (const [told, text] of [
    [{ form: 'snapshot', sections: [state] }, 'The state of the session behind run_code. It replaces what was said about that before.\n\nIt is so.'],
    [{ form: 'snapshot', sections: [] }, 'What was said about the state of the session behind run_code does not hold any more.'],
    [{ form: 'catalog', sections: [catalog] }, 'There is this.'],
    [{ form: 'catalog', sections: [] }, 'What was said about bindings that every cell has does not hold any more.'],
    [{ form: 'notice', sections: [tip] }, 'Do that.'],
  ] as readonly (readonly [Told, string])[]) {
    it(`is read as it was made: ${told.form} of ${told.sections.length}`, () => {
      const message = messageOf(told)
      expect(message).to.deep.include({ role: 'user', content: [{ type: 'text', text }], source: { kind: SOURCE, ...told } })
      expect(toldBy(message)).to.deep.equal([told])
    })
  }

  it('keeps the limits, whatever is said', () => {
    const long = 'é'.repeat(LIMITS.snapshot)
    const { source } = messageOf({ form: 'snapshot', sections: [{ name: REWRITE_INFO, text: long }, { name: 'tools:ptc-plus-cordis-recovery', text: long }] })
    expect(toldBy({ source })).to.have.length(1)
    const notice = messageOf({ form: 'notice', sections: [{ ...tip, text: `${'x'.repeat(LIMITS.notice - 2)}😀😀` }] }, 's'.repeat(500))
    expect(notice.content[0]!.text).to.have.length(LIMITS.notice - 1).and.to.match(/xx…$/u)
    expect(notice.source.summary).to.have.length(120)
    expect(toldBy(notice)).to.have.length(1)
  })

  const refused: Readonly<Record<string, object>> = {
    'of an unknown form': { form: 'instructions', sections: [state] },
    'about something unknown': { form: 'snapshot', sections: [{ name: 'tools:ptc-plus-other', text: '' }] },
    'with one thing twice': { form: 'snapshot', sections: [state, state] },
    'with more than belongs there': { form: 'snapshot', sections: [{ ...state, more: 1 }] },
    'that is too long': { form: 'notice', sections: [{ ...tip, text: 'x'.repeat(LIMITS.notice + 1) }] },
    'that notes nothing': { form: 'notice', sections: [] },
    'of two notes': { form: 'notice', sections: [tip, { ...tip, name: tipName('repeated-binding-failure', 3) }] },
    'without sections': { form: 'snapshot' },
  }
  for (const [what, source] of Object.entries(refused)) it(`is not one ${what}`, () => { expect(toldBy({ source: { kind: SOURCE, ...source } })).to.deep.equal([]) })

  it('was told in the host\'s snapshots before', () => {
    const sections = [{ name: 'plans', text: 'theirs' }, state, tip]
    expect(toldBy({ source: { kind: 'plugin', plugin: 'agent-loop', form: 'snapshot', sections } })).to.deep.equal([{ form: 'snapshot', sections: [state] }, { form: 'notice', sections: [tip] }])
    expect(toldBy({ source: { kind: 'plugin', plugin: 'ptc-plus', form: 'snapshot', sections: [state] } })).to.deep.equal([{ form: 'snapshot', sections: [state] }])
    for (const other of [null, {}, { source: { kind: 'user' } }, { source: { kind: 'plugin', plugin: 'agent-loop', form: 'notice', sections: [tip] } }]) expect(toldBy(other)).to.deep.equal([])
  })

  it('is a tip by its name alone', () => {
    expect([tip, { ...tip, text: '' }, state, { ...tip, name: 'tools:ptc-plus-tip/x/0' }].map((section) => tipOf(section)?.ordinal)).to.deep.equal([2, 2, undefined, undefined])
  })
})
