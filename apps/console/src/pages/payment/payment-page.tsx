import { useQuery } from '@tanstack/react-query'
import { useEveryMs } from '../../app/live/live.tsx'
import { usePageId } from '../../app/page-id.ts'
import { Go, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { CopyAs } from '../../parts/copy.tsx'
import { ExplainButton } from '../../parts/explanation/anchor.tsx'
import { type Currency, ExplanationBlocks, Waiting } from '../../parts/explanation/explanation.tsx'
import { ToldOf, toResend } from '../../parts/explanation/told.tsx'
import { type Explanation, useExplanation } from '../../parts/explanation/use-explanation.ts'
import { Facts, Id, Moment, Money, textOf } from '../../parts/facts.tsx'
import { Known } from '../../parts/known.tsx'
import { Owner, Party } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { Overdue, readable } from '../../parts/status.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { statuses, words } from '../../words.ts'
import { PaymentActs } from '../operator/acts.tsx'
import { isCancelled, meantOf, receivedOf, stateOf, wasNeverSent } from '../payments/payment-amounts.ts'
import { type Payment, StatusOf } from '../payments/payments-page.tsx'
import { Elsewhere } from './elsewhere.tsx'
import type { FlowFacts } from './flow.ts'
import { FlowGraph } from './flow-graph.tsx'
import { Parts } from './parts-list.tsx'
import { PaymentLanes, rateOf } from './payment-lanes.tsx'
import { Story, toneOf } from './story.tsx'

const finalStatuses = ['COMPLETED', 'FAILED', 'REJECTED', 'EXPIRED', 'REFUNDED']

export function PaymentPage() {
  const id = usePageId()
  const { corridor } = useSession()
  const [view, change] = useView()
  const every = useEveryMs()
  const payment = useQuery({
    queryKey: ['payment', id],
    queryFn: () => corridor.transactions.get(id),
    refetchInterval: ({ state }) => every(everyMsOf(state.data)),
  })
  const explanation = useExplanation(id, {
    isWanted: payment.data !== undefined && payment.data.type !== 'CARD',
    everyMs: every(everyMsOf(payment.data)),
  })
  const isRaw = view.get('show') === 'raw'
  if (payment.isPending) return <Loading />
  if (!payment.data)
    return (
      <>
        <Unknown id={id} error={payment.error} onRetry={() => void payment.refetch()} />
        <Elsewhere id={id} />
      </>
    )
  const { data } = payment
  return (
    <>
      <PageHead title={titleOf(data)} brief={briefOf(data)}>
        {data.type !== 'CARD' && <ExplainButton />}
        <Acts payment={data} explained={explanation.data} />
        <CopyAs
          path={`/transactions/${id}`}
          sdk={`const transaction = await corridor.transactions.get('${id}')`}
          cli={`corridor transactions get ${id}`}
          body={data}
          {...(data.type === 'CARD'
            ? {}
            : { ticket: () => corridor.text({ method: 'GET', path: `/explain/${id}` }, 'text/markdown') })}
        />
      </PageHead>
      <p className="muted trail">
        <Go to="payments">{words.pages.payments}</Go> / <span className="id">{id}</span>
      </p>
      {payment.isError && <Trouble error={payment.error} />}
      <div className={`story ${toneOf(data)}`}>
        <p>
          <strong>
            <Story of={data} />
          </strong>{' '}
          {data.type !== 'CARD' && data.isOverdue && <Overdue since={data.expectedBy} />}
        </p>
        {data.type !== 'CARD' && <PaymentLanes of={data} />}
        {data.type !== 'CARD' && data.failureReason && (
          <p className="muted">
            <code>{`failureReason ${data.failureReason}`}</code>
          </p>
        )}
        <Waiting of={explanation.data} />
      </div>
      {explanation.data && <Parts of={explanation.data} />}
      {data.type === 'CARD' ? (
        <Events id={id} since={data.createdAt} />
      ) : (
        <ExplanationBlocks
          of={explanation}
          currencies={currenciesOf(data)}
          first={(told) => (
            <FlowGraph of={told} currencies={currenciesOf(data)} refused={refusedOf(data, told)} />
          )}
        />
      )}
      {data.type !== 'CARD' && (
        <PaymentActs
          id={id}
          status={data.status}
          refundStatus={data.refund?.status}
          isUma={data.type === 'OUTGOING' && 'umaAddress' in data.destination}
          amount={textOf(data.sentAmount ?? data.receivedAmount!)}
        />
      )}
      <Part title={t('Facts')} id="facts">
        <Facts
          of={[
            [t('Status'), <StatusOf key="s" payment={data} />],
            [t('Customer'), <Owner key="c" id={data.customerId} />],
            [t('Type'), data.type],
            ...(data.type === 'CARD' ? [] : factsOf(data)),
            [t('Created'), <Moment key="at" at={data.createdAt} />],
            [t('Changed'), <Moment key="to" at={data.updatedAt} />],
          ]}
        />
      </Part>
      <Part title={t('Raw')} id="raw">
        <button
          type="button"
          aria-expanded={isRaw}
          onClick={() => change({ show: isRaw ? undefined : 'raw' })}
        >
          {isRaw ? t('Hide the API response') : t('Show the API response')}
        </button>
        {isRaw && <Known key={data.id} of={data} />}
      </Part>
    </>
  )
}

type Transfer = Extract<Payment, { type: 'INCOMING' | 'OUTGOING' }>

/** What has ended changes seldom. */
function everyMsOf(payment: Payment | undefined): number {
  return payment && finalStatuses.includes(payment.status) ? 10_000 : 2_000
}

function currenciesOf({ sentAmount, receivedAmount }: Transfer): Currency[] {
  return [sentAmount, receivedAmount].flatMap((amount) => (amount ? [amount.currency] : []))
}

/** What it is of and what was received; nothing is named that nobody received. */
function amountsOf(payment: Payment) {
  return [meantOf(payment), receivedOf(payment)].filter((each) => each !== undefined)
}

function titleOf(payment: Payment): string {
  if (payment.type === 'CARD') {
    return t('Card payment {amount}', { amount: textOf(payment.authorizedAmount) })
  }
  const found = amountsOf(payment)
  // Of what was not received the corridor is named all the same.
  if (found.length < 2 && codesOf(payment).length > 1) return briefOf(payment)
  const amounts = found.map(textOf).join(' → ')
  return amounts === '' ? wordOf(payment) : `${wordOf(payment)} · ${amounts}`
}

const codesOf = (payment: Transfer) => [...new Set(currenciesOf(payment).map(({ code }) => code))]

/**
 * `Failed · USD→EUR 1,000.00`: a tab of the browser has room for little, and what it is comes first. Both currencies are those of
 * the payment, whatever became of it; the amount is the one it is of, or one that was received.
 */
function briefOf(payment: Payment): string {
  if (payment.type === 'CARD') return titleOf(payment)
  const codes = codesOf(payment)
  if (codes.length === 0) return wordOf(payment)
  const [first] = amountsOf(payment)
  const digits = first ? textOf(first).slice(0, -first.currency.code.length).trim() : ''
  return `${wordOf(payment)} · ${codes.join('→')} ${digits}`.trim()
}

function wordOf(payment: Payment): string {
  const state = stateOf(payment)
  return statuses[state]?.[1] ?? readable(state)
}

function factsOf(payment: Transfer) {
  const { source, destination } = payment
  return [
    [t('From'), source && <Party key="f" of={source} />],
    [t('To'), <Party key="t" of={destination} />],
    [sentTitle(payment), payment.sentAmount && <Money key="sent" of={payment.sentAmount} />],
    [receivedTitle(payment), payment.receivedAmount && <Money key="received" of={payment.receivedAmount} />],
    [t('Rate, before fees'), rateOf(payment)],
    [t('Quote'), payment.quoteId && <Id key="q" id={payment.quoteId} />],
    [t('Rail'), payment.type === 'OUTGOING' ? payment.paymentRail : undefined],
    [t('Description'), payment.description],
    [
      t('Refund'),
      payment.refund &&
        `${textOf(payment.refund.amount)} · ${payment.refund.status} · ${payment.refund.reference}`,
    ],
    [
      stateOf(payment) === 'COMPLETED' ? t('Settled') : t('Ended'),
      payment.settledAt && <Moment key="m" at={payment.settledAt} />,
    ],
  ] as const
}

/** As its story has it: of what is still on its way, that it is to be sent, and of what never was, that it was to be. */
function sentTitle(payment: Transfer): string {
  if (wasNeverSent(payment)) return t('Amount to send')
  const { status } = payment
  return /^(CREATED|PENDING|PENDING_AUTHORIZATION|PROCESSING)$/.test(status) ? t('To be sent') : t('Sent')
}

/** Of what has not come yet it is said as well as of what never will. */
function receivedTitle(payment: Transfer): string {
  if (!receivedOf(payment)) return t('Expected amount')
  return payment.status === 'COMPLETED' ? t('Received') : t('To be received')
}

/** The rail that had it in hand and did not deliver it: the ledger knows only that it was unwound. */
function refusedOf(payment: Transfer, { journals, timeline }: Explanation): FlowFacts['refused'] {
  if (payment.type !== 'OUTGOING' || !payment.paymentRail || !payment.receivedAmount) return undefined
  const rail = `rail:${payment.paymentRail}:${payment.receivedAmount.currency.code}`
  const isDelivered = journals.some(({ postings }) => postings.some(({ to }) => to === rail))
  const isUnwound = journals.some(({ step }) => step === 'unwind')
  const wasHandedOver = timeline.some(({ kind }) => kind === 'RAIL')
  if (isDelivered || !isUnwound || !wasHandedOver) return undefined
  return {
    rail,
    amount: BigInt(payment.receivedAmount.amount),
    currency: payment.receivedAmount.currency.code,
    said: isCancelled(payment) ? t('cancelled') : t('refused'),
  }
}

interface ActsProps {
  readonly payment: Payment
  readonly explained: Explanation | undefined
}

function Acts({ payment, explained }: ActsProps) {
  const { corridor, environment } = useSession()
  const isReal = environment === 'production'
  if (payment.type === 'CARD') return null
  const { id } = payment
  // It may be over by the time of the second press: the API refuses it then, and says so.
  if (explained?.status.cancellable) {
    const amount = payment.sentAmount ?? payment.receivedAmount
    return (
      <Act
        confirm={
          amount
            ? t('Cancel the payment of {amount}', { amount: textOf(amount) })
            : t('Cancel the payment of an unknown amount')
        }
        run={() => corridor.transactions.cancel(id)}
      >
        {t('Cancel')}
      </Act>
    )
  }
  if (payment.type !== 'INCOMING' || payment.status !== 'PENDING') return null
  return (
    <>
      <Act
        isMain
        confirm={isReal ? t('Approve {amount}', { amount: textOf(payment.receivedAmount) }) : undefined}
        run={() => corridor.transactions.approve(id)}
      >
        {t('Approve')}
      </Act>
      <Act
        confirm={t('Reject {amount}', { amount: textOf(payment.receivedAmount) })}
        run={() => corridor.transactions.reject(id)}
      >
        {t('Reject')}
      </Act>
    </>
  )
}

/** What was told of the payment, in the order in which it happened, and whether it was heard. */
function Events({ id, since }: { readonly id: string; readonly since: string }) {
  const { corridor } = useSession()
  const events = useQuery({
    queryKey: ['events-of', id],
    queryFn: async () => {
      const found = await corridor.webhookEvents.list({
        createdAfter: since,
        limit: 100,
        sortOrder: 'asc',
      } as never)
      return found.data.filter(({ resourceId }) => resourceId === id)
    },
    refetchInterval: 3_000,
  })
  const again = toResend(events.data ?? [])
  return (
    <Part title={t('Timeline')}>
      {events.isPending && <Loading />}
      {events.isError && <Trouble error={events.error} onRetry={() => void events.refetch()} />}
      {events.data?.length === 0 && (
        <p className="muted">{t('None of the next hundred events is about it.')}</p>
      )}
      <ol className="timeline">
        {events.data?.map((event) => (
          <li key={event.id}>
            <Moment at={event.createdAt} />
            <ToldOf of={event} isByKey={event === again} />
          </li>
        ))}
      </ol>
    </Part>
  )
}
