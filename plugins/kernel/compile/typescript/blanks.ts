// The text of a cell in which parts have been blanked out. Nothing moves: a character becomes as many UTF-16 units of blank
// as it had, white space and line ends stay, so positions, lines and line breaks are those of the source.

function blanked(text: string): string { return text.replace(/\S/g, ' ') }

export class Blanks {
  private readonly source: string
  private readonly ranges: { readonly start: number, readonly end: number }[] = []
  private readonly marks: { readonly at: number, readonly character: string }[] = []

  constructor(source: string) { this.source = source }

  blank(start: number, end: number): void { this.ranges.push({ start, end }) }

  /** One character that stands at `at` afterwards, blanked or not. */
  mark(at: number, character: string): void { this.marks.push({ at, character }) }

  toString(): string {
    const { source } = this
    const ranges = this.ranges.sort((a, b) => a.start - b.start)
    let text = ''
    let at = 0
    for (const { start, end } of ranges) {
      if (end <= at) continue
      text += source.slice(at, Math.max(at, start)) + blanked(source.slice(Math.max(at, start), end))
      at = end
    }
    text += source.slice(at)
    for (const { at: place, character } of this.marks) text = text.slice(0, place) + character + text.slice(place + 1)
    return text
  }
}
