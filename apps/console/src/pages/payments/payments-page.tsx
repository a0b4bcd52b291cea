import type { Item } from '@corridor/sdk/index.ts'
import { Fragment } from 'react'
import { segmentOf } from '../../app/console-api.ts'
import { Go, placeOf, useView } from '../../app/places.tsx'
import { type Session, useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Beside, besidePage } from '../../parts/beside.tsx'
import type { Column } from '../../parts/columns.tsx'
import { CorridorLine, reachOf } from '../../parts/corridor-line.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Export } from '../../parts/export.tsx'
import { amountOf, Id, Moment, textOf } from '../../parts/facts.tsx'
import { Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { PayeeName } from '../../parts/payee.tsx'
import { Rows } from '../../parts/rows.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { useSelection } from '../../parts/selection.ts'
import { PaymentStatus } from '../../parts/status.tsx'
import { failures, shortFailures, words } from '../../words.ts'
import { Scenarios } from '../sandbox/scenarios.tsx'
import { OpenQuotes } from './open-quotes.tsx'
import { feeOf, isExchange, meantOf, receivedOf, sentOf, stateOf } from './payment-amounts.ts'
import { exportHead, exportOf, partyOf } from './payment-cells.ts'
import { paymentFilters } from './payment-filters.ts'
import { Picked } from './picked.tsx'
import { useStandingViews } from './standing-views.ts'

export type Payment = Item<'listTransactions'>

const customerTitle = t('Customer')

export const paymentColumns: readonly Column<Payment>[] = [
  { title: t('Created'), width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
  {
    title: t('Flow'),
    width: 'flow',
    isWide: true,
    // The word has no room of its own beside two amounts and a reason.
    cell: (payment) => <Line of={payment} />,
  },
  {
    title: t('Sent'),
    isAmount: true,
    width: 'digits',
    text: (payment) => amountOf(meantOf(payment)),
    cell: (payment) => <Sent of={payment} />,
  },
  {
    title: t('Received'),
    isAmount: true,
    width: 'digits',
    isWide: true,
    cell: (payment) => amountOf(receivedOf(payment)),
  },
  {
    title: customerTitle,
    isWide: true,
    isExtra: true,
    width: 'end',
    cell: ({ customerId }) => <Id id={customerId} short="end" />,
  },
  {
    title: t('To'),
    isWide: true,
    width: 'party',
    cell: (payment) => <To of={payment} />,
  },
  { title: t('Status'), cell: (payment) => <StatusAndWhy of={payment} /> },
]

/** What was never sent is struck out: it stays known by its amount, and nobody counts it. */
function Sent({ of: payment }: { readonly of: Payment }) {
  const meant = meantOf(payment)
  if (sentOf(payment) || !meant) return amountOf(meant)
  return (
    <s title={t('was to be sent')}>
      {textOf(meant)}
      <span className="hidden"> {t('was to be sent')}</span>
    </s>
  )
}

/** How far it came, and what was taken of it or changed on the way. */
function Line({ of: payment }: { readonly of: Payment }) {
  const { type, status } = payment
  const fee = feeOf(payment)
  return (
    <CorridorLine
      reach={reachOf(status, type === 'CARD' ? undefined : payment.refund)}
      isExchange={isExchange(payment)}
      hasFee={fee !== undefined}
      says={fee ? t('{type}, fee {amount}', { type, amount: textOf(fee) }) : type}
    />
  )
}

/** Of a payee who holds the account, and the end of its number. */
function To({ of: payment }: { readonly of: Payment }) {
  const to = partyOf(payment.type === 'CARD' ? undefined : payment.destination)
  // What comes in comes to an account of the customer whose payment it is.
  if (payment.type === 'INCOMING' && to?.startsWith('InternalAccount:')) {
    return (
      <Go to={placeOf(to)!} title={to}>
        {t('own account')}
      </Go>
    )
  }
  if (!to?.startsWith('ExternalAccount:')) return <Id id={to} short="end" />
  return <PayeeName id={to} customerId={payment.customerId} />
}

/** Where all are of one customer. */
export const paymentColumnsOfOne = paymentColumns.filter(({ title }) => title !== customerTitle)

/** What a payment is, and in a few words why, with the sentence under the pointer. */
function StatusAndWhy({ of }: { readonly of: Payment }) {
  const reason = of.type === 'CARD' ? undefined : of.failureReason
  return (
    <>
      <StatusOf payment={of} />
      {reason && (
        <span className="muted why" title={failures[reason]}>
          {' '}
          {shortFailures[reason] ?? reason}
        </span>
      )}
    </>
  )
}

/** The status of a payment; of a card nothing else is known. */
export function StatusOf({ payment }: { readonly payment: Payment }) {
  if (payment.type === 'CARD') return <PaymentStatus status={payment.status} />
  const { status, refund, expectedBy, isOverdue } = payment
  return (
    <PaymentStatus
      status={stateOf(payment)}
      code={status}
      refund={refund}
      expectedBy={expectedBy}
      isOverdue={isOverdue}
    />
  )
}

/** Pages of the newest are read to say how many have come. */
const mostNews = 100

const PaymentBeside = besidePage(() => import('../payment/payment-page.tsx'), 'PaymentPage')

export function PaymentsPage() {
  const session = useSession()
  const { corridor, platform, environment } = session
  const [view, change] = useView()
  const standing = useStandingViews()
  const filters = filtersOf(view, paymentFilters)
  const isOldestFirst = view.get('sortOrder') === 'asc'
  const query: Readonly<Record<string, string>> = isOldestFirst ? { ...filters, sortOrder: 'asc' } : filters
  const list = ['payments', query]
  const selection = useSelection<Payment>(list)
  const name = `payments-${platform}-${segmentOf(session)}`
  return (
    <Beside of="payments" page={PaymentBeside}>
      <PageHead title={words.pages.payments}>
        <Export<Payment>
          name={name}
          read={(cursor) => listPayments(corridor, query, 100, cursor)}
          head={exportHead}
          cells={exportOf}
        />
        <Go className="main" to="quotes/new">
          {words.pages.newQuote}
        </Go>
      </PageHead>
      <SavedViews of={paymentFilters} page="payments" standing={standing} />
      <Filters of={paymentFilters} />
      <OpenQuotes customerId={filters.customerId} />
      <Picked of={selection} name={`${name}-selected`} />
      <Rows<Payment>
        label={words.pages.payments}
        list={list}
        read={(cursor) => listPayments(corridor, query, 100, cursor)}
        columns={paymentColumns}
        keyOf={({ id }) => id}
        to={({ id }) => `payments/${encodeURIComponent(id)}`}
        unfiltered={Object.keys(filters).length > 0 ? () => listPayments(corridor, {}, 1) : undefined}
        selection={{ of: selection, says: ({ id }) => t('Select {id}', { id }) }}
        order={{
          now: isOldestFirst ? 'asc' : 'desc',
          turn: () => change({ sortOrder: isOldestFirst ? undefined : 'asc' }),
        }}
        // Oldest first, new ones come at the end.
        {...(isOldestFirst ? {} : { news: newsOf(corridor, query) })}
        empty={
          <Empty
            title={t('No payments yet.')}
            filters={paymentFilters}
            find={(others) => listPayments(corridor, others, 1)}
            cli="corridor pay"
          >
            {environment === 'sandbox' && <Scenarios of="arrives" />}
            <Go to="quotes/new">{t('Make the first payment')}</Go>
          </Empty>
        }
      />
      <p className="muted key-hints">
        {t(
          'j k move · enter open · esc close · space select · x export the selection · e explain · . show new · / filter',
        )
          .split(' · ')
          .map((said, index) => (
            <Fragment key={said}>
              {index > 0 && ' · '}
              <span className="unbroken">{said}</span>
            </Fragment>
          ))}
      </p>
    </Beside>
  )
}

function newsOf(corridor: Session['corridor'], query: Readonly<Record<string, string>>) {
  return {
    kind: 'Transaction',
    text: t('There are new payments.'),
    newest: async () => (await listPayments(corridor, query, 1)).data[0]?.id ?? null,
    count: async (first: string) => {
      const { data } = await listPayments(corridor, query, mostNews)
      const rows = data.findIndex(({ id }) => id === first)
      return rows === -1 ? { rows: data.length, isMore: true } : { rows, isMore: false }
    },
    counted: (rows: number, isMore: boolean) =>
      isMore
        ? t('More than {rows} new payments.', { rows })
        : t('{rows, plural, one {One new payment.} other {# new payments.}}', { rows }),
  }
}

export function listPayments(
  corridor: Session['corridor'],
  query: Readonly<Record<string, string>>,
  limit: number,
  cursor?: string,
) {
  return corridor.transactions.list({ ...query, limit, ...(cursor ? { cursor } : {}) } as never)
}
