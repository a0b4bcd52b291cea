/**
 * Asserts what only a bug of ours can break. A user's mistake is a Failure, never an assertion.
 * A stopped payment beats a wrong one.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}

/** Closes a switch over a union: a new member stops compiling here until it is handled. */
export function assertNever(value: never): never {
  throw new Error(`assertion failed: unexpected value ${String(value)}`)
}
