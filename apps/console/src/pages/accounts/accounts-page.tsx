import type { Item } from '@corridor/sdk/index.ts'
import type { Page } from '@corridor/sdk/pages.ts'
import { Go, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import type { Column } from '../../parts/columns.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Money } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { NameOf } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { PlatformPayees } from '../payees/external-account-page.tsx'

export type Account = Item<'listCustomerInternalAccounts'>

const filters: readonly Filter[] = [
  { name: 'customerId', label: t('Customer id') },
  { name: 'currency', label: t('Currency') },
]

export const accountColumns: readonly Column<Account>[] = [
  { title: t('Currency'), cell: ({ balance }) => balance.currency.code },
  { title: t('Available'), isAmount: true, width: 'digits', cell: ({ balance }) => <Money of={balance} /> },
  {
    title: t('Total'),
    isAmount: true,
    width: 'digits',
    isWide: true,
    cell: ({ totalBalance }) => <Money of={totalBalance} />,
  },
  { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
]

/** The same where something can be done to each: on a phone that stands at the end of a row, and the state at its beginning. */
export const accountColumnsBesideAct: readonly Column<Account>[] = [
  {
    ...accountColumns[0]!,
    cell: ({ balance, status }) => (
      <>
        {balance.currency.code} <Status status={status} />
      </>
    ),
  },
  ...accountColumns.slice(1, -1),
]

/** Of a list that is one page; a longer one keeps the order of the API, in which its pages follow each other. */
function withMoneyFirst<T extends Page<Account>>(accounts: T, cursor?: string): T {
  if (accounts.hasMore || cursor !== undefined) return accounts
  const isEmpty = ({ totalBalance }: Account) => (totalBalance.amount === 0 ? 1 : 0)
  return { ...accounts, data: [...accounts.data].sort((a, b) => isEmpty(a) - isEmpty(b)) }
}

export function AccountsPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  return (
    <>
      <PageHead title={words.pages.accounts} />
      <Part title={t('Of the platform')}>
        <Rows<Account>
          label={t('Accounts of the platform')}
          list={['platform-accounts']}
          read={async () => withMoneyFirst(await corridor.platform.internalAccounts.list())}
          columns={accountColumns}
          keyOf={({ id }) => id}
          to={({ id }) => `accounts/${encodeURIComponent(id)}`}
          empty={<Nothing title={t('The platform has no account yet.')} cli="corridor config update" />}
        />
      </Part>
      <PlatformPayees />
      <Part title={t('Of customers')}>
        <Filters of={filters} />
        <Rows<Account>
          label={t('Accounts of customers')}
          list={['accounts', query]}
          read={async (cursor) =>
            withMoneyFirst(
              await corridor.customers.internalAccounts.list({
                ...query,
                limit: 100,
                ...(cursor ? { cursor } : {}),
              } as never),
              cursor,
            )
          }
          columns={[
            ...accountColumns.slice(0, -1),
            {
              title: t('Customer'),
              isWide: true,
              // Accounts of two who are called alike, or two of one, are told apart by their ends.
              cell: ({ id, customerId }) => (
                <>
                  <NameOf id={customerId} />{' '}
                  <span className="id muted" title={id}>
                    …{id.slice(-6)}
                  </span>
                </>
              ),
            },
            // The last one stands on the first line of a phone.
            ...accountColumns.slice(-1),
          ]}
          keyOf={({ id }) => id}
          to={({ id }) => `accounts/${encodeURIComponent(id)}`}
          empty={
            <Empty
              title={t('No customer has an account yet.')}
              filters={filters}
              find={(others) => corridor.customers.internalAccounts.list({ ...others, limit: 1 } as never)}
              cli="corridor customers create"
            >
              <Go className="main" to="customers">
                {t('Create a customer, who has one')}
              </Go>
            </Empty>
          }
        />
      </Part>
    </>
  )
}
