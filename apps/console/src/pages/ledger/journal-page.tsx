import { useQuery } from '@tanstack/react-query'
import { usePageId } from '../../app/page-id.ts'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { CopyAs } from '../../parts/copy.tsx'
import { postingKinds } from '../../parts/explanation/words.ts'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Scrolled } from '../../parts/scrolled.tsx'
import { Loading } from '../../parts/states.tsx'
import { Step, stepWord } from '../../parts/step.tsx'
import { Unknown } from '../../parts/unknown.tsx'
import { words } from '../../words.ts'
import { exactly, shortAccount } from './exactly.ts'
import { type Journal, stepIn } from './journals.tsx'

/** One step of a payment in the ledger: what it moved from where to where, and what takes it back. */
export function JournalPage() {
  const id = usePageId()
  const { corridor } = useSession()
  const journal = useQuery({
    queryKey: ['ledger journal', id],
    queryFn: () => corridor.ledger.journals.get(id),
  })
  if (journal.isPending) return <Loading />
  if (!journal.data) return <Unknown id={id} error={journal.error} onRetry={() => void journal.refetch()} />
  const { data } = journal
  return (
    <>
      <PageHead title={t('Journal · {step}', { step: stepWord(data.step) })}>
        <CopyAs
          path={`/ledger/journals/${encodeURIComponent(id)}`}
          sdk={`const journal = await corridor.ledger.journals.get('${id}')`}
          cli={`corridor ledger journals get ${id}`}
          body={data}
        />
      </PageHead>
      <p className="muted trail">
        <Go to="ledger">{words.pages.ledger}</Go> / <span className="id">{id}</span>
      </p>
      <Facts
        of={[
          [t('Of'), <Id key="o" id={data.subjectId} />],
          [t('Posted'), <Moment key="m" at={data.at} />],
          [t('Takes back'), data.reverses !== null && <JournalLink id={data.reverses} />],
          [t('Taken back by'), data.reversedBy !== null && <JournalLink id={data.reversedBy} />],
        ]}
      />
      <Part title={t('Postings')}>
        <Postings of={data} />
      </Part>
    </>
  )
}

function JournalLink({ id }: { readonly id: string }) {
  return (
    <Go to={`ledger/journals/${encodeURIComponent(id)}`} title={id}>
      <Step of={stepIn(id)} />
    </Go>
  )
}

function Postings({ of: { postings } }: { readonly of: Journal }) {
  return (
    <Scrolled label={t('Postings')} isStacked>
      <table className="postings">
        <thead>
          <tr>
            <th scope="col">{t('From')}</th>
            <th scope="col">{t('To')}</th>
            <th scope="col" className="amount">
              {t('Amount')}
            </th>
            <th scope="col">{t('Kind')}</th>
          </tr>
        </thead>
        <tbody>
          {postings.map((posting) => (
            <tr key={posting.id}>
              <td data-of={t('From')}>
                <AccountLink id={posting.from} />
              </td>
              <td data-of={t('To')}>
                <AccountLink id={posting.to} />
              </td>
              <td className="amount">
                <span className="money">{exactly(posting.amount, posting.currency)}</span>
              </td>
              <td>
                {postingKinds[posting.kind]} <Ending of={posting} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function AccountLink({ id }: { readonly id: string }) {
  return (
    <Go className="id" to={`ledger/${encodeURIComponent(id)}`} title={id}>
      {shortAccount(id)}
    </Go>
  )
}

/** Which posting a held one ends with, or which it ends: each in a journal of its own. */
function Ending({ of: { ends, endedBy } }: { readonly of: Journal['postings'][number] }) {
  const other = ends ?? endedBy
  if (other === null) return null
  const journal = <JournalLink id={other.slice(0, other.lastIndexOf('/'))} />
  return (
    <span className="muted">
      {ends === null ? rich('ended by {journal}', { journal }) : rich('ends {journal}', { journal })}
    </span>
  )
}
