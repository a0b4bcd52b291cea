import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Facts, Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Trouble } from '../../parts/states.tsx'
import { listPayments } from '../payments/payments-page.tsx'

/** Payments whose requests and webhooks are looked for, and the rows of each that are looked through. */
const lookedPayments = 20
const lookedRequests = 100
const shown = 3

/** What a customer did last, and what of it went wrong: requests about them that were refused, webhooks nobody took. */
export function Lately({ customer }: { readonly customer: string }) {
  const { corridor } = useSession()
  const payments = useQuery({
    queryKey: ['lately', customer, 'payments'],
    queryFn: async () => await listPayments(corridor, { customerId: customer }, lookedPayments),
  })
  const ids = payments.data && idsAbout(customer, payments.data.data)
  const requests = useQuery({
    queryKey: ['lately', ids, 'requests'],
    queryFn: async () =>
      (await corridor.requestLog.list({ resourceId: ids!, limit: lookedRequests } as never)).data,
    enabled: ids !== undefined,
  })
  const events = useQuery({
    queryKey: ['lately', ids, 'events'],
    queryFn: async () => {
      const asked = { resourceId: ids!, status: ['FAILED', 'RETRYING'], limit: shown } as never
      const { data, totalCount } = await corridor.webhookEvents.list(asked)
      return { data, count: totalCount ?? data.length }
    },
    enabled: ids !== undefined,
  })
  const failed = requests.data?.filter(({ code }) => code !== null)
  return (
    <Part title={t('Lately')}>
      <Facts
        of={[
          [t('Payments'), told(payments, () => <Payments customer={customer} of={payments.data!} />)],
          [
            t('Rejected requests'),
            told(requests, () => (
              <Listed count={failed!.length} none={t('none')}>
                {failed!.slice(0, shown).map(({ requestId, createdAt, method, path, code }) => (
                  <li key={`${requestId} ${createdAt}`}>
                    <Go to={`requests/${encodeURIComponent(requestId)}`}>
                      {method} {path}
                    </Go>{' '}
                    <code>{code}</code>
                  </li>
                ))}
              </Listed>
            )),
          ],
          [
            t('Webhooks that were not delivered'),
            told(events, () => (
              <Listed count={events.data!.count} none={t('none')}>
                {events.data!.data.map(({ id, type, lastError }) => (
                  <li key={id}>
                    <Go to={`webhooks/${encodeURIComponent(id)}`}>{type}</Go> <code>{lastError}</code>
                  </li>
                ))}
              </Listed>
            )),
          ],
        ]}
      />
    </Part>
  )
}

type Asked = {
  readonly isError: boolean
  readonly error: unknown
  readonly data: unknown
  refetch(): unknown
}

/** What is known, or why it is not; the rest of the page stands by itself. */
function told(query: Asked, known: () => ReactNode): ReactNode {
  if (query.isError) return <Trouble error={query.error} onRetry={() => void query.refetch()} />
  return query.data === undefined ? '…' : known()
}

interface PaymentsProps {
  readonly customer: string
  readonly of: { readonly data: readonly { readonly createdAt: string }[]; readonly totalCount?: number }
}

function Payments({ customer, of: { data, totalCount } }: PaymentsProps) {
  const [last] = data
  if (!last) return t('none')
  return rich('<list>{count, plural, one {One payment} other {# payments}}</list>, the last {at}', {
    count: totalCount ?? data.length,
    list: (text) => <Go to={`payments?customerId=${encodeURIComponent(customer)}`}>{text}</Go>,
    at: <Moment key="a" at={last.createdAt} />,
  })
}

interface ListedProps {
  readonly count: number
  readonly none: string
  readonly children: ReactNode
}

function Listed({ count, none, children }: ListedProps) {
  if (count === 0) return <>{none}</>
  return (
    <>
      {count}
      <ul className="plain">{children}</ul>
    </>
  )
}

/** The customer, its payments and their quotes, which bear the same uuid. */
function idsAbout(customer: string, payments: readonly { readonly id: string }[]): readonly string[] {
  const own = payments.map(({ id }) => id)
  return [customer, ...own, ...own.map((id) => id.replace(/^Transaction:/, 'Quote:'))]
}
