// What a command line means, and which ones are refused.
import { expect } from 'chai'
import { parseCommandLine, UsageError } from '../../../client/terminal/args.ts'

const parse = (line: string, env: NodeJS.ProcessEnv = { HOME: '/home/me' }) => parseCommandLine(line === '' ? [] : line.split(' '), env, '/work')

describe('the command line', () => {
  it('has defaults', () => {
    const { home, ...rest } = parse('')
    expect(rest).to.deep.equal({ command: 'shell', operands: [], session: 'default', cwd: '/work', json: false, memory: false, with: [] })
    expect(home).to.match(/\.ptc-plus$/)
  })

  it('takes every flag, before and after the command', () => {
    expect(parse('--session s run a.ts --home h b.ts --policy protected --cwd ../c --json --memory --with p.ts --with q.ts --compose c.yml')).to.deep.equal({
      command: 'run', operands: ['a.ts', 'b.ts'], session: 's', home: '/work/h', cwd: '/c', policy: 'protected',
      json: true, memory: true, with: ['/work/p.ts', '/work/q.ts'], compose: '/work/c.yml',
    })
  })

  it('finds the home folder: the flag, then PTC_HOME', () => {
    expect(parse('', { PTC_HOME: '/x' }).home).to.equal('/x')
    expect(parse('--home y', { PTC_HOME: '/x' }).home).to.equal('/work/y')
  })

  it('knows what to do with a history', () => {
    expect(parse('journal').journal).to.equal(undefined)
    expect(parse('journal s --verify').journal).to.deep.equal({ task: 'verify' })
    expect(parse('journal --export f').journal).to.deep.equal({ task: 'export', file: '/work/f' })
    expect(parse('journal --export -').journal).to.deep.equal({ task: 'export', file: '-' })
    expect(parse('journal --import f').journal, 'the document knows the name').to.deep.equal({ task: 'import', file: '/work/f' })
    expect(parse('journal s --import f').journal).to.deep.equal({ task: 'import', file: '/work/f', as: 's' })
    expect(parse('journal --session s --import -').journal).to.deep.equal({ task: 'import', file: '-', as: 's' })
  })

  it('answers help and version wherever they stand', () => {
    for (const line of ['help', '--help', '-h', 'batch --help', 'help run']) expect(parse(line).command, line).to.equal('help')
    for (const line of ['--version', '-v', 'run --version']) expect(parse(line).command, line).to.equal('version')
  })

  const mistakes: readonly (readonly [line: string, message: RegExp])[] = [
    ['nonsense', /unknown command "nonsense"/], ['shell', /unknown command "shell"/], ['toString', /unknown command/],
    ['--nonsense', /Unknown option '--nonsense'/], ['-x', /Unknown option '-x'/], ['--session', /argument missing/], ['--json=yes', /does not take an argument/],
    ['--session=', /--session needs a value/], ['--with=', /--with needs a value/],
    ['--policy loose', /"stateful" or "protected", not "loose"/], ['run', /usage: ptc run FILE/], ['batch x', /usage: ptc batch/],
    ['sessions x', /usage: ptc sessions/], ['journal a b', /usage: ptc journal/],
    ['journal --verify --export f', /--verify and --export do not go together/], ['run a.ts --verify', /--verify belongs to "ptc journal"/],
    ['--import f', /--import belongs to "ptc journal"/], ['journal --export=', /--export needs a value/],
  ]
  for (const [line, message] of mistakes) it(`refuses "ptc ${line}" in one line`, () => {
    expect(() => parse(line)).to.throw(UsageError, message).that.has.property('message').that.does.not.match(/\n/)
  })
})
