// What one edit may cost (contract 6.3). Sizes are UTF-16 units; each limit is for all edits of one request together.

export const EDIT_LIMITS = {
  edits: 16,
  /** Length of the source, times the number of edits, times two: each is looked for twice. */
  exactSearch: 16_777_216,
  matches: 4_096,
  templateLength: 16_384,
  /** Expected matches, times the parts of their template. */
  expansionSteps: 65_536,
  /** Expected matches, times the groups of their pattern. */
  captureSlots: 65_536,
  /** Of what is put in, and of the source that results. */
  sourceLength: 1_048_576,
  regexCpuMs: 100,
} as const
