import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Go, useView } from '../../app/places.tsx'
import { useMedia } from '../../app/preferences.ts'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import type { Column } from '../../parts/columns.tsx'
import { decimalOf } from '../../parts/csv.ts'
import { Empty } from '../../parts/empty.tsx'
import { Export } from '../../parts/export.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { Icon } from '../../parts/icon.tsx'
import { NameOf } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { Scenarios } from '../sandbox/scenarios.tsx'
import { exactly, shortAccount } from './exactly.ts'
import { FirstBadPosting, placeOfJournal } from './first-bad-posting.tsx'
import { Journals } from './journals.tsx'

type Account = Item<'listLedgerAccounts'>

const kinds =
  'avail pend fx fee cpfee netfee rail susp recv cpty ln cardres cardnet cardexc coinres coinout loss'.split(
    ' ',
  )
const filters: readonly Filter[] = [
  { name: 'kind', label: t('Kind'), options: kinds },
  { name: 'currency', label: t('Currency, with a kind') },
  { name: 'owner', label: t('Owner (id)') },
]

/** What the balance comes of: there is room for both or for neither, as one alone does not explain it. */
const ofBalance: readonly string[] = [t('Debits'), t('Credits')]

/** Whether the money is sound, and every account of the ledger that stands. */
export function LedgerPage() {
  const { corridor, environment } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  const isNarrow = useMedia('(max-width: 767px)')
  const read = (cursor: string | undefined) =>
    corridor.ledger.accounts.list({ ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never)
  return (
    <>
      <PageHead title={words.pages.ledger}>
        <Export<Account>
          name="ledger-accounts"
          read={read}
          head={['id', 'currency', 'debits', 'credits', 'held', 'balance', 'rule', 'movedAt']}
          cells={({ id, currency, debits, credits, held, balance, rule, movedAt }) => {
            const exact = (amount: string) => decimalOf({ amount: BigInt(amount), currency })
            return [
              id,
              currency.code,
              exact(debits),
              exact(credits),
              exact(held),
              exact(balance),
              rule,
              movedAt,
            ]
          }}
        />
      </PageHead>
      <Verdict />
      <Filters of={filters} />
      <Rows<Account>
        label={words.ledger.accounts}
        list={['ledger accounts', query]}
        read={read}
        columns={(
          [
            {
              title: t('Account'),
              width: 'ledger',
              cell: ({ id }) => (
                <span className="id" title={id}>
                  {shortAccount(id)}
                </span>
              ),
            },
            {
              title: t('Owner'),
              isWide: true,
              cell: ({ owner }) => (owner === null ? t('The service') : <NameOf id={owner} short="end" />),
            },
            // The amounts say it too.
            { title: t('Currency'), isExtra: true, cell: ({ currency }) => currency.code },
            {
              title: t('Debits'),
              isWide: true,
              isAmount: true,
              width: 'digits',
              cell: (account) => exactly(account.debits, account.currency),
            },
            {
              title: t('Credits'),
              isWide: true,
              isAmount: true,
              width: 'digits',
              cell: (account) => exactly(account.credits, account.currency),
            },
            // The rule is about the balance less this.
            {
              title: t('Held'),
              isWide: true,
              isAmount: true,
              width: 'digits',
              cell: (account) => exactly(account.held, account.currency),
            },
            {
              title: t('Balance'),
              isAmount: true,
              width: 'digits',
              cell: (account) => exactly(account.balance, account.currency),
            },
            {
              title: t('Rule, less held'),
              isNamed: true,
              isWide: true,
              cell: ({ rule }) => words.ledger.rules[rule],
            },
          ] as readonly Column<Account>[]
        ).filter(({ title }) => !isNarrow || !ofBalance.includes(title))}
        keyOf={({ id }) => id}
        to={({ id }) => `ledger/${encodeURIComponent(id)}`}
        empty={
          <Empty
            title={t('No money has moved yet.')}
            filters={filters}
            find={(others) => corridor.ledger.accounts.list({ ...others, limit: 1 } as never)}
            cli="corridor pay"
          >
            {environment === 'sandbox' && <Scenarios of="arrives" />}
          </Empty>
        }
      />
      <p className="muted above">
        {t(
          'Accounts of single payments are not listed: see the page of the payment. The audit includes them.',
        )}
      </p>
      <Part title={t('Journals of the latest payments')}>
        <Journals label={t('Journals of the latest payments')} of={{}} />
      </Part>
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
  const { status, checkedAt, milliseconds, checkedTransfers, checkedAccounts, checkedCurrencies, problems } =
    audit.data
  const isSound = status === 'SOUND'
  return (
    <>
      <div className={isSound ? 'story ok' : 'story bad'} role={isSound ? 'status' : 'alert'}>
        <p>
          <Icon name={isSound ? 'done' : 'failed'} />{' '}
          <strong>{isSound ? words.ledger.sound : words.ledger.unsound}</strong>{' '}
          {checkedTransfers === 0
            ? rich('Checked {at}: nothing was posted yet.', { at: <Moment key="m" at={checkedAt} short /> })
            : rich(
                'Checked {at}: {checkedTransfers, plural, one {# posting} other {# postings}} on {checkedAccounts, plural, one {# account} other {# accounts}} in {currencies}, in {milliseconds} ms.',
                {
                  at: <Moment key="m" at={checkedAt} short />,
                  checkedTransfers,
                  checkedAccounts,
                  currencies: words.ledger.currencies(checkedCurrencies, isSound),
                  milliseconds,
                },
              )}
        </p>
        <div className="acts">
          <Act changesNothing run={() => audit.refetch()}>
            {words.ledger.verify}
          </Act>
        </div>
      </div>
      {!isSound && (
        <Part title={words.ledger.broken}>
          <ul>
            {problems.map(({ rule, subject, found, expected, firstBadPosting }) => (
              <li key={`${rule} ${subject}`}>
                {rich('{rule} {subject}: found {found}, expected {expected}', {
                  rule: <strong key="r">{rule}</strong>,
                  subject: <Subject key="s" of={subject} />,
                  found,
                  expected,
                })}
                <FirstBadPosting of={firstBadPosting} placeOf={placeOfJournal} />
              </li>
            ))}
          </ul>
          <p>{words.ledger.notStopped}</p>
          <p>
            <a href="/docs/guides/ledger-does-not-balance">{words.ledger.runbook}</a>
          </p>
        </Part>
      )}
    </>
  )
}

/** The account that does not add up, which has a page; or the currency or the stablecoin. */
function Subject({ of }: { readonly of: string }) {
  if (/^[a-z]+:/.test(of)) {
    return (
      <Go className="id" to={`ledger/${encodeURIComponent(of)}`}>
        {of}
      </Go>
    )
  }
  return <Id id={of} />
}
