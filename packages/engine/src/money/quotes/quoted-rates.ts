import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { CallContext } from '../../ports/call-context.ts'
import { type RateSnapshot, toSnapshot } from '../../reference/rates/index.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Quote } from './quote.ts'

/** The rates of this moment, as exact ratios; with a context, for the quote that it names. */
export async function loadSnapshot(
  engine: Engine,
  scope: Scope,
  context?: CallContext,
): Promise<RateSnapshot> {
  return toSnapshot(await engine.adapters[scope.environment].rates.snapshot(scope.now, context))
}

/** Whether the rate that a quote was made at is no longer to be had. */
export async function isRateGone(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  command?: object,
): Promise<boolean> {
  const { id, ownerId, sendingMinor: amount, options } = quote
  const { rates } = engine.adapters[scope.environment]
  if (!rates.isToBeHad) return false
  const context = {
    scope,
    id,
    customerIds: [ownerId],
    accountIds: [options.funding, options.delivery].flatMap((side) =>
      'accountId' in side ? [side.accountId] : [],
    ),
    amount,
    ...(command ? { command } : {}),
  }
  return !(await rates.isToBeHad(id, scope.now, context))
}
