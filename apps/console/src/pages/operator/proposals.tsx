import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Moment, textOf as textOfAmount } from '../../parts/facts.tsx'
import { joinCommand } from '../../parts/join-command.ts'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import type { Receivable } from '../receivables/receivable-columns.tsx'
import { Done } from './done.tsx'
import { amountOf, type PayoutPause, type Proposal, type SuspenseItem, useOperator } from './operator-api.ts'
import { useTarget } from './pauses.tsx'
import { Who } from './who.tsx'

/** What an operation does, for who agrees to it; one that is not here is called by its own name. */
const deeds: Readonly<Record<string, string>> = {
  operatorLiftPause: t('Lift the pause'),
  operatorAssignSuspense: t('Credit money in suspense to an account'),
  operatorReturnSuspense: t('Return money in suspense'),
  operatorResolveRefund: t('Move the money of a failed refund'),
  operatorCollectReceivable: t('Collect a receivable'),
  operatorWriteOffReceivable: t('Write off a receivable'),
  operatorReleaseInternalAccount: t('Release the account'),
  operatorCreateOperator: t('Give an account'),
  operatorChangeRole: t('Change the role'),
  operatorReplayEvents: t('Send events again'),
  operatorApproveReview: t('Approve the review'),
  operatorRejectReview: t('Reject the review'),
}

/** These have a sentence of their own. */
const reasons: ReadonlySet<string> = new Set(['reason', 'note'])

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What waits for a second person and what did: whole sentences, so that nobody agrees to what is cut. */
export function Proposals() {
  const { page } = useOperator()
  const [answer, setAnswer] = useState<unknown>()
  const proposals = useInfiniteQuery({
    queryKey: ['operator', 'proposals-list'],
    queryFn: ({ pageParam }) => page<Proposal>('proposals', pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : undefined),
  })
  const known = proposals.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <>
      <Done outcome={answer === undefined ? undefined : 'DONE'} />
      {proposals.isPending && <Loading />}
      {proposals.isError && <Trouble error={proposals.error} onRetry={() => void proposals.refetch()} />}
      {proposals.data && known.length === 0 && (
        <Nothing title={t('Nothing is waiting for a second person.')} />
      )}
      <section aria-label={t('Proposals')}>
        <ul className="steps">
          {known.map((proposal) => (
            <li key={proposal.id}>
              <OneProposal proposal={proposal} then={setAnswer} />
            </li>
          ))}
        </ul>
      </section>
      {proposals.hasNextPage && (
        <button
          type="button"
          disabled={proposals.isFetchingNextPage}
          onClick={() => void proposals.fetchNextPage()}
        >
          {t('Show earlier')}
        </button>
      )}
    </>
  )
}

interface OneProposalProps {
  readonly proposal: Proposal
  readonly then: (answer: unknown) => void
}

function OneProposal({ proposal, then }: OneProposalProps) {
  const { post, id: own } = useOperator()
  const subject = useSubject(proposal)
  const { id, operation, body = {}, status, proposedBy, expiresAt } = proposal
  const what = [deeds[operation] ?? operation, subject].filter(Boolean).join(': ')
  const why = textOf(body.reason ?? body.note ?? proposal.reason ?? '')
  const place = `proposals/${encodeURIComponent(id)}`
  const isOwn = proposedBy === own
  return (
    <>
      <span>
        <Status status={status} /> <strong>{what}</strong>
      </span>
      {why !== '' && <span>{why}</span>}
      <span className="muted">
        {rich('By <who></who>, until <until></until>', {
          who: () => <Who key="who" id={proposedBy} />,
          until: () => <Moment key="until" at={expiresAt} short />,
        })}
      </span>
      {status === 'OPEN' && (
        <span className="acts">
          {!isOwn && (
            <Act
              isMain
              asksWhy
              {...(own === 'operator'
                ? { lacks: t('Sign in with your own operator account to approve.') }
                : {})}
              confirm={t('Approve: {what}', { what })}
              run={() => post(`${place}/approve`)}
              then={then}
            >
              {t('Approve')}
            </Act>
          )}
          <Act
            confirm={isOwn ? t('Take back: {what}', { what }) : t('Refuse: {what}', { what })}
            run={() => post(`${place}/refuse`)}
          >
            {isOwn ? t('Take back') : t('Refuse')}
          </Act>
        </span>
      )}
    </>
  )
}

/** What it is about: a pause and money in suspense in words, anything else by its ids and all that was said. */
function useSubject({ operation, params, body = {} }: Proposal): string {
  const { get } = useOperator()
  const targetOf = useTarget()
  const { pauseId, itemId, transactionId, receivableId } = params
  const pause = useQuery({
    queryKey: ['operator', 'pause', pauseId],
    queryFn: () => get<PayoutPause>(`pauses/${encodeURIComponent(pauseId!)}`),
    enabled: operation === 'operatorLiftPause' && pauseId !== undefined,
    retry: false,
  })
  const money = itemId ?? (operation === 'operatorResolveRefund' ? transactionId : undefined)
  const item = useQuery({
    queryKey: ['operator', 'suspense', money],
    queryFn: () => get<SuspenseItem>(`suspense/${encodeURIComponent(money!)}`),
    enabled: money !== undefined,
    retry: false,
  })
  const owed = useQuery({
    queryKey: ['operator', 'receivable', receivableId],
    queryFn: () => get<Receivable>(`receivables/${encodeURIComponent(receivableId!)}`),
    enabled: receivableId !== undefined,
    retry: false,
  })
  const said = Object.entries(body)
    .filter(([name]) => !reasons.has(name))
    .map(([name, value]) => `${name} ${textOf(value)}`)
  if (pause.data) {
    const { environment, held } = pause.data
    return t(
      '{target}, {environment}; {held, plural, =0 {no new payment waits} one {# payment waits because of it} other {# payments wait because of it}}',
      {
        target: targetOf(pause.data),
        environment,
        held,
      },
    )
  }
  if (item.data) {
    return [amountOf(item.data), item.data.id, ...said].join(', ')
  }
  if (owed.data) return [textOfAmount(owed.data.remainingAmount), owed.data.id, ...said].join(', ')
  return [...Object.values(params), ...said].join(', ')
}

/** Shown once: it makes the key of a new account. */
export function JoinCode({ code }: { readonly code: string }) {
  const command = joinCommand(code)
  return (
    <p className="news" role="status">
      {rich(
        'Join code of the new account: <code></code>. It is shown only once and works once, within three days. The new operator sends:',
        { code: () => <code key="code">{code}</code> },
      )}{' '}
      <code>{command}</code> <Copy name={t('Code')} label={t('Copy')} text={() => command} />
    </p>
  )
}
