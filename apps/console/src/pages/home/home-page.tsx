import { type ReactNode, useState } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { useSoundness } from '../../app/soundness.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { listPayments, type Payment, paymentColumns } from '../payments/payments-page.tsx'
import { FirstPayment, FirstSteps } from './first-steps.tsx'
import { useHealth } from './health.ts'

export function HomePage() {
  const { corridor, environment } = useSession()
  const [shown, setShown] = useState(0)
  return (
    <>
      <PageHead title={words.pages.home}>
        <Go className="main" to="quotes/new">
          {words.pages.newQuote}
        </Go>
      </PageHead>
      <FirstPayment />
      <Health />
      <Part title={t('Last payments')}>
        <Rows<Payment>
          key={shown}
          label={t('Last payments')}
          list={['last-payments', shown]}
          read={async () => ({ ...(await listPayments(corridor, {}, 10)), hasMore: false })}
          columns={paymentColumns}
          keyOf={({ id }) => id}
          to={({ id }) => `payments/${encodeURIComponent(id)}`}
          empty={
            <Nothing
              title={
                environment === 'sandbox'
                  ? t('No payments yet. Run a scenario below, or make a payment with your own accounts.')
                  : t('No payments yet. The first one will appear here.')
              }
              cli="corridor pay"
            />
          }
        />
        <p>
          <Go to="payments">{t('All payments')}</Go>
        </p>
      </Part>
      <FirstSteps onRun={() => setShown((before) => before + 1)} />
    </>
  )
}

/** Whether the money is sound, and how much stands where somebody may have to look, each a link to it. */
function Health() {
  const { corridor } = useSession()
  const soundness = useSoundness(corridor)
  const health = useHealth()
  if (health.isError) return <Trouble error={health.error} onRetry={() => void health.refetch()} />
  const { waiting = 0, undelivered, oldest } = health.data ?? {}
  const count = (name: 'stuck' | 'processing' | 'failed') => String(health.data?.[name] ?? '…')
  const link = (to: string) => (text: ReactNode) => <Go to={to}>{text}</Go>
  return (
    <p className="story" aria-busy={health.isPending}>
      {soundness && (
        <>
          <Go to={soundness.to} className={soundness.isSound ? undefined : 'overdue'}>
            <Icon name={soundness.isSound ? 'done' : 'failed'} />
            {soundness.isSound ? t('The ledger balances') : t('The ledger does not balance')}
          </Go>{' '}
          ·{' '}
        </>
      )}
      {rich(
        '<stuck>{stuckCount} stuck</stuck> · <processing>{processingCount} processing</processing> · <failed>{failedCount} failed</failed> · <givenUp>{events}</givenUp>',
        {
          stuckCount: count('stuck'),
          processingCount: count('processing'),
          failedCount: count('failed'),
          events:
            undelivered === undefined
              ? '…'
              : t('{count, plural, one {# event abandoned} other {# events abandoned}}', {
                  count: undelivered,
                }),
          stuck: link('payments?isStuck=true'),
          processing: link('payments?status=PROCESSING'),
          failed: link('payments?status=FAILED'),
          givenUp: link('webhooks?status=FAILED'),
        },
      )}
      {waiting > 0 &&
        rich(
          ' · <waiting>{count, plural, one {# event is} other {# events are}} waiting for a retry</waiting>, the oldest since <at></at>',
          {
            count: waiting,
            waiting: (text) => (
              <Go key="waiting" className="overdue" to="webhooks?status=RETRYING">
                {text}
              </Go>
            ),
            at: () => <Moment key="at" at={oldest} short />,
          },
        )}
    </p>
  )
}
