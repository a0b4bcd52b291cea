import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing, Trouble } from '../../parts/states.tsx'
import { listPayments, type Payment, paymentColumns } from '../payments/payments-page.tsx'
import { FirstPayment, FirstSteps } from './first-steps.tsx'

export function HomePage() {
  const { corridor } = useSession()
  const [shown, setShown] = useState(0)
  return (
    <>
      <PageHead title="Home">
        <Go className="main" to="quotes/new">
          New payment
        </Go>
      </PageHead>
      <FirstPayment />
      <Health />
      <Part title="Last payments">
        <Rows<Payment>
          key={shown}
          label="Last payments"
          list={['last-payments', shown]}
          read={async () => ({ ...(await listPayments(corridor, {}, 10)), hasMore: false })}
          columns={paymentColumns}
          keyOf={({ id }) => id}
          to={({ id }) => `payments/${encodeURIComponent(id)}`}
          empty={
            <Nothing
              title="No payments yet. Run one below, or make one with your own accounts."
              cli="corridor pay"
            />
          }
        />
        <p>
          <Go to="payments">All payments</Go>
        </p>
      </Part>
      <FirstSteps onRun={() => setShown((before) => before + 1)} />
    </>
  )
}

/** How many payments stand where somebody may have to look, each a link to them. */
function Health() {
  const { corridor } = useSession()
  const health = useQuery({
    queryKey: ['health'],
    queryFn: async () => {
      const count = async (status: string) =>
        (await corridor.transactions.list({ status, limit: 1 } as never)).totalCount ?? 0
      const [processing, failed] = await Promise.all([count('PROCESSING'), count('FAILED')])
      const undelivered =
        (await corridor.webhookEvents.list({ status: 'FAILED', limit: 1 } as never)).totalCount ?? 0
      return { processing, failed, undelivered }
    },
    refetchInterval: 10_000,
  })
  if (health.isError) return <Trouble error={health.error} onRetry={() => void health.refetch()} />
  const { processing, failed, undelivered } = health.data ?? {}
  return (
    <p className="story" aria-busy={health.isPending}>
      <Go to="payments?status=PROCESSING">{processing ?? '…'} processing</Go> ·{' '}
      <Go to="payments?status=FAILED">{failed ?? '…'} failed</Go> ·{' '}
      <Go to="webhooks?status=FAILED">{undelivered ?? '…'} events not delivered</Go>
    </p>
  )
}
