import { Corridor, type Item } from '@corridor/sdk/index.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useKeys } from '../../app/keys.ts'
import { Go, useView } from '../../app/places.tsx'
import { type Session, useSession } from '../../app/session.tsx'
import { CorridorLine } from '../../parts/corridor-line.tsx'
import { amountOf, Id, Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { Nothing, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'

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
    ],
  },
  { name: 'type', label: 'Type', options: ['INCOMING', 'OUTGOING'] },
  { name: 'customerId', label: 'Customer id' },
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
  { title: 'Status', cell: ({ status }) => <Status status={status} /> },
]

export function sentOf(payment: Payment) {
  return payment.type === 'CARD' ? payment.authorizedAmount : payment.sentAmount
}

export function receivedOf(payment: Payment) {
  return payment.type === 'CARD' ? payment.settledAmount : payment.receivedAmount
}

export function PaymentsPage() {
  const { corridor } = useSession()
  const [view, change] = useView()
  const query = filtersOf(view, filters)
  const isFiltered = Object.keys(query).length > 0
  return (
    <>
      <PageHead title={words.pages.payments}>
        <Go className="main" to="quotes/new">
          {words.pages.newQuote}
        </Go>
      </PageHead>
      <Filters of={filters} />
      <News query={query} />
      <Rows<Payment>
        label="Payments"
        list={['payments', query]}
        read={(cursor) => listPayments(corridor, query, 100, cursor)}
        columns={paymentColumns}
        keyOf={({ id }) => id}
        to={({ id }) => `payments/${encodeURIComponent(id)}`}
        empty={
          isFiltered ? (
            <Nothing title={words.states.filteredEmpty}>
              <p className="muted">
                {Object.entries(query)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join(' · ')}
              </p>
              <button
                type="button"
                onClick={() => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
              >
                {words.states.dropFilters}
              </button>
            </Nothing>
          ) : (
            <Nothing title="No payments yet.">
              <Go className="main" to="quotes/new">
                Make the first payment
              </Go>
              <code>corridor pay</code>
            </Nothing>
          )
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

/**
 * Looks every five seconds whether the list begins with another payment. New ones wait behind a bar, so that nothing jumps
 * under the pointer; when the server is not reached, the page says so and keeps what it has.
 */
function News({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { corridor } = useSession()
  const queries = useQueryClient()
  const newest = useQuery({
    queryKey: ['newest', query],
    queryFn: async () => (await listPayments(corridor, query, 1)).data[0]?.id ?? null,
    refetchInterval: 5_000,
  })
  const shown = queries.getQueryData<{ pages: { data: Payment[] }[] }>(['list', 'payments', query])
  const first = shown?.pages[0]?.data[0]?.id ?? null
  const isNew = shown !== undefined && newest.data !== undefined && newest.data !== first
  const show = () =>
    void queries.resetQueries({ queryKey: ['list', 'payments', query] }).then(() => newest.refetch())
  useKeys({ '.': show })
  if (newest.isError && newest.data !== undefined) {
    // A refusal is told by the list itself; this is about a server that gives no answer.
    return newest.error instanceof Corridor.Error ? (
      <Trouble error={newest.error} />
    ) : (
      <p className="stale" role="status">
        {words.states.stale(new Date(newest.dataUpdatedAt).toLocaleTimeString('en-GB'))}
      </p>
    )
  }
  if (!isNew) return null
  return (
    <p className="news" role="status">
      There are new payments.{' '}
      <button type="button" onClick={show}>
        Show them (.)
      </button>
    </p>
  )
}
