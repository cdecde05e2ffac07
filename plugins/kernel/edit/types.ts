// What an edit of a cell's source says, and what comes of it. Types only; all of it is plain JSON, because the matching is done
// in the helper process.

/** `old_string` stands exactly once in the source; it becomes `new_string`, character by character. */
export interface ExactEdit { readonly old_string: string, readonly new_string: string }

/** Every match of the pattern becomes the replacement, whose tokens are those of `String.prototype.replace`. */
export interface RegexEdit {
  readonly pattern: string
  /** Of `g`, `i`, `m`, `s`, `u`, each at most once. Matching is global also without `g`. */
  readonly flags: string
  readonly replacement: string
  readonly expected_matches: number
}

export type Operation =
  | { readonly kind: 'exact', readonly edits: readonly ExactEdit[] }
  | { readonly kind: 'regex', readonly edits: readonly RegexEdit[] }

/** A range of the original source and what takes its place. `start` and `end` count UTF-16 units. */
export interface Replacement { readonly start: number, readonly end: number, readonly text: string, readonly of: string }

/** The whole new source, or why there is none. Nothing is ever applied in part. */
export type Edited = { readonly source: string } | { readonly refused: string }
