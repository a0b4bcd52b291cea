import type { Item } from '@corridor/sdk/index.ts'
import { Go, useView } from '../../app/places.tsx'
import { type Session, useSession } from '../../app/session.tsx'
import { CorridorLine } from '../../parts/corridor-line.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Export } from '../../parts/export.tsx'
import { amountOf, Id, Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { PaymentStatus } from '../../parts/status.tsx'
import { failures, shortFailures, words } from '../../words.ts'
import { exportHead, exportOf, partyOf } from './payment-cells.ts'

export type Payment = Item<'listTransactions'>

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: 'Status',
    options: [
      'CREATED',
      'PENDING',
      'PENDING_AUTHORIZATION',
      'PROCESSING',
      'COMPLETED',
      'REJECTED',
      'FAILED',
      'REFUNDED',
      'EXPIRED',
      'AUTHORIZED',
      'PARTIALLY_SETTLED',
      'SETTLED',
      'EXCEPTION',
    ],
  },
  { name: 'type', label: 'Type', options: ['INCOMING', 'OUTGOING', 'CARD'] },
  { name: 'customerId', label: 'Customer id' },
  { name: 'accountIdentifier', label: 'Account id or UMA address' },
  { name: 'reference', label: 'Reference' },
  { name: 'startDate', label: 'From (ISO time)' },
  { name: 'endDate', label: 'Until (ISO time)' },
]

export const paymentColumns: readonly Column<Payment>[] = [
  { title: 'Created', width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
  { title: 'Flow', width: 'flow', isWide: true, cell: ({ status }) => <CorridorLine status={status} /> },
  { title: 'Sent', isAmount: true, width: 'digits', cell: (payment) => amountOf(sentOf(payment)) },
  {
    title: 'Received',
    isAmount: true,
    width: 'digits',
    isWide: true,
    cell: (payment) => amountOf(receivedOf(payment)),
  },
  { title: 'Type', isWide: true, width: 'flow', cell: ({ type }) => type },
  {
    title: 'Customer',
    isWide: true,
    width: 'flow',
    cell: ({ customerId }) => <Id id={customerId} short="end" />,
  },
  {
    title: 'To',
    isWide: true,
    width: 'flow',
    cell: (payment) => (
      <Id id={partyOf(payment.type === 'CARD' ? undefined : payment.destination)} short="end" />
    ),
  },
  { title: 'Status', cell: (payment) => <StatusAndWhy of={payment} /> },
]

/** What a payment is, and in a few words why, with the sentence under the pointer. */
function StatusAndWhy({ of }: { readonly of: Payment }) {
  const reason = of.type === 'CARD' ? undefined : of.failureReason
  return (
    <>
      <PaymentStatus status={of.status} refund={of.type === 'CARD' ? undefined : of.refund} />
      {reason && (
        <span className="muted why" title={failures[reason]}>
          {' '}
          {shortFailures[reason] ?? reason}
        </span>
      )}
    </>
  )
}

export function sentOf(payment: Payment) {
  return payment.type === 'CARD' ? payment.authorizedAmount : payment.sentAmount
}

export function receivedOf(payment: Payment) {
  return payment.type === 'CARD' ? payment.settledAmount : payment.receivedAmount
}

export function PaymentsPage() {
  const { corridor, platform, environment } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  return (
    <>
      <PageHead title={words.pages.payments}>
        <Export<Payment>
          name={`payments-${platform}-${environment}`}
          read={(cursor) => listPayments(corridor, query, 100, cursor)}
          head={exportHead}
          cells={exportOf}
        />
        <Go className="main" to="quotes/new">
          {words.pages.newQuote}
        </Go>
      </PageHead>
      <SavedViews of={filters} page="payments" />
      <Filters of={filters} />
      <Rows<Payment>
        label="Payments"
        list={['payments', query]}
        read={(cursor) => listPayments(corridor, query, 100, cursor)}
        columns={paymentColumns}
        keyOf={({ id }) => id}
        to={({ id }) => `payments/${encodeURIComponent(id)}`}
        news={{
          kind: 'Transaction',
          text: 'There are new payments.',
          newest: async () => (await listPayments(corridor, query, 1)).data[0]?.id ?? null,
        }}
        empty={
          <Empty
            title="No payments yet."
            filters={filters}
            find={(others) => listPayments(corridor, others, 1)}
            cli="corridor pay"
          >
            <Go className="main" to="quotes/new">
              Make the first payment
            </Go>
          </Empty>
        }
      />
    </>
  )
}

export function listPayments(
  corridor: Session['corridor'],
  query: Readonly<Record<string, string>>,
  limit: number,
  cursor?: string,
) {
  return corridor.transactions.list({ ...query, limit, ...(cursor ? { cursor } : {}) } as never)
}
