import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { CopyAs } from '../../parts/copy.tsx'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { exactly } from './exactly.ts'

export function LedgerAccountPage() {
  const id = usePageId()
  const { corridor } = useSession()
  const account = useQuery({
    queryKey: ['ledger account', id],
    queryFn: () => corridor.ledger.accounts.get(id),
  })
  if (account.isPending) return <Loading />
  if (!account.data)
    return <Trouble error={account.error} missing={id} onRetry={() => void account.refetch()} />
  const { data } = account
  // Behind the kind stands what it is of, where that is a resource.
  const [, kind, uuid] = id.split(':')
  const owner = kind && uuid?.length === 36 ? `${kind}:${uuid}` : undefined
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
          ['For', data.meaning],
          ['Of', owner && <Id id={owner} />],
          ['Debits', exactly(data.debits, data.currency)],
          ['Credits', exactly(data.credits, data.currency)],
          ['Held', exactly(data.held, data.currency)],
          ['Balance', exactly(data.balance, data.currency)],
          ['Rule', words.ledger.rules[data.rule]],
          ['Last moved', <Moment key="m" at={data.movedAt} />],
        ]}
      />
    </>
  )
}
