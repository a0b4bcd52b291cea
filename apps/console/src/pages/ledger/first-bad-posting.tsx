import { Go } from '../../app/places.tsx'
import { rich } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'

interface FirstBadPostingProps {
  readonly of: { readonly id: string; readonly at: string } | undefined
  /** The page of a journal. */
  readonly placeOf: (journalId: string) => string
}

/** Within a platform. */
export const placeOfJournal = (journalId: string) => `ledger/journals/${encodeURIComponent(journalId)}`

/** Where what does not add up begins, as far as a posting can be named; its journal says what it moved. */
export function FirstBadPosting({ of, placeOf }: FirstBadPostingProps) {
  if (!of) return null
  const { id, at } = of
  // `Transaction:…/convert/0`: what has another id stands in no journal of a payment.
  const journalId = /^[^/]+\/[^/]+\/\d+$/.test(id) ? id.slice(0, id.lastIndexOf('/')) : undefined
  return (
    <p className="muted">
      {rich('First bad posting: <posting></posting>, <at></at>', {
        posting: () =>
          journalId === undefined ? (
            <code key="posting">{id}</code>
          ) : (
            <Go key="posting" className="id" to={placeOf(journalId)} title={id}>
              {id}
            </Go>
          ),
        at: () => <Moment key="at" at={at} />,
      })}
    </p>
  )
}
