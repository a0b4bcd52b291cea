import { TimeoutError } from './errors.ts'
import type { Answer } from './operation-types.ts'
import type { Runtime } from './runtime.ts'

export type Transaction = Answer<'getTransactionById'>

/** From which nothing follows by itself. A bank may still return a payment that was completed. */
const terminalStatuses: ReadonlySet<string> = new Set([
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'REFUNDED',
  'EXPIRED',
  'SETTLED',
  'EXCEPTION',
])

export interface WaitOptions {
  /** What to wait for: any end (the default), or one or several statuses. */
  readonly until?: 'terminal' | Transaction['status'] | readonly Transaction['status'][]
  /** Default: a minute. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

const firstPauseMs = 100
const longestPauseMs = 2_000

/**
 * Reads until the transaction is in a status that was asked for, or in one from which it gets there no more. Fails with
 * TimeoutError. COMPLETED alone does not say that the money arrived: see `waitFor` of `Corridor.transactions`.
 */
export async function waitForTransaction(
  runtime: Runtime,
  read: (signal: AbortSignal | undefined) => Promise<Transaction>,
  { until = 'terminal', timeoutMs = 60_000, signal }: WaitOptions = {},
): Promise<Transaction> {
  const deadline = runtime.now() + timeoutMs
  const wanted = until === 'terminal' ? terminalStatuses : new Set<string>([until].flat())
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const transaction = await read(signal)
    if (wanted.has(transaction.status) || terminalStatuses.has(transaction.status)) return transaction
    const left = deadline - runtime.now()
    if (left <= 0) {
      throw new TimeoutError(`${transaction.id} is still ${transaction.status} after ${timeoutMs} ms`)
    }
    await runtime.sleep(Math.min(pauseMs, left), signal)
    signal?.throwIfAborted()
  }
}
