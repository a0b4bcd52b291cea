import { useQuery } from '@tanstack/react-query'
import { useEveryMs } from '../../app/live/live.tsx'
import { usePageId } from '../../app/page-id.ts'
import { Go, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { CopyAs } from '../../parts/copy.tsx'
import { CorridorLine } from '../../parts/corridor-line.tsx'
import { type Currency, ExplanationBlocks, Waiting } from '../../parts/explanation/explanation.tsx'
import { type Explanation, useExplanation } from '../../parts/explanation/use-explanation.ts'
import { Facts, Id, Moment, textOf } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { readable, Status } from '../../parts/status.tsx'
import { PaymentActs } from '../operator/acts.tsx'
import type { Payment } from '../payments/payments-page.tsx'
import { Elsewhere } from './elsewhere.tsx'
import { FlowGraph } from './flow-graph.tsx'
import { storyOf } from './story.ts'

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
        <Trouble error={payment.error} missing={id} onRetry={() => void payment.refetch()} />
        <Elsewhere id={id} />
      </>
    )
  const { data } = payment
  const story = storyOf(data)
  return (
    <>
      <PageHead title={titleOf(data)}>
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
        <Go to="payments">Payments</Go> / <span className="id">{id}</span>
      </p>
      {payment.isError && <Trouble error={payment.error} />}
      <div className={`story ${story.tone}`}>
        <p>
          <CorridorLine status={data.status} /> <strong>{story.text}</strong>
        </p>
        {data.type !== 'CARD' && data.failureReason && (
          <p className="muted">
            <code>failureReason {data.failureReason}</code>
          </p>
        )}
        <Waiting of={explanation.data} />
      </div>
      {data.type === 'CARD' ? (
        <Events id={id} since={data.createdAt} />
      ) : (
        <ExplanationBlocks
          of={explanation}
          currencies={currenciesOf(data)}
          first={(told) => <FlowGraph of={told} currencies={currenciesOf(data)} />}
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
      <Part title="Facts">
        <Facts
          of={[
            ['Status', <Status key="s" status={data.status} />],
            ['Customer', <Id key="c" id={data.customerId} />],
            ['Type', data.type],
            ...(data.type === 'CARD' ? [] : factsOf(data)),
            ['Created', <Moment key="at" at={data.createdAt} />],
            ['Changed', <Moment key="to" at={data.updatedAt} />],
          ]}
        />
      </Part>
      <Part title="Raw">
        <button
          type="button"
          aria-expanded={isRaw}
          onClick={() => change({ show: isRaw ? undefined : 'raw' })}
        >
          {isRaw ? 'Hide the answer of the API' : 'Show the answer of the API'}
        </button>
        {isRaw && <pre>{JSON.stringify(data, undefined, 2)}</pre>}
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

function titleOf(payment: Payment): string {
  if (payment.type === 'CARD') return `Card payment ${textOf(payment.authorizedAmount)}`
  const amounts = [payment.sentAmount, payment.receivedAmount].filter((each) => each !== undefined)
  return `${readable(payment.status)} · ${amounts.map(textOf).join(' → ')}`
}

function factsOf(payment: Transfer) {
  const { source, destination } = payment
  return [
    ['From', source && <Party key="f" of={source} />],
    ['To', <Party key="t" of={destination} />],
    ['Quote', payment.quoteId && <Id key="q" id={payment.quoteId} />],
    ['Rail', payment.type === 'OUTGOING' ? payment.paymentRail : undefined],
    ['Description', payment.description],
    ['Refund', payment.refund && `${payment.refund.status} · ${payment.refund.reference}`],
    ['Settled', payment.settledAt && <Moment key="m" at={payment.settledAt} />],
  ] as const
}

function Party({ of }: { readonly of: object }) {
  const { accountId, umaAddress } = of as { accountId?: string; umaAddress?: string }
  if (accountId) return <Id id={accountId} />
  return <span className="id">{umaAddress ?? 'Money that comes in for this payment'}</span>
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
        confirm={`Cancel the payment of ${amount ? textOf(amount) : 'an amount not yet known'}`}
        run={() => corridor.transactions.cancel(id)}
      >
        Cancel
      </Act>
    )
  }
  if (payment.type !== 'INCOMING' || payment.status !== 'PENDING') return null
  return (
    <>
      <Act
        isMain
        confirm={isReal ? `Approve ${textOf(payment.receivedAmount)}` : undefined}
        run={() => corridor.transactions.approve(id)}
      >
        Approve
      </Act>
      <Act confirm={`Reject ${textOf(payment.receivedAmount)}`} run={() => corridor.transactions.reject(id)}>
        Reject
      </Act>
    </>
  )
}

/** What was told of the payment, in the order in which it happened, and whether it was heard. */
function Events({ id, since }: { readonly id: string; readonly since: string }) {
  const { corridor, environment } = useSession()
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
  return (
    <Part title="Timeline">
      {events.isPending && <Loading />}
      {events.isError && <Trouble error={events.error} onRetry={() => void events.refetch()} />}
      {events.data?.length === 0 && (
        <p className="muted">No event tells of it among the next hundred of its time.</p>
      )}
      <ol className="timeline">
        {events.data?.map((event) => (
          <li key={event.id}>
            <Moment at={event.createdAt} />
            <div>
              <Go to={`webhooks/${encodeURIComponent(event.id)}`}>{event.type}</Go>{' '}
              <Status status={event.status} />{' '}
              <span className="muted">
                {event.attempts} {event.attempts === 1 ? 'attempt' : 'attempts'}
                {event.lastStatus ? `, last answered ${event.lastStatus}` : ''}
              </span>{' '}
              {event.status !== 'STORED' && (
                <Act
                  confirm={environment === 'production' ? `Send ${event.type} again` : undefined}
                  run={() => corridor.webhookEvents.resend(event.id)}
                >
                  Resend
                </Act>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Part>
  )
}
