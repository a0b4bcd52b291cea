import type { Item } from '@corridor/sdk/index.ts'
import type { Amount } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Facts, Moment, Money } from '../../parts/facts.tsx'
import { NameOf, Owner } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { readable, Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { Approvals } from './approvals.tsx'
import { permissions as mays, wordOf } from './codes.ts'
import { Detail, page } from './detail.tsx'
import { makeAgent } from './samples.ts'

type Agent = Item<'listAgents'>

export function AgentsPage() {
  const { corridor, environment } = useSession()
  const { go } = usePlaces()
  return (
    <>
      <PageHead title={words.pages.agents} />
      <Part title={t('Waiting for approval')}>
        <Approvals />
      </Part>
      <Part title={t('All agents')}>
        <Rows<Agent>
          label={t('Agents')}
          list={['agents']}
          read={(cursor) => corridor.agents.list(page(cursor))}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            { title: t('Customer'), isWide: true, cell: ({ customerId }) => <NameOf id={customerId} /> },
            {
              title: t('Connected'),
              cell: ({ isConnected }) => (isConnected ? t('connected') : t('not connected')),
            },
            {
              title: t('Status'),
              cell: ({ isPaused }) => <Status status={isPaused ? 'PAUSED' : 'ACTIVE'} />,
            },
          ]}
          keyOf={({ id }) => id}
          to={({ id }) => `agents/${encodeURIComponent(id)}`}
          empty={
            <Nothing title={t('No agents yet.')} cli="corridor agents create">
              {environment === 'sandbox' && (
                <Act run={() => makeAgent(corridor)} then={(id) => go(`agents/${encodeURIComponent(id)}`)}>
                  {t('Create one for a customer')}
                </Act>
              )}
            </Nothing>
          }
        />
      </Part>
    </>
  )
}

export function AgentPage() {
  const { corridor } = useSession()
  const { go } = usePlaces()
  return (
    <Detail<Agent>
      kind="agent"
      read={(id) => corridor.agents.get(id)}
      path="agents"
      titleOf={({ name }) => name}
      facts={({ customerId, isConnected, policy }) => [
        [t('Customer'), <Owner key="c" id={customerId} />],
        [t('Connected'), isConnected ? t('yes') : t('no')],
        [
          t('May'),
          policy.permissions.map((code) => wordOf(mays, code)).join(', ') ||
            t('read only itself and its actions'),
        ],
        [t('Requested actions start'), beginOf(policy)],
      ]}
      acts={({ id, name, isPaused }) => (
        <>
          <Act
            asks={isPaused ? t('Resume the agent {name}', { name }) : t('Pause the agent {name}', { name })}
            run={() => corridor.agents.update(id, { isPaused: !isPaused } as never)}
          >
            {isPaused ? t('Resume') : t('Pause')}
          </Act>
          <Act
            confirm={t('Delete {name} for good', { name })}
            run={() => corridor.agents.delete(id)}
            then={() => go('agents')}
          >
            {t('Delete')}
          </Act>
        </>
      )}
      statusOf={({ isPaused }) => (isPaused ? 'PAUSED' : 'ACTIVE')}
      parts={(agent) => (
        <>
          <Limits of={agent} />
          <Part title={t('Waiting for approval')}>
            <Approvals agentId={agent.id} />
          </Part>
          <Connect agent={agent} />
        </>
      )}
    />
  )
}

function beginOf({ defaultExecutionMode: mode, approvalThresholds }: Agent['policy']): string {
  if (mode === 'APPROVAL_REQUIRED') return t('once it is approved')
  if (mode !== 'AUTO') return readable(mode)
  const hasThreshold = approvalThresholds?.amount !== null && approvalThresholds?.amount !== undefined
  return hasThreshold ? t('at once, except above the threshold') : t('at once')
}

/** What the agent may spend, and how much of it is used. */
function Limits({ of }: { readonly of: Agent }) {
  const { corridor } = useSession()
  const { customerId, usage } = of
  const { spendingLimits, approvalThresholds } = of.policy
  const {
    currency: code,
    perTransactionLimit,
    dailyLimit,
    dailyTransactionLimit,
    monthlyLimit,
  } = spendingLimits
  // The policy names its currency; how many decimals that has is told by an account.
  const account = useQuery({
    queryKey: ['agent-currency', customerId, code],
    queryFn: async () => {
      const { data } = await corridor.internalAccounts.list({ customerId, currency: code } as never)
      return data[0]?.balance.currency ?? null
    },
  })
  const amount = (minor: number | null | undefined) =>
    minor === null || minor === undefined
      ? undefined
      : account.data
        ? { amount: minor, currency: account.data }
        : minor
  const of_ = (used: number, limit: number | null | undefined) =>
    limit === null || limit === undefined ? (
      <Amounts of={amount(used)} code={code} after={t('used, no limit')} />
    ) : (
      <>
        <Amounts of={amount(used)} code={code} after={t('used of')} />{' '}
        <Amounts of={amount(limit)} code={code} />
      </>
    )
  return (
    <Part title={t('Limits')}>
      <Facts
        of={[
          [t('Per action, including fees'), <Amounts key="1" of={amount(perTransactionLimit)} code={code} />],
          [t('Per day (UTC)'), <span key="d">{of_(usage.dailySpend, dailyLimit)}</span>],
          [
            t('Actions of a day (UTC)'),
            dailyTransactionLimit === undefined
              ? t('{n} used, no limit', { n: usage.dailyTransactionCount })
              : t('{n} used of {limit}', { n: usage.dailyTransactionCount, limit: dailyTransactionLimit }),
          ],
          [t('Per month (UTC)'), <span key="m">{of_(usage.monthlySpend, monthlyLimit)}</span>],
          [
            t('Approval required from'),
            approvalThresholds?.amount !== null && approvalThresholds?.amount !== undefined && (
              <Amounts
                key="a"
                of={
                  approvalThresholds.currency === undefined || approvalThresholds.currency === code
                    ? amount(approvalThresholds.amount)
                    : approvalThresholds.amount
                }
                code={approvalThresholds.currency ?? code}
                after={t('on')}
              />
            ),
          ],
        ]}
      />
      <p className="muted under">{t('No approval lifts these limits.')}</p>
    </Part>
  )
}

/** An amount; where nothing tells the decimals of its currency its minor units. */
function Amounts({
  of,
  code,
  after,
}: {
  readonly of: Amount | number | undefined
  readonly code: string
  readonly after?: string
}) {
  return (
    <>
      {typeof of === 'number' ? (
        <span className="money">{t('{n} minor units of {code}', { n: String(of), code })}</span>
      ) : (
        <Money of={of} />
      )}
      {after && ` ${after}`}
    </>
  )
}

/** A code with which a program becomes this agent. */
function Connect({ agent: { id, name, isConnected } }: { readonly agent: Agent }) {
  const { corridor } = useSession()
  const [made, setMade] = useState<{ readonly code: string; readonly expiresAt: string }>()
  return (
    <Part title={t('Connect it')}>
      <p className="muted above">
        {isConnected
          ? t('A program is connected. With a new code, another program can replace it.')
          : t('A program that redeems the code becomes this agent. Each new code invalidates earlier ones.')}
      </p>
      <div className="acts">
        <Act
          asks={t('Create a code that connects a program as {name}', { name })}
          run={() => corridor.agents.deviceCodes.create(id)}
          then={setMade}
        >
          {t('Make a code')}
        </Act>
        {made && (
          <span role="status">
            <code>{made.code}</code>{' '}
            <Copy name={t('Copy')} says={t('Copy the code')} text={() => made.code} />{' '}
            <span className="muted">
              {t('until')} <Moment at={made.expiresAt} />
            </span>
          </span>
        )}
      </div>
    </Part>
  )
}
