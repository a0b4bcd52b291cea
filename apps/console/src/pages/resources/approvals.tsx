import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Id, Moment, Money, shortOf, textOf } from '../../parts/facts.tsx'
import { StatePicture } from '../../parts/state-picture/state-picture.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { readable } from '../../parts/status.tsx'

type Action = Item<'listAgentApprovals'>

/** What agents, or one of them, have asked for and may not do by themselves. */
export function Approvals({ agentId }: { readonly agentId?: string }) {
  const { corridor } = useSession()
  const approvals = useQuery({
    queryKey: ['approvals', agentId ?? ''],
    queryFn: async () =>
      await corridor.agents.approvals.list({ ...(agentId ? { agentId } : {}), limit: 100 } as never),
    refetchInterval: 5_000,
  })
  if (approvals.isPending) return <Loading />
  if (!approvals.data) return <Trouble error={approvals.error} onRetry={() => void approvals.refetch()} />
  const { data, totalCount = data.length } = approvals.data
  if (data.length === 0) return <Nothing title={t('Nothing waits.')} />
  return (
    <>
      <ul className="steps">
        {data.map((action) => (
          <Waiting key={action.id} action={action} isNamed={agentId === undefined} />
        ))}
      </ul>
      {totalCount > data.length && (
        <p className="muted">{t('and {n} more', { n: totalCount - data.length })}</p>
      )}
      {agentId !== undefined && (
        <StatePicture of="agent action" now="PENDING_APPROVAL" title={t('States of pending requests')} />
      )}
    </>
  )
}

function Waiting({ action, isNamed }: { readonly action: Action; readonly isNamed: boolean }) {
  const { corridor } = useSession()
  const { id, agentId, customerId, createdAt } = action
  const [reason, setReason] = useState('')
  const said = reason.trim()
  const amount = useAmountOf(action)
  const agent = useQuery({
    queryKey: ['agent', agentId],
    queryFn: () => corridor.agents.get(agentId),
    retry: false,
  })
  const names = { amount, agent: agent.data?.name ?? shortOf(agentId) }
  return (
    <li>
      <span>
        <Asked action={action} amount={amount} />
      </span>
      <span className="muted">
        {isNamed
          ? rich('Requested by <agent></agent> for <customer></customer>, <at></at>', {
              agent: () => <Id key="a" id={agentId} short />,
              customer: () => <Id key="c" id={customerId} short />,
              at: () => <Moment key="t" at={createdAt} />,
            })
          : rich('Requested for <customer></customer>, <at></at>', {
              customer: () => <Id key="c" id={customerId} short />,
              at: () => <Moment key="t" at={createdAt} />,
            })}
      </span>
      <div className="fields">
        <Act
          isMain
          asks={t('Approve {amount} of agent {agent}', names)}
          run={() => corridor.agents.actions.approve(agentId, id)}
        >
          {t('Approve')}
        </Act>
        <label>
          <span>{t('Reason, shown to the agent')}</span>
          <input value={reason} maxLength={1_024} onChange={({ target }) => setReason(target.value)} />
        </label>
        <Act
          confirm={t('Reject {amount} of agent {agent} for good', names)}
          run={() =>
            corridor.agents.actions.reject(agentId, id, said === '' ? {} : { body: { reason: said } })
          }
        >
          {t('Reject')}
        </Act>
      </div>
    </li>
  )
}

/** What leaves or comes in, exactly; as long as nothing has told the decimals of its currency, its minor units. */
function useAmountOf({ type, quote, transferDetails }: Action): string {
  const { corridor } = useSession()
  const { sourceAccountId, destinationAccountId } = transferDetails ?? {}
  // A transfer names its currency; how many decimals that has is told by the account on our side.
  const internal = [sourceAccountId, destinationAccountId].find((id) => id?.startsWith('InternalAccount:'))
  const account = useQuery({
    queryKey: ['account', internal],
    queryFn: () => corridor.internalAccounts.get(internal!),
    enabled: internal !== undefined,
  })
  if (quote) return textOf({ amount: quote.totalSendingAmount, currency: quote.sendingCurrency })
  if (!transferDetails) return readable(type)
  const { amount, currency: code } = transferDetails
  const currency = account.data?.balance.currency
  return currency ? textOf({ amount, currency }) : t('{n} minor units of {code}', { n: String(amount), code })
}

/** What is to be done, with its amount and where the money goes. */
function Asked({
  action: { type, quote, transferDetails },
  amount,
}: {
  readonly action: Action
  readonly amount: string
}) {
  if (quote) {
    const { totalReceivingAmount, receivingCurrency } = quote
    return rich('Pay <sent></sent> to deliver <received></received>: <quote></quote>', {
      sent: () => <span className="money">{amount}</span>,
      received: () => <Money key="r" of={{ amount: totalReceivingAmount, currency: receivingCurrency }} />,
      quote: () => <Id key="q" id={quote.id} short />,
    })
  }
  if (!transferDetails) return readable(type)
  const { sourceAccountId, destinationAccountId } = transferDetails
  const parts = {
    amount: () => <span className="money">{amount}</span>,
    source: () => <Id key="s" id={sourceAccountId} short />,
    target: () => <Id key="t" id={destinationAccountId} short />,
  }
  return type === 'TRANSFER_IN'
    ? rich('Pull <amount></amount> from <source></source> into <target></target>', parts)
    : rich('Pay <amount></amount> out of <source></source> to <target></target>', parts)
}
