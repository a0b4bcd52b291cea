import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Done, type Outcome } from './done.tsx'
import { isProposed, type Proposal, type ReviewTerms, useOperator } from './operator-api.ts'
import { amountOfReview } from './review-terms.tsx'
import { Who } from './who.tsx'

export const placeOf = (verificationId: string) => `reviews/${encodeURIComponent(verificationId)}`

const words: Readonly<Record<string, string>> = {
  operatorApproveReview: t('Approve'),
  operatorRejectReview: t('Reject'),
}

interface DecideProps {
  /** Of the verification. */
  readonly id: string
  readonly terms: ReviewTerms
}

/** A decision, or where it takes two people what one of them has proposed. */
export function Decide({ id, terms }: DecideProps) {
  const { post } = useOperator()
  const [text, setText] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const written = text.trim()
  const amount = amountOfReview(terms)
  const tell = (answer: unknown) => setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')
  return (
    <Part title={t('Decide')}>
      {terms.needsSecondPerson && <Proposed id={id} amount={amount} />}
      <div className="fields wide-fields">
        <label>
          <span>{t('Note, or reason for a rejection; only operators see it')}</span>
          <input name="note" value={text} maxLength={500} onChange={(event) => setText(event.target.value)} />
        </label>
        <Act
          isMain
          hasOwnReason
          confirm={terms.amount ? t('Approve for good, {amount}', { amount }) : t('Approve for good')}
          run={() => post(`${placeOf(id)}/approve`, written ? { note: written } : undefined)}
          then={tell}
        >
          {t('Approve')}
        </Act>
        <Act
          hasOwnReason
          confirm={t('Reject for good')}
          isDisabled={written === ''}
          run={() => post(`${placeOf(id)}/reject`, { reason: written })}
          then={tell}
        >
          {t('Reject')}
        </Act>
      </div>
      <Done outcome={outcome} />
    </Part>
  )
}

/** What others have proposed about it: whoever reads the case decides here. */
function Proposed({ id, amount }: { readonly id: string; readonly amount: string }) {
  const { page, post, id: own } = useOperator()
  const proposals = useQuery({
    queryKey: ['operator', 'proposals-of-review', id],
    queryFn: () => page<Proposal>('proposals'),
    refetchInterval: 15_000,
  })
  const open = (proposals.data?.data ?? []).filter(
    ({ status, params }) => status === 'OPEN' && params.verificationId === id,
  )
  return (
    <>
      <p className="muted">
        {t('{amount}: a second person has to approve the decision within a day.', { amount })}
      </p>
      {open.length > 0 && (
        <ul className="steps">
          {open.map((proposal) => {
            const decision = words[proposal.operation] ?? proposal.operation
            const why = proposal.body?.note ?? proposal.body?.reason
            const place = `proposals/${encodeURIComponent(proposal.id)}`
            const isOwn = proposal.proposedBy === own
            return (
              <li key={proposal.id}>
                <span>
                  {rich('<strong>{decision}</strong> is proposed by <who></who> until <until></until>', {
                    decision,
                    strong: (chunks) => <strong key="what">{chunks}</strong>,
                    who: () => <Who key="who" id={proposal.proposedBy} />,
                    until: () => <Moment key="until" at={proposal.expiresAt} short />,
                  })}
                  {typeof why === 'string' && `: ${why}`}
                </span>
                <span className="acts">
                  {!isOwn && (
                    <Act
                      isMain
                      confirm={t('Agree for good: {decision}, {amount}', { decision, amount })}
                      run={() => post(`${place}/approve`)}
                    >
                      {t('Agree')}
                    </Act>
                  )}
                  <Act
                    confirm={isOwn ? t('Take it back') : t('Refuse it')}
                    run={() => post(`${place}/refuse`)}
                  >
                    {isOwn ? t('Take back') : t('Refuse')}
                  </Act>
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
