import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts, Id, Moment, Money, textOf } from '../../parts/facts.tsx'
import { Owner } from '../../parts/names.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import type { Account } from '../accounts/accounts-page.tsx'
import { Journals } from '../ledger/journals.tsx'
import { ReceivableActs } from '../operator/acts.tsx'
import { wordOf } from '../resources/codes.ts'
import { Detail, page } from '../resources/detail.tsx'
import { Age, causes, type Receivable } from './receivable-columns.tsx'

/** The ledger account that all debts of an owner in a currency add up in. */
const ledgerAccountOf = ({ customerId, amount }: Receivable) =>
  `recv:${customerId ?? 'platform'}:${amount.currency.code}`

export function ReceivablePage() {
  const { corridor } = useSession()
  return (
    <Detail<Receivable>
      kind="receivable"
      path="receivables"
      read={(id) => corridor.receivables.get(id)}
      titleOf={titleOf}
      statusOf={({ status }) => status}
      machine="receivable"
      acts={(receivable) => <Collect receivable={receivable} />}
      facts={({ customerId, cause, transactionId, settledAt, status, createdAt, ...receivable }) => [
        [t('Owner'), customerId ? <Owner key="o" id={customerId} /> : t('The platform')],
        [t('Cause'), wordOf(causes, cause)],
        [t('Transaction'), <Id key="t" id={transactionId} />],
        [t('Owed at first'), <Money key="a" of={receivable.amount} />],
        [t('Paid since'), <Money key="p" of={paidOf(receivable)} />],
        [t('Left to pay'), <Money key="r" of={receivable.remainingAmount} />],
        [t('Written off'), receivable.writtenOffAmount && <Money key="w" of={receivable.writtenOffAmount} />],
        [t('Open for'), status === 'OPEN' && <Age key="g" since={createdAt} />],
        [
          status === 'WRITTEN_OFF' ? t('Written off at') : t('Settled'),
          settledAt && <Moment key="s" at={settledAt} />,
        ],
      ]}
      parts={(receivable) => (
        <>
          <ReceivableActs
            id={receivable.id}
            status={receivable.status}
            amount={textOf(receivable.remainingAmount)}
          />
          <OfAccount receivable={receivable} />
          <Events id={receivable.id} />
        </>
      )}
    />
  )
}

function titleOf({ status, amount, remainingAmount, writtenOffAmount }: Receivable): string {
  if (status === 'OPEN') return t('Receivable · {amount} left to pay', { amount: textOf(remainingAmount) })
  if (writtenOffAmount) return t('Receivable · {amount} written off', { amount: textOf(writtenOffAmount) })
  return t('Receivable · {amount} paid', { amount: textOf(amount) })
}

const paidOf = ({
  amount,
  remainingAmount,
  writtenOffAmount,
}: Pick<Receivable, 'amount' | 'remainingAmount' | 'writtenOffAmount'>) => ({
  ...amount,
  amount: amount.amount - remainingAmount.amount - (writtenOffAmount?.amount ?? 0),
})

/** Operators collect with a reason and a second person, in a part of their own. */
function Collect({ receivable: { id, status, remainingAmount } }: { readonly receivable: Receivable }) {
  const { corridor, permissions } = useSession()
  if (status !== 'OPEN' || !permissions?.includes('TRANSACT')) return null
  return (
    <Act
      isMain
      confirm={t('Collect up to {amount}', { amount: textOf(remainingAmount) })}
      run={() => corridor.receivables.collect(id)}
    >
      {t('Collect now')}
    </Act>
  )
}

/** Shows whether the owner's account can pay, how much it gave back at once, and the postings since then. */
function OfAccount({ receivable }: { readonly receivable: Receivable }) {
  const { corridor } = useSession()
  const { customerId, amount, transactionId, createdAt, cause } = receivable
  const { code: currency } = amount.currency
  const account = useQuery({
    queryKey: ['account-of', customerId, currency],
    queryFn: async (): Promise<Account | null> => {
      const { data } = await (customerId
        ? corridor.customers.internalAccounts.list({ customerId, currency } as never)
        : corridor.platform.internalAccounts.list({ currency } as never))
      return data[0] ?? null
    },
  })
  if (account.isPending) return <Loading />
  if (account.isError) return <Trouble error={account.error} onRetry={() => void account.refetch()} />
  const { data } = account
  return (
    <>
      {cause === 'COLLECTION_RETURNED' && <TakenBack receivable={receivable} account={data?.id} />}
      <Part title={t('Account that can pay')}>
        {data === null ? (
          <Nothing
            title={t('The owner has no account in {currency}, so nothing can be collected.', { currency })}
          />
        ) : (
          <Facts
            of={[
              [t('Account'), <Id key="i" id={data.id} />],
              [t('Available'), <Money key="b" of={data.balance} />],
              [t('Status'), <Status key="s" status={data.status} />],
              [
                t('Type'),
                data.type === 'EMBEDDED_WALLET' &&
                  t('Embedded wallet: Corridor cannot collect from it, because only its holder can sign.'),
              ],
            ]}
          />
        )}
      </Part>
      <Part title={t('Postings of what the owner owes')}>
        <Journals
          label={t('Postings of what the owner owes')}
          of={data ? { accountIdentifier: data.id, startDate: createdAt } : undefined}
          also={[transactionId, receivable.id]}
          account={ledgerAccountOf(receivable)}
        />
      </Part>
    </>
  )
}

/** How much the bank returned, and how much of it the account could give back at once. */
function TakenBack({
  receivable,
  account,
}: {
  readonly receivable: Receivable
  readonly account: string | undefined
}) {
  const { corridor } = useSession()
  const { transactionId, amount } = receivable
  const journals = useQuery({
    queryKey: ['journals-of', transactionId],
    queryFn: async () => (await corridor.ledger.journals.list({ subjectId: transactionId } as never)).data,
  })
  if (journals.isPending) return <Loading />
  if (journals.isError) return <Trouble error={journals.error} onRetry={() => void journals.refetch()} />
  const arose = journals.data.find(({ postings }) =>
    postings.some(({ from }) => from === ledgerAccountOf(receivable)),
  )
  const taken = { ...amount, amount: 0 }
  for (const { from, amount: digits } of arose?.postings ?? [])
    if (account !== undefined && from === `avail:${account}`) taken.amount += Number(digits)
  return (
    <Part title={t('Returned collection')}>
      <Facts
        of={[
          [
            t('Returned to the bank'),
            <Money key="r" of={{ ...amount, amount: amount.amount + taken.amount }} />,
          ],
          [t('Taken back from the account'), <Money key="t" of={taken} />],
          [t('Not covered, so owed'), <Money key="o" of={amount} />],
          [t('Returned'), arose && <Moment key="m" at={arose.at} />],
        ]}
      />
    </Part>
  )
}

type Event = Item<'listWebhookEvents'>

/** The events about the receivable: when it arose, and each payment since. */
function Events({ id }: { readonly id: string }) {
  const { corridor } = useSession()
  return (
    <Part title={t('Events')}>
      <Rows<Event>
        label={t('Events of the receivable')}
        list={['events-of', id]}
        read={(cursor) => corridor.webhookEvents.list(page(cursor, { resourceId: id }))}
        columns={[
          { title: t('Time'), width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
          { title: t('Event'), cell: ({ type }) => type },
          { title: t('Result'), cell: ({ status }) => <Status status={status} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `webhooks/${encodeURIComponent(id)}`}
        empty={<Nothing title={t('No events yet.')} />}
      />
    </Part>
  )
}
