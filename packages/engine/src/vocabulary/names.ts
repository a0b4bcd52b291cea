/**
 * Names that features add to the program's own words, each in its `feature.ts`, by merging with these
 * interfaces: a Decision can name no table that nobody has declared. The kernel's `IdKinds` grow likewise.
 */

/** Tables whose rows are updated under a guard: they have `id` and `version`, perhaps `status`. */
export interface GuardedTables {
  /** The outbox, of the mechanism of that name. */
  events: true
}

/** Tables that only get rows, besides those above. */
export interface InsertedTables {
  /** Keys of people, sealed. */
  data_keys: true
}

/** Names, keys and working copies, whose rows are deleted for good. */
export interface DeletedTables {
  data_keys: true
}

/** The members of a list as an interface that the above can extend. */
export type Named<L extends readonly string[]> = { readonly [Name in L[number]]: true }
