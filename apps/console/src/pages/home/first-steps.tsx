import { Corridor } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Code } from '../../parts/code.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Moment } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useInWorld } from '../../parts/in-world.ts'
import { Part } from '../../parts/page.tsx'
import { Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { PaymentLanes } from '../payment/payment-lanes.tsx'
import { Story, toneOf } from '../payment/story.tsx'
import { stateOf } from '../payments/payment-amounts.ts'
import { Scenarios } from '../sandbox/scenarios.tsx'
import { useHealth } from './health.ts'

/** With more payments than these nobody is at the beginning any more. */
const firstPayments = 20

/** The oldest payment that went out, and how many did. */
function useFirst() {
  const { corridor } = useSession()
  return useQuery({
    queryKey: ['first-payment'],
    queryFn: async () => {
      const { data, totalCount } = await corridor.transactions.list({
        type: 'OUTGOING',
        limit: 1,
        sortOrder: 'asc',
      } as never)
      return { payment: data[0] ?? null, count: totalCount ?? 0 }
    },
  })
}

/** Of a platform that has just begun: that its first payment ran, and how. */
export function FirstPayment() {
  const { payment, count } = useFirst().data ?? {}
  if (!payment || count === undefined || count > firstPayments) return null
  return (
    <div className={`story ${toneOf(payment)}`}>
      <p>
        <strong>
          {stateOf(payment) === 'COMPLETED'
            ? rich('Your first payment ran on <at></at>.', {
                at: () => <Moment at={payment.createdAt} short />,
              })
            : rich('Your first payment began on <at></at>.', {
                at: () => <Moment at={payment.createdAt} short />,
              })}
        </strong>{' '}
        <Story of={payment} /> <Go to={`payments/${encodeURIComponent(payment.id)}`}>{t('Open payment')}</Go>
      </p>
      {payment.type !== 'CARD' && <PaymentLanes of={payment} />}
    </div>
  )
}

/** From an empty platform to code that is told of payments, one step after the other; those that are done say so. */
export function FirstSteps({ onRun }: { readonly onRun: () => void }) {
  const { corridor, environment } = useSession()
  const first = useFirst()
  const config = useQuery({ queryKey: ['config'], queryFn: () => corridor.config.get() })
  const isSimulated = environment === 'sandbox'
  // What refuses answers.
  const isThere =
    first.isSuccess || (first.error instanceof Corridor.Error && (first.error.status ?? 500) < 500)
  const listen = useInWorld().cli(words.listen)
  return (
    <Part title={t('First steps')}>
      <ol className="steps numbered">
        {isSimulated && (
          <Step isDone={isThere} title={t('Server, database, clock')}>
            <span>
              {isThere ? t('They answer.') : t('They have not responded yet.')}{' '}
              <Go to="sandbox">{t('The clock and other simulated parts')}</Go>
            </span>
          </Step>
        )}
        {isSimulated && (
          <Step
            isDone={(first.data?.count ?? 0) > 0}
            isRefused={isRefused(first.error)}
            title={t('Customer, account, payment')}
          >
            <Scenarios of="arrives" again={(first.data?.count ?? 0) > 0} onRun={onRun} />
          </Step>
        )}
        <Step title={t('Your code')}>
          <YourCode />
        </Step>
        <Step
          isDone={Boolean(config.data?.webhookEndpoint)}
          isRefused={isRefused(config.error)}
          title={t('Your webhooks')}
        >
          <span>
            {config.data?.webhookEndpoint ? (
              <>
                {rich('They go to <code></code>.', {
                  code: () => <code>{config.data?.webhookEndpoint}</code>,
                })}{' '}
                {t('On your machine:')}{' '}
              </>
            ) : (
              `${t('On your machine:')} `
            )}
            <code>{listen}</code> <Copy name="CLI" label={t('Copy')} text={() => listen} />{' '}
            <a href="/docs/guides/command-line">{t('How to get the command')}</a>
          </span>
          {config.isError && !isRefused(config.error) && (
            <Trouble error={config.error} onRetry={() => void config.refetch()} />
          )}
        </Step>
        {isSimulated && <MakeItFail onRun={onRun} />}
      </ol>
    </Part>
  )
}

/** How many of the newest faults are looked at. */
const lookedFaults = 20

/** Done once a payment has failed, or what was told to fail has hit something. */
function MakeItFail({ onRun }: { readonly onRun: () => void }) {
  const { corridor } = useSession()
  const health = useHealth()
  const failed = health.data?.failed
  const hit = useQuery({
    queryKey: ['list', 'faults', 'any that hit'],
    queryFn: async () => {
      const { data } = await corridor.sandbox.faults.list({ limit: lookedFaults } as never)
      return data.some(({ hits }) => hits > 0)
    },
    enabled: failed === 0,
  })
  return (
    <Step
      isDone={Boolean(failed) || hit.data === true}
      isRefused={isRefused(health.error) || isRefused(hit.error)}
      title={t('Make it fail')}
    >
      <Scenarios of="fails" onRun={onRun} />
      {hit.isError && !isRefused(hit.error) && (
        <Trouble error={hit.error} onRetry={() => void hit.refetch()} />
      )}
    </Step>
  )
}

/** What the credential may not see is neither done nor to be done. */
const isRefused = (error: Error | null) => error instanceof Corridor.Error && error.status === 403

interface StepProps {
  readonly title: string
  readonly isDone?: boolean
  readonly isRefused?: boolean
  readonly children: ReactNode
}

function Step({ title, isDone = false, isRefused = false, children }: StepProps) {
  return (
    <li>
      <strong className={`status ${isDone ? 'ok' : 'plain'}`}>
        <Icon name={isDone ? 'done' : 'idle'} /> {title}
        {isDone && <span className="hidden">, {t('done')}</span>}
      </strong>
      {isRefused && <span className="muted">{t('This credential cannot show whether it is done.')}</span>}
      {children}
    </li>
  )
}

const code = {
  sdk: "import { Corridor } from '@corridor/sdk'\n\nconst corridor = new Corridor() // from the environment\nconsole.log(await corridor.config.get())",
}

/** What a program needs to ask the same, without the secret, which is shown only once: when its token is made. */
function YourCode() {
  const { corridor, apiAddress } = useSession()
  const tokens = useQuery({
    queryKey: ['client-id'],
    queryFn: async () => (await corridor.tokens.list({ limit: 20 } as never)).data,
    retry: false,
  })
  const found = tokens.data?.find(({ permissions }) => (permissions as string[]).includes('TRANSACT'))
  const clientId = found?.clientId
  const base = () => <code>{apiAddress}</code>
  const curl = corridor
    .curl({ method: 'GET', path: '/config' } as never)
    .replace(corridor.baseUrl, apiAddress)
  return (
    <>
      <span>
        {clientId === undefined
          ? rich('Base address <base></base>.', { base })
          : rich('Base address <base></base>, client id <client></client>.', {
              base,
              client: () => <code>{clientId}</code>,
            })}{' '}
        {rich('Secrets are shown once, when you create a token: <token>create one</token>.', {
          token: (text: ReactNode) => <Go to="settings">{text}</Go>,
        })}
      </span>
      {tokens.isError && !tokens.data && (
        <Trouble error={tokens.error} onRetry={() => void tokens.refetch()} />
      )}
      <Code
        label={t('Your code')}
        forms={[
          [
            words.envFile,
            `CORRIDOR_BASE_URL=${apiAddress}\nCORRIDOR_CLIENT_ID=${clientId ?? ''}\nCORRIDOR_CLIENT_SECRET=`,
          ],
          ['curl', curl],
          ['SDK', code.sdk],
        ]}
      />
      <span>
        <a href="/docs/corridor.postman_collection.json" download>
          {t('Every operation for Postman or Bruno')}
        </a>
      </span>
    </>
  )
}
