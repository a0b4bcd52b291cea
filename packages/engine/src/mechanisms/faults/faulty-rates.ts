import { parseRate } from '@corridor/kernel'
import type { RateSource, RateTable } from '../../ports/adapters.ts'
import { SimulatedFailure } from '../../ports/simulated-failure.ts'
import { type FaultsOfCalls, hitsOfCall } from './calls.ts'
import type { FaultKind } from './fault.ts'
import { overlaid } from './overlay.ts'

const outages: ReadonlySet<FaultKind> = new Set([
  'REFUSED',
  'ERROR',
  'RATE_LIMITED',
  'OUTAGE',
  'SILENCE',
  'PARTIAL_OUTAGE',
])

/** A source of rates as the faults of a book make it appear to one quote. Reads for anything else are not affected. */
export function faultyRates(rates: RateSource, faults: FaultsOfCalls): RateSource {
  return overlaid(rates, {
    snapshot: (snapshot) => async (now, context) => {
      if (!context || !(await faults.inForce(context.scope))) return snapshot(now, context)
      const hits = await hitsOfCall(faults, context, 'RATES', (kind) => kind !== 'RATE_UNAVAILABLE')
      const outage = hits.find(({ fault }) => outages.has(fault.kind))
      if (outage) throw new SimulatedFailure(`${outage.fault.kind} on purpose: ${outage.fault.id}`)
      const shocks = hits.flatMap(({ fault: { params } }) => (params.bps === undefined ? [] : [params.bps]))
      return shocks.reduce(shocked, await snapshot(now, context))
    },
    isToBeHad: (isToBeHad) => async (quoteId, now, context) => {
      if (context && (await faults.inForce(context.scope))) {
        const hits = await hitsOfCall(faults, context, 'RATES', (kind) => kind === 'RATE_UNAVAILABLE')
        if (hits.length > 0) return false
      }
      return (await isToBeHad?.(quoteId, now, context)) ?? true
    },
  })
}

/** The same table with that much more, or less, of every other currency for a US dollar. Exact: the texts are fractions. */
function shocked({ updatedAt, perUsd }: RateTable, bps: number): RateTable {
  const moved = Object.entries(perUsd).map(([code, text]) => [
    code,
    code === 'USD' ? text : times(text, BigInt(10_000 + bps), 10_000n),
  ])
  return { updatedAt, perUsd: Object.fromEntries(moved) as RateTable['perUsd'] }
}

function times(text: string, numerator: bigint, denominator: bigint): string {
  const rate = parseRate(text)
  return `${rate.numerator * numerator}/${rate.denominator * denominator}`
}
