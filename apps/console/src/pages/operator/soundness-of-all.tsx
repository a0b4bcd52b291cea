import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { FirstBadPosting, placeOfJournal } from '../ledger/first-bad-posting.tsx'
import { useInstallationAudit } from './installation-audit.ts'
import { type AuditReport, type Book, placeOfBook } from './operator-api.ts'
import { usePausesInForce, useTarget } from './pauses.tsx'

/** The ledgers of all platforms and the audit log, computed anew. */
export function SoundnessOfAll() {
  const audit = useInstallationAudit()
  if (audit.isPending) return <Loading />
  if (!audit.data) return <Trouble error={audit.error} onRetry={() => void audit.refetch()} />
  const { sound, checkedAccounts, checkedTransfers, checkedCurrencies, checkedAuditEntries, problems } =
    audit.data
  const checkedAt = () => <Moment key="at" at={new Date(audit.dataUpdatedAt).toISOString()} />
  return (
    <div className={`story ${sound ? 'ok' : 'bad'}`}>
      <p>
        <Icon name={sound ? 'done' : 'failed'} />{' '}
        <strong>
          {sound
            ? t('The audit found no problems.')
            : t('The audit found problems. Stop payments and investigate.')}
        </strong>
      </p>
      <p className="muted">
        {checkedTransfers === 0
          ? rich(
              'Nothing was posted yet; {entries, plural, one {# entry} other {# entries}} of the audit log were verified on <at></at>.',
              { entries: checkedAuditEntries, at: checkedAt },
            )
          : rich(
              '{transfers, plural, one {# posting} other {# postings}} of {accounts, plural, one {# ledger account} other {# ledger accounts}} in {currencies}, and {entries, plural, one {# entry} other {# entries}} of the audit log were verified on <at></at>.',
              {
                transfers: checkedTransfers,
                accounts: checkedAccounts,
                currencies: words.ledger.currencies(checkedCurrencies, sound),
                entries: checkedAuditEntries,
                at: checkedAt,
              },
            )}
      </p>
      {!sound && <Problems of={problems} />}
      <button type="button" disabled={audit.isFetching} onClick={() => void audit.refetch()}>
        {audit.isFetching ? t('Checking') : t('Check now')}
      </button>
    </div>
  )
}

function Problems({ of }: { readonly of: AuditReport['problems'] }) {
  return (
    <>
      <ul>
        {of.slice(0, 100).map(({ rule, subject, found, expected, firstBadPosting, ...book }) => (
          <li key={`${rule} ${book.platformId} ${book.environment} ${subject}`}>
            <code>{rule}</code>{' '}
            {rich('<subject></subject>: found {found}, expected {expected} ({platformId} {environment})', {
              subject: () => <Subject key="subject" of={subject} book={book} />,
              found,
              expected,
              ...book,
            })}
            <FirstBadPosting
              of={firstBadPosting}
              placeOf={(journalId) => `${placeOfBook(book)}/${placeOfJournal(journalId)}`}
            />
          </li>
        ))}
      </ul>
      <Stopped />
      <p>
        <a href="/docs/guides/ledger-does-not-balance">{words.ledger.runbook}</a>
      </p>
    </>
  )
}

/** A ledger account has a page within its platform. */
function Subject({ of, book }: { readonly of: string; readonly book: Book }) {
  if (!/^[a-z]+:/.test(of)) return of
  return (
    <Go className="id" to={`${placeOfBook(book)}/ledger/${encodeURIComponent(of)}`}>
      {of}
    </Go>
  )
}

/** What has been stopped, and since when: nothing stops by itself. */
function Stopped() {
  const pauses = usePausesInForce()
  const targetOf = useTarget()
  if (pauses.length === 0) {
    return (
      <p>
        {words.ledger.notStopped} <Go to="rails">{t('Pause payouts…')}</Go>
      </p>
    )
  }
  return (
    <ul>
      {pauses.map((pause) => (
        <li key={pause.id}>
          {rich('Payouts have been paused since <at></at>: {target}', {
            target: targetOf(pause),
            at: () => <Moment key="at" at={pause.pausedAt} />,
          })}
        </li>
      ))}
    </ul>
  )
}
