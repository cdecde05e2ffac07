// Reads cells of one or many lines from a terminal. Between two readings it keeps listening: Ctrl-C goes to the running
// cell, all other keys wait for the next prompt.
// Owns: the raw mode of the terminal and the rows that it draws. Does not own: what a cell is, what names exist, where
// the history lives. Crosses by: `Behaviour` and the history it is given.
import { emitKeypressEvents, type Key } from 'node:readline'
import { edit, empty, insert, vertical, withText, type Draft } from './draft.ts'
import type { InputHistory } from './history.ts'
import { isText, keyName } from './keys.ts'
import { commonStart, inColumns } from './listing.ts'
import { Screen, type Prompts, type TerminalOutput } from './screen.ts'

export interface TerminalInput extends NodeJS.ReadableStream {
  setRawMode?(raw: boolean): unknown
}

export interface Behaviour {
  /** Does Enter submit this text, or does it begin a new line? */
  submits(text: string): boolean
  /** What could stand from `from` to the cursor. Must not reject. */
  complete(text: string, cursor: number): Promise<{ readonly from: number, readonly candidates: readonly string[] }>
  /** Ctrl-C while nobody reads. */
  interrupt(): void
}

export type Reading =
  | { readonly kind: 'text', readonly text: string }
  /** Ctrl-C; `text` is what it threw away. */
  | { readonly kind: 'cancelled', readonly text: string }
  | { readonly kind: 'end' }

const prompts: Prompts = { first: '> ', next: '... ' }

export class Editor {
  private readonly input: TerminalInput
  private readonly output: TerminalOutput
  private readonly history: InputHistory
  private readonly behaviour: Behaviour
  private readonly screen: Screen
  private draft: Draft = empty
  private killed = ''
  /** Index into the history while Up and Down walk through it, else its length; and the draft that was left for it. */
  private place = 0
  private walking = false
  private left: Draft = empty
  private search: { query: string, index: number, before: Draft } | null = null
  private paste: string[] | null = null
  private waiting: Key[] = []
  private busy = false
  private ended = false
  private drawing: NodeJS.Immediate | null = null
  private settle: ((reading: Reading) => void) | null = null

  constructor(input: TerminalInput, output: TerminalOutput, history: InputHistory, behaviour: Behaviour) {
    this.input = input
    this.output = output
    this.history = history
    this.behaviour = behaviour
    this.screen = new Screen(output)
  }

  /** Takes the terminal; the disposer gives it back as it was. */
  open(): () => void {
    const onKey = (text: string | undefined, key: Key) => this.receive({ ...key, sequence: key.sequence ?? text ?? '' })
    const onEnd = () => this.end()
    const onResize = () => this.redraw()
    const onContinue = () => { this.raw(true); this.redraw() }
    const onExit = () => this.raw(false)
    emitKeypressEvents(this.input)
    this.input.on('keypress', onKey).on('end', onEnd).on('close', onEnd)
    process.stdout.on('resize', onResize)
    process.on('SIGCONT', onContinue)
    process.on('exit', onExit)
    this.raw(true)
    this.input.resume()
    return () => {
      this.input.off('keypress', onKey).off('end', onEnd).off('close', onEnd)
      process.stdout.off('resize', onResize)
      process.off('SIGCONT', onContinue)
      process.off('exit', onExit)
      this.raw(false)
      this.input.pause()
    }
  }

  /** One reading at a time. */
  async read(): Promise<Reading> {
    const reading = new Promise<Reading>(resolve => { this.settle = resolve })
    this.draft = empty
    this.place = this.history.entries.length
    this.left = empty
    this.redraw()
    void this.work()
    if (this.ended) this.end()
    return reading
  }

  private raw(on: boolean): void {
    this.input.setRawMode?.(on)
    this.output.write(on ? '\x1b[?2004h' : '\x1b[?2004l')
  }

  private end(): void {
    this.ended = true
    if (this.settle && this.waiting.length === 0) this.answer({ kind: 'end' })
  }

  private answer(reading: Reading, mark = ''): void {
    if (this.drawing) clearImmediate(this.drawing)
    this.drawing = null
    this.screen.finish(this.draft, prompts, mark)
    this.draft = empty
    this.walking = false
    const settle = this.settle
    this.settle = null
    settle?.(reading)
  }

  private receive(key: Key): void {
    if (!this.settle && keyName(key) === 'C-c') this.behaviour.interrupt()
    else {
      this.waiting.push(key)
      void this.work()
    }
  }

  /** Keys are worked off one after the other, and only while somebody reads. */
  private async work(): Promise<void> {
    if (this.busy) return
    this.busy = true
    try {
      while (this.settle && this.waiting.length > 0) await this.press(this.waiting.shift() as Key)
      if (this.settle && this.ended) this.end()
    } finally {
      this.busy = false
    }
  }

  private async press(key: Key): Promise<void> {
    const name = keyName(key)
    if (name === 'paste-start') this.paste = []
    else if (name === 'paste-end') this.endPaste()
    else if (this.paste) this.paste.push(key.sequence ?? '')
    else if (!this.search || !this.pressInSearch(name, key)) await this.pressAtPrompt(name, key)
    if (this.settle && !this.paste) this.redrawSoon()
  }

  private endPaste(): void {
    const text = (this.paste ?? []).join('').replace(/\r\n?/g, '\n')
    this.paste = null
    this.acceptSearch()
    this.draft = insert(this.draft, text)
  }

  private async pressAtPrompt(name: string, key: Key): Promise<void> {
    if (name !== 'up' && name !== 'down' && name !== 'C-p' && name !== 'C-n') this.walking = false
    switch (name) {
      case 'return': case 'enter': return this.enter()
      case 'M-return': case 'M-enter': this.draft = insert(this.draft, '\n'); return
      case 'C-c': return this.answer({ kind: 'cancelled', text: this.draft.text }, '^C')
      case 'C-d': if (this.draft.text === '') return this.answer({ kind: 'end' }); break
      case 'C-l': return this.screen.clearAll()
      case 'C-r': this.search = { query: '', index: this.history.entries.length, before: this.draft }; return
      case 'C-y': this.draft = insert(this.draft, this.killed); return
      case 'C-z': return this.suspend()
      case 'up': case 'C-p': return this.walk(-1)
      case 'down': case 'C-n': return this.walk(1)
      case 'tab': return this.complete()
    }
    const edited = edit(this.draft, name)
    if (edited) {
      this.draft = edited.draft
      if (edited.killed) this.killed = edited.killed
    } else if (isText(key)) this.draft = insert(this.draft, key.sequence ?? '')
  }

  private enter(): void {
    const { text } = this.draft
    if (!this.behaviour.submits(text)) {
      this.draft = insert(this.draft, '\n')
      return
    }
    this.history.add(text)
    this.answer({ kind: 'text', text })
  }

  /** Inside a cell the arrows go from line to line; past its first or last line, through the history. */
  private walk(direction: -1 | 1): void {
    const moved = this.walking ? null : vertical(this.draft, direction)
    if (moved) {
      this.draft = moved
      return
    }
    const { entries } = this.history
    const next = this.place + direction
    if (next < 0 || next > entries.length) return
    if (this.place === entries.length) this.left = this.draft
    this.place = next
    this.draft = next === entries.length ? this.left : withText(entries[next] ?? '')
    this.walking = true
  }

  private async complete(): Promise<void> {
    const before = this.draft
    if (/(?:^|\n)\s*$/.test(before.text.slice(0, before.cursor))) {
      this.draft = insert(before, '  ')
      return
    }
    const { from, candidates } = await this.behaviour.complete(before.text, before.cursor)
    const common = commonStart(candidates)
    const typed = before.text.slice(from, before.cursor)
    if (common.length > typed.length) this.draft = insert(before, common.slice(typed.length))
    else if (candidates.length > 1) {
      this.screen.finish(before, prompts)
      this.output.write(inColumns(candidates, this.output.columns || 80))
    }
  }

  /** Ctrl-R. Answers false for a key that ends the search and then does its own work. */
  private pressInSearch(name: string, key: Key): boolean {
    const search = this.search
    if (!search) return false
    if (name === 'C-c' || name === 'C-g' || name === 'escape') {
      this.draft = search.before
      this.search = null
      return true
    }
    const query = name === 'backspace' ? search.query.slice(0, -1) : isText(key) ? search.query + (key.sequence ?? '') : search.query
    if (query === search.query && name !== 'C-r' && name !== 'backspace') {
      this.acceptSearch()
      return false
    }
    const from = name === 'C-r' ? search.index : query.startsWith(search.query) ? search.index + 1 : this.history.entries.length
    const index = query === '' ? -1 : this.history.search(query, from)
    this.search = { query, index: index < 0 ? search.index : index, before: search.before }
    const found = this.history.entries[index]
    if (found !== undefined) this.draft = withText(found)
    return true
  }

  private acceptSearch(): void {
    if (this.search) this.place = Math.min(this.search.index, this.history.entries.length)
    this.search = null
  }

  private suspend(): void {
    this.screen.finish(this.draft, prompts)
    this.raw(false)
    process.kill(process.pid, 'SIGTSTP')
  }

  private redraw(): void {
    if (!this.settle) return
    const first = this.search ? `(search "${this.search.query}") ` : prompts.first
    this.screen.draw(this.draft, { first, next: prompts.next })
  }

  /** Many keys in one chunk are drawn once. */
  private redrawSoon(): void {
    this.drawing ??= setImmediate(() => {
      this.drawing = null
      this.redraw()
    })
  }
}
