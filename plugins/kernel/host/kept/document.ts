// One document of the capability plan as it lies beside histories: JSON, written when it changes, and kept when it is no good.
import type { Documents } from '../../../journal/types.ts'
import { messageOf } from '../../errors.ts'

/** `reason`: why the document could not be used; `aside`: the name under which it is kept. */
export interface Damage { readonly reason: string, readonly aside: string }

export class KeptDocument {
  private readonly name: string
  /** What is stored, as far as this process knows. */
  private text: string | undefined

  constructor(name: string) { this.name = name }

  /**
   * Hands what is stored to `use`, unless this process knows it already. A document that is no JSON, or that `use` throws at, is set
   * aside. Throws `JournalError` `io` when it can not be read or moved: it may be a good one.
   */
  read(documents: Documents, use: (document: unknown) => void): Damage | undefined {
    const text = documents.read(this.name)
    if (text === this.text || text === undefined) return undefined
    try {
      use(JSON.parse(text))
      this.text = text
      return undefined
    } catch (error) {
      return { reason: messageOf(error), aside: documents.setAside(this.name) }
    }
  }

  /** Throws `JournalError` `io`, `closed`. */
  write(documents: Documents, document: object): void {
    const text = `${JSON.stringify(document)}\n`
    if (text === this.text) return
    documents.write(this.name, text)
    this.text = text
  }

  get isStored(): boolean { return this.text !== undefined }
}
