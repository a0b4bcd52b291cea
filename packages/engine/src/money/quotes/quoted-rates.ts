import type { FaultSubject } from '../../mechanisms/faults/fault.ts'
import type { Faults } from '../../mechanisms/faults/faults.ts'
import { faultyRates } from '../../mechanisms/faults/faulty-rates.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { RateSource } from '../../ports/adapters.ts'
import { type RateSnapshot, toSnapshot } from '../../reference/rates/index.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Quote } from './quote.ts'

/** The rates of this moment, as exact ratios; for a quote as the faults of a sandbox book have them, where there are any. */
export async function loadSnapshot(
  engine: Engine,
  scope: Scope,
  quote?: FaultSubject,
  faults: Met = engine.faults,
): Promise<RateSnapshot> {
  const { rates } = engine.adapters[scope.environment]
  const source = quote ? await ratesFor(engine, scope, quote, faults) : rates
  return toSnapshot(await source.snapshot(scope.now))
}

/** The faults of a sandbox, or what one request has met of them. */
type Met = Pick<Faults, 'hit' | 'inForce'>

async function ratesFor(
  { adapters }: Engine,
  scope: Scope,
  quote: FaultSubject,
  faults: Met,
): Promise<RateSource> {
  const { rates } = adapters[scope.environment]
  return (await faults.inForce(scope)) ? faultyRates(rates, faults, scope, quote) : rates
}

/** Whether the rate that a quote was made at is no longer to be had. */
export async function isRateGone(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  faults: Met = engine.faults,
): Promise<boolean> {
  const { id, ownerId, sendingMinor: amount, options } = quote
  const subject = {
    id,
    customerIds: [ownerId],
    accountIds: [options.funding, options.delivery].flatMap((side) =>
      'accountId' in side ? [side.accountId] : [],
    ),
    amount,
  }
  const rates = await ratesFor(engine, scope, subject, faults)
  return rates.isToBeHad ? !(await rates.isToBeHad(id, scope.now)) : false
}
