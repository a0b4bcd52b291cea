import { parseRate } from '@corridor/kernel'
import type { RateSource, RateTable } from '../../ports/adapters.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { FaultKind, FaultSubject } from './fault.ts'
import type { Faults } from './faults.ts'

const outages: ReadonlySet<FaultKind> = new Set([
  'REFUSED',
  'ERROR',
  'RATE_LIMITED',
  'OUTAGE',
  'SILENCE',
  'PARTIAL_OUTAGE',
])

/** Nothing that anybody would have to look after. */
export class FailedOnPurpose extends Error {}

/** A source of rates as the faults of a book make it appear to one quote. */
export function faultyRates(
  rates: RateSource,
  faults: Pick<Faults, 'hit'>,
  book: Book,
  quote: FaultSubject,
): RateSource {
  return {
    async snapshot(now) {
      const hits = await faults.hit(book, 'RATES', quote, (kind) => kind !== 'RATE_UNAVAILABLE')
      const outage = hits.find(({ fault }) => outages.has(fault.kind))
      if (outage) throw new FailedOnPurpose(`${outage.fault.kind} on purpose: ${outage.fault.id}`)
      const shocks = hits.flatMap(({ fault: { params } }) => (params.bps === undefined ? [] : [params.bps]))
      return shocks.reduce(shocked, await rates.snapshot(now))
    },
    async isToBeHad(quoteId, now) {
      const hits = await faults.hit(book, 'RATES', quote, (kind) => kind === 'RATE_UNAVAILABLE')
      if (hits.length > 0) return false
      return (await rates.isToBeHad?.(quoteId, now)) ?? true
    },
  }
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
