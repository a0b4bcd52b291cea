import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { pauseReasons } from '../../parts/explanation/words.ts'
import { Moment, shortOf } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { MomentOf } from './book-time.tsx'
import { Done, type Outcome } from './done.tsx'
import { useNames } from './names.ts'
import {
  type HeldPayment,
  isProposed,
  type PayoutPause,
  type Proposal,
  placeOfBook,
  type RailPause,
  useOperator,
} from './operator-api.ts'
import { useRails } from './rails.ts'
import { Who } from './who.tsx'

const whyOf = (code: string): string => (pauseReasons as Readonly<Record<string, string>>)[code] ?? code

/** What a pause is about, in words. */
export function useTarget(): (pause: RailPause) => string {
  const nameOf = useNames()
  return ({ rail, platformId }) => {
    const platform = platformId === undefined ? t('all platforms') : nameOf({ platformId })
    return rail === undefined
      ? t('all rails of {platform}', { platform })
      : t('{rail}, of {platform}', { rail, platform })
  }
}

/** By whom, since when and why, in one line. */
export function PauseLine({ pause }: { readonly pause: RailPause }) {
  const targetOf = useTarget()
  const { pausedBy, pausedAt, reasonCode } = pause
  return (
    <p>
      {rich('{target}: by <who></who> since <at></at>, {why}', {
        target: targetOf(pause),
        who: () => <Who key="who" id={pausedBy} />,
        at: () => <Moment key="at" at={pausedAt} short />,
        why: whyOf(reasonCode),
      })}
    </p>
  )
}

/** Those in force with what waits because of each, and those that were lifted: whole sentences, so in no table that cuts them. */
export function Pauses() {
  const { page } = useOperator()
  const [outcome, setOutcome] = useState<Outcome>()
  const pauses = useInfiniteQuery({
    queryKey: ['operator', 'pauses'],
    queryFn: ({ pageParam }) => page<PayoutPause>('pauses', pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : undefined),
  })
  const proposals = useQuery({
    queryKey: ['operator', 'proposed-lifts'],
    queryFn: () => page<Proposal>('proposals'),
    refetchInterval: 15_000,
    retry: false,
  })
  const proposed = new Set(
    (proposals.data?.data ?? [])
      .filter(({ status, operation }) => status === 'OPEN' && operation === 'operatorLiftPause')
      .map(({ params }) => params.pauseId),
  )
  const known = pauses.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Part title={t('Pauses')}>
      <Done outcome={outcome} />
      {pauses.isPending && <Loading />}
      {pauses.isError && <Trouble error={pauses.error} onRetry={() => void pauses.refetch()} />}
      {pauses.data && known.length === 0 && <Nothing title={t('No pauses yet.')} />}
      <section aria-label={t('Pauses')}>
        <ul className="steps">
          {known.map((pause) => (
            <li key={pause.id}>
              <OnePause pause={pause} isLiftProposed={proposed.has(pause.id)} onLift={setOutcome} />
            </li>
          ))}
        </ul>
      </section>
      {pauses.hasNextPage && (
        <button
          type="button"
          disabled={pauses.isFetchingNextPage}
          onClick={() => void pauses.fetchNextPage()}
        >
          {t('Show earlier')}
        </button>
      )}
    </Part>
  )
}

interface OnePauseProps {
  readonly pause: PayoutPause
  /** Somebody wants it lifted, and waits for another to agree. */
  readonly isLiftProposed: boolean
  readonly onLift: (outcome: Outcome) => void
}

function OnePause({ pause, isLiftProposed, onLift }: OnePauseProps) {
  const { post } = useOperator()
  const target = useTarget()(pause)
  const { id, environment, status, held, pausedBy, pausedAt, liftedBy, liftedAt, reasonCode } = pause
  const said = [pause.reason, pause.liftReason].filter(Boolean).join(' → ')
  const parts = {
    held,
    who: () => <Who key="who" id={pausedBy} />,
    at: () => <Moment key="at" at={pausedAt} short />,
    lifter: () => <Who key="lifter" id={liftedBy} />,
    end: () => <Moment key="end" at={liftedAt} short />,
  }
  return (
    <>
      <span>
        <Status status={status} /> <strong>{`${target} ${environment}`}</strong>
      </span>
      <span>{`${whyOf(reasonCode)}: ${said}`}</span>
      <span className="muted">
        {status === 'LIFTED'
          ? rich('By <who></who>, <at></at>; lifted by <lifter></lifter>, <end></end>', parts)
          : rich(
              'By <who></who>, <at></at>; {held, plural, =0 {no new payment waits, and payments already handed over continue} one {# payment waits because of it} other {# payments wait because of it}}',
              parts,
            )}
      </span>
      {held > 0 && <Held pauseId={id} count={held} />}
      {status === 'IN_FORCE' && (
        <span className="acts">
          {isLiftProposed && <Go to="staff">{t('Lifting is proposed: approve or reject')}</Go>}
          <Act
            isDisabled={isLiftProposed}
            asksWhy
            of={pause}
            confirm={t('Lift the pause of {target} in {environment}', { target, environment })}
            run={(why) =>
              post<unknown>(`pauses/${encodeURIComponent(id)}/lift`, why === '' ? undefined : { reason: why })
            }
            then={(answer) => onLift(isProposed(answer) ? 'PROPOSED' : 'DONE')}
          >
            {t('Lift…')}
          </Act>
        </span>
      )}
    </>
  )
}

/** The payments themselves, once somebody asks: those that have waited longest first, each a link into its platform. */
function Held({ pauseId, count }: { readonly pauseId: string; readonly count: number }) {
  const { page } = useOperator()
  const nameOf = useNames()
  const [isOpen, setOpen] = useState(false)
  const payments = useInfiniteQuery({
    queryKey: ['operator', 'held', pauseId],
    queryFn: ({ pageParam }) =>
      page<HeldPayment>(`pauses/${encodeURIComponent(pauseId)}/payments`, pageParam, { limit: 20 }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : undefined),
    enabled: isOpen,
  })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('{count, plural, one {The payment} other {The # payments}}', { count })}</summary>
      {isOpen && payments.isPending && <Loading />}
      {payments.isError && <Trouble error={payments.error} onRetry={() => void payments.refetch()} />}
      <ul className="plain" aria-label={t('Payments that wait')}>
        {payments.data?.pages
          .flatMap(({ data }) => data)
          .map((payment) => (
            <li key={payment.id}>
              <Go
                className="id"
                title={payment.id}
                to={`${placeOfBook(payment)}/payments/${encodeURIComponent(payment.id)}`}
              >
                {shortOf(payment.id)}
              </Go>{' '}
              <span className="muted">
                {rich('{name}, {rail}, since <at></at>', {
                  name: `${nameOf(payment)} ${payment.environment}`,
                  rail: payment.rail,
                  at: () => <MomentOf key="at" book={payment} at={payment.heldAt} />,
                })}
              </span>
            </li>
          ))}
      </ul>
      {payments.hasNextPage && (
        <button
          type="button"
          disabled={payments.isFetchingNextPage}
          onClick={() => void payments.fetchNextPage()}
        >
          {t('More of them')}
        </button>
      )}
    </details>
  )
}

/** Those in force, also of platforms of which nothing is under way; whose role is too low for those sees the rails' alone. */
export function usePausesInForce(): readonly RailPause[] {
  const { page } = useOperator()
  const rails = useRails()
  const listed = useQuery({
    queryKey: ['operator', 'pauses-in-force'],
    queryFn: () => page<PayoutPause>('pauses', undefined, { status: 'IN_FORCE' }),
    refetchInterval: 15_000,
    retry: false,
  })
  const all = [...(rails.data?.data ?? []).flatMap((rail) => rail.pauses), ...(listed.data?.data ?? [])]
  return [...new Map(all.map((pause) => [pause.id, pause])).values()]
}

/** On the overview: what is held back at this moment, or nothing. */
export function PausesInForce() {
  const rails = useRails()
  const pauses = usePausesInForce()
  if (pauses.length === 0) return null
  const held = (rails.data?.data ?? []).reduce((sum, rail) => sum + rail.held, 0)
  return (
    <Part title={t('Paused payouts')}>
      <ul className="steps">
        {pauses.map((pause) => (
          <li key={pause.id}>
            <PauseLine pause={pause} />
          </li>
        ))}
      </ul>
      <p>
        <Go to="rails">
          {t(
            '{held, plural, =0 {No new payment waits; payments already handed over continue.} one {# payment waits because of it.} other {# payments wait because of it.}}',
            {
              held,
            },
          )}
        </Go>
      </p>
    </Part>
  )
}
