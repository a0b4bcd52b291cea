import { isSqlError } from './driver.ts'

/** `AWAY`: it does not answer. `BUSY`: too many wait for it already. `COPIED`: it is set apart on purpose, for a moment. */
export type Unavailability = 'AWAY' | 'BUSY' | 'COPIED'

/**
 * The database cannot be asked now. Says nothing about what was asked before: a commit whose answer was lost
 * may have happened, and a refusal because of `BUSY` or `COPIED` never has.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
  readonly reason: Unavailability
  constructor(reason: Unavailability, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
  }
}

/**
 * What passes by itself or is the operator's to put right, by class of SQLSTATE: lost connections, refused
 * logins, a database that is not there, no more room for connections, memory or files, stopping and starting,
 * trouble of its own disk.
 */
const troubleClasses: ReadonlySet<string> = new Set(['08', '28', '3D', '53', '58'])
const troubles: ReadonlySet<string> = new Set([
  // Still in each other's way after every repetition.
  '40001',
  '40P01',
  // Somebody holds a lock for too long.
  '55P03',
  // Took longer than a statement may, or was stopped.
  '57014',
  '57P01',
  '57P02',
  '57P03',
  // A transaction that nobody went on with.
  '25P03',
  // After a failover: this server only answers questions now.
  '25006',
])

/** Whether an error means that the caller may well succeed later: 503, and no fault of ours. */
export function isUnavailable(error: unknown): boolean {
  for (let depth = 0; error instanceof Error && depth < 4; depth++, error = error.cause) {
    if (error instanceof DatabaseUnavailable) return true
    if (!isSqlError(error)) continue
    if (troubles.has(error.code)) return true
    if (sqlState.test(error.code) && troubleClasses.has(error.code.slice(0, 2))) return true
  }
  return false
}

/** Every SQLSTATE has a digit. EPIPE, which is none, has five capital letters too. */
const sqlState = /^(?=.*\d)[0-9A-Z]{5}$/

/** Whether it is not asked because it is being copied: nothing is wrong, and whoever looks again later misses nothing. */
export function isBeingCopied(error: unknown): boolean {
  for (let depth = 0; error instanceof Error && depth < 4; depth++, error = error.cause) {
    if (error instanceof DatabaseUnavailable && error.reason === 'COPIED') return true
  }
  return false
}

/** Whether an error came from the server itself, in its words: the connection is sound, and so is the answer. */
export function isAnswer(error: unknown): boolean {
  // The 57P states are what a session says last.
  return isSqlError(error) && sqlState.test(error.code) && !error.code.startsWith('57P')
}
