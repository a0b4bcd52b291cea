import { type UmaExchange, type UmaNetwork, Unanswered } from '../../ports/uma.ts'
import { type FaultsOfCalls, hitsOfCall } from './calls.ts'
import type { FaultKind } from './fault.ts'
import { overlaid } from './overlay.ts'

const awayKinds: ReadonlySet<FaultKind> = new Set(['REFUSED', 'OUTAGE', 'PARTIAL_OUTAGE'])

/** Other institutions of the UMA network as the faults of a book make them appear. A lookup changes nothing that could be lost. */
export function faultyUma(uma: UmaNetwork, faults: FaultsOfCalls): UmaNetwork {
  return overlaid(uma, {
    exchange:
      (exchange) =>
      async <T>(context: UmaExchange, ask: () => Promise<T>): Promise<T | Unanswered> => {
        const conduct = () => (exchange ? exchange(context, ask) : ask())
        if (!(await faults.inForce(context.scope))) return conduct()
        const isLookup = context.kind === 'LOOKUP'
        const hits = await hitsOfCall(faults, context, 'UMA', (kind) => !isLookup || kind !== 'LOST_ANSWER')
        const hitOf = (kind: FaultKind) => hits.find(({ fault }) => fault.kind === kind)
        if (hits.some(({ fault }) => awayKinds.has(fault.kind))) return new Unanswered()
        if (hitOf('RATE_LIMITED')) return new Unanswered(429)
        const error = hitOf('ERROR')
        if (error) return new Unanswered(error.fault.params.status ?? 500)
        const answer = await conduct()
        return hitOf('LOST_ANSWER') ? new Unanswered() : answer
      },
  })
}
