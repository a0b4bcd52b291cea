import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { exactly, shortAccount } from './exactly.ts'

type Account = Item<'listLedgerAccounts'>

const kinds =
  'avail pend fx fee cpfee netfee rail susp recv cpty ln cardres cardnet cardexc coinres coinout loss'
const filters: readonly Filter[] = [
  { name: 'kind', label: 'Kind', options: kinds.split(' ') },
  { name: 'currency', label: 'Currency, of a kind' },
]

/** Whether the money is sound, and every account of the ledger that stands. */
export function LedgerPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  return (
    <>
      <PageHead title={words.pages.ledger} />
      <Verdict />
      <Filters of={filters} />
      <Rows<Account>
        label={words.ledger.accounts}
        list={['ledger accounts', query]}
        read={(cursor) =>
          corridor.ledger.accounts.list({ ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never)
        }
        columns={[
          {
            title: 'Account',
            width: 'event',
            cell: ({ id }) => (
              <span className="id" title={id}>
                {shortAccount(id)}
              </span>
            ),
          },
          { title: 'Currency', isWide: true, cell: ({ currency }) => currency.code },
          {
            title: 'Debits',
            isWide: true,
            isAmount: true,
            cell: (account) => exactly(account.debits, account.currency),
          },
          {
            title: 'Credits',
            isWide: true,
            isAmount: true,
            cell: (account) => exactly(account.credits, account.currency),
          },
          { title: 'Balance', isAmount: true, cell: (account) => exactly(account.balance, account.currency) },
          { title: 'Rule', isWide: true, cell: ({ rule }) => words.ledger.rules[rule] },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `ledger/${encodeURIComponent(id)}`}
        empty={
          <Empty
            title="No money has moved yet."
            filters={filters}
            find={(others) => corridor.ledger.accounts.list({ ...others, limit: 1 } as never)}
            cli="corridor pay"
          />
        }
      />
    </>
  )
}

/** What the audit says; unsound money is the first thing anybody sees. */
function Verdict() {
  const { corridor } = useSession()
  const audit = useQuery({
    queryKey: ['ledger audit'],
    queryFn: () => corridor.ledger.audit.get(),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? 1_000 : false),
  })
  if (audit.isError) return <Trouble error={audit.error} onRetry={() => void audit.refetch()} />
  if (!audit.data || audit.data.status === 'RUNNING') {
    return (
      <p className="story" role="status">
        {words.ledger.running}
      </p>
    )
  }
  const { status, checkedAt, milliseconds, checkedTransfers, checkedAccounts, problems } = audit.data
  const isSound = status === 'SOUND'
  return (
    <>
      <div className={isSound ? 'story ok' : 'story bad'} role={isSound ? 'status' : 'alert'}>
        <p>
          <Icon name={isSound ? 'done' : 'failed'} />{' '}
          <strong>{isSound ? words.ledger.sound : words.ledger.unsound}</strong> {words.ledger.checked}{' '}
          <Moment at={checkedAt} short />: {checkedTransfers} postings on {checkedAccounts} accounts, in{' '}
          {milliseconds} ms.
        </p>
        <div className="acts">
          <Act run={() => audit.refetch()}>{words.ledger.verify}</Act>
        </div>
      </div>
      {!isSound && (
        <Part title={words.ledger.broken}>
          <ul>
            {problems.map(({ rule, subject, found, expected }) => (
              <li key={`${rule} ${subject}`}>
                <strong>{rule}</strong> <span className="id">{subject}</span>: found {found}, expected{' '}
                {expected}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}
