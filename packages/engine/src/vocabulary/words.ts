/** Whose words they are, and where they stand. */
export interface WordsPlace {
  /** A column of sealed texts (`SealedColumn`). */
  readonly column: {
    readonly table: string
    readonly column: string
    readonly row: string
    readonly owner?: string
  }
  /** The id of the row. */
  readonly row: string
  /** The customer with whose key they are sealed; null: the platform itself, whose words the installation's key seals. */
  readonly ownerId: string | null
}

/**
 * What a row holds of what people wrote, or of what tells of them: the value of its column `words`. It is sealed with the
 * key of its owner when the row is written, which nothing that decides has to know of.
 */
export class Words {
  readonly place: WordsPlace
  readonly text: string
  #stored: { readonly text: string | null; readonly owner: string | null } | undefined

  constructor(place: WordsPlace, text: string) {
    this.place = place
    this.text = text
  }

  /** As it is to be written, with whose key it was sealed; a text of null is not written at all. */
  store(text: string | null, owner: string | null): void {
    this.#stored = { text, owner }
  }

  toJSON(): string | null {
    return this.#read().text
  }

  /** The column `words_for`. */
  get owner(): { toJSON(): string | null } {
    return { toJSON: () => this.#read().owner }
  }

  #read() {
    if (!this.#stored) throw new Error('assertion failed: words are sealed before they are written')
    return this.#stored
  }
}

/** The columns of a row with words; without them both are empty. */
export function wordsColumns(words: Words | undefined): {
  readonly words: unknown
  readonly words_for: unknown
} {
  return { words: words ?? null, words_for: words?.owner ?? null }
}
