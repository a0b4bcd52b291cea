import { isSqlError } from './driver.ts'

/** What is known of a transaction that ended with an error. A refusal by the database itself is thrown as it is. */
export interface Fate {
  /** Whether work was begun on a connection. */
  isBegun: boolean
  /** Whether the commit was asked for. */
  isCommitAsked: boolean
  /** Whether an answer was lost, and with it what became of the connection's work. */
  isLost: boolean
  /** Resolves once nothing that was asked of the connection can happen any more. */
  isOver: () => Promise<void>
}

/** Nothing was written, for certain: the connection was lost before the commit was asked for. */
export class NotCommitted extends Error {
  override readonly name = 'NotCommitted'
  constructor(cause: unknown) {
    super('the database was lost before the commit', { cause })
  }
}

/** The connection was lost around the commit: it may have happened, may not have, or may happen yet. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
  /** From then on what stands in the tables is what became of it. */
  readonly isOver: () => Promise<void>
  constructor(cause: unknown, isOver: () => Promise<void>) {
    super('the answer to the commit was lost', { cause })
    this.isOver = isOver
  }
}

export function judge(error: unknown, fate: Fate): unknown {
  if (fate.isBegun && !fate.isLost) return error
  return fate.isCommitAsked ? new OutcomeUnknown(error, fate.isOver) : new NotCommitted(error)
}

/**
 * Whether an error is an answer of the database that leaves the transaction rolled back. What a session says when
 * it is ended (57), what comes of its disk (58) and its insides (XX), and what says itself that it does not know
 * (40003) may be said after the commit as well.
 */
export function isRefusal(error: unknown): boolean {
  if (!isState(error)) return false
  return error.code !== '40003' && !['08', '57', '58', 'XX'].includes(error.code.slice(0, 2))
}

/**
 * Whether an error concerns a whole batch, and not one decision in it that the others are better off without. Of
 * the errors of the database, those about one are cardinality, data, constraints, rules of access and syntax,
 * check options, limits of a row, and what our own functions raise; not transactions in each other's way, nor
 * what the server lacks.
 */
export function isForAll(error: unknown): boolean {
  if (error instanceof OutcomeUnknown || error instanceof NotCommitted) return true
  return isState(error) && !dataClasses.has(error.code.slice(0, 2))
}

const dataClasses: ReadonlySet<string> = new Set(['21', '22', '23', '42', '44', '54', 'CR', 'P0'])

/** Errors of sockets have codes too, and `EPIPE` has five letters. */
function isState(error: unknown): error is Error & { readonly code: string } {
  return isSqlError(error) && /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error
}
