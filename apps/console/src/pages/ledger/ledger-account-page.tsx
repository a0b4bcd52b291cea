import type { Answer } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { CopyAs } from '../../parts/copy.tsx'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading } from '../../parts/states.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { words } from '../../words.ts'
import { exactly } from './exactly.ts'
import { Journals } from './journals.tsx'

export function LedgerAccountPage() {
  const id = usePageId()
  const { corridor } = useSession()
  const account = useQuery({
    queryKey: ['ledger account', id],
    queryFn: () => corridor.ledger.accounts.get(id),
  })
  if (account.isPending) return <Loading />
  if (!account.data) return <Unknown id={id} error={account.error} onRetry={() => void account.refetch()} />
  const { data } = account
  const payments = paymentsOf(data)
  return (
    <>
      <PageHead title={words.ledger.account}>
        <CopyAs
          path={`/ledger/accounts/${encodeURIComponent(id)}`}
          sdk={`const account = await corridor.ledger.accounts.get('${id}')`}
          cli={`corridor ledger accounts get ${id}`}
          body={data}
        />
      </PageHead>
      <p className="muted trail">
        <Go to="ledger">{words.pages.ledger}</Go> / <span className="id">{id}</span>
      </p>
      <Facts
        of={[
          [t('Meaning'), data.meaning],
          [t('Of'), data.owner === null ? t('The service') : <Id key="o" id={data.owner} />],
          [t('Debits'), <Exactly key="d" of={data.debits} currency={data.currency} />],
          [t('Credits'), <Exactly key="c" of={data.credits} currency={data.currency} />],
          [t('Held'), <Exactly key="h" of={data.held} currency={data.currency} />],
          [t('Balance'), <Exactly key="b" of={data.balance} currency={data.currency} />],
          [t('Rule'), words.ledger.rules[data.rule]],
          [t('Last moved'), <Moment key="m" at={data.movedAt} />],
        ]}
      />
      <Part title={t('Journals of its latest payments')}>
        {payments ? (
          <Journals label={t('Journals of its latest payments')} of={payments} account={id} />
        ) : (
          <p className="muted">
            {t('This account combines the postings of many payments. Each payment shows its own.')}
          </p>
        )}
      </Part>
    </>
  )
}

type Account = Answer<'getLedgerAccount'>

function Exactly({ of, currency }: { readonly of: string; readonly currency: Account['currency'] }) {
  return <span className="money">{exactly(of, currency)}</span>
}

/** Which payments touch it, as their list takes it: those of its internal account. Undefined: it is of all. */
function paymentsOf({ owner }: Account): Record<string, string> | undefined {
  return owner?.startsWith('InternalAccount:') ? { accountIdentifier: owner } : undefined
}
