import { Id } from '../../parts/facts.tsx'
import { type Arrived, outcomes } from './arrivals.ts'

/** What became of what arrived, each with the payment that it is or belongs to. */
export function ArrivedList({ of }: { readonly of: readonly Arrived[] | undefined }) {
  return (
    <div role="status">
      <ul className="arrived">
        {of?.map(({ outcome, transactionId }, at) => (
          <li
            key={at}
            className={`story ${outcome === 'CREDITED' || outcome === 'FUNDED_QUOTE' ? 'ok' : 'wait'}`}
          >
            {outcomes[outcome]} {transactionId && <Id id={transactionId} short />}
          </li>
        ))}
      </ul>
    </div>
  )
}
