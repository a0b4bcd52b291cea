import type { Answer } from '@corridor/sdk/index.ts'
import { t } from '../../language/t.ts'
import { Facts, Moment } from '../../parts/facts.tsx'
import { type Difference, differencesOf } from './difference.ts'

type Event = Answer<'getWebhookEvent'>
type Attempt = Event['attemptLog'][number]

/** Each attempt with what it was, what it sent, and what was different from the one before it at the same place. */
export function Attempts({ of: { attemptLog, body } }: { readonly of: Event }) {
  if (attemptLog.length === 0) return <p className="muted">{t('It was not sent yet.')}</p>
  return (
    <ol className="timeline">
      {attemptLog.map((attempt, index) => {
        const before = attemptLog.slice(0, index).findLast(({ via }) => via === attempt.via)
        return (
          <li key={`${attempt.via} ${attempt.attempt} ${attempt.at}`}>
            <Moment at={attempt.at} />
            <div>
              <Told of={attempt} />
              <details>
                <summary>{t('Request')}</summary>
                {before && <Compared before={before} after={attempt} />}
                <pre>{requestOf(attempt, body)}</pre>
              </details>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function Told({ of: { via, attempt, status, error, milliseconds } }: { readonly of: Attempt }) {
  return (
    <span>
      {status === null
        ? t('{via}, attempt {attempt}: {error}', { via, attempt, error: error ?? t('no answer') })
        : t('{via}, attempt {attempt}: answered {status}', { via, attempt, status })}
      {milliseconds !== null && (
        <span className="muted"> {t('after {milliseconds} ms', { milliseconds })}</span>
      )}
    </span>
  )
}

/** As it goes over the wire, but for the line that says where to. */
function requestOf({ headers }: Attempt, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', body].join('\n')
}

function Compared({ before, after }: { readonly before: Attempt; readonly after: Attempt }) {
  const names: Readonly<Record<string, string>> = {
    status: t('Status of the answer'),
    error: t('Error'),
    milliseconds: t('Milliseconds'),
  }
  return (
    <>
      <p className="muted">
        {t('Beside attempt {number}: the same bytes, and different are', { number: before.attempt })}
      </p>
      <Facts
        of={differencesOf(before, after).map((difference) => [
          names[difference.of] ?? difference.of,
          <Changed key={difference.of} of={difference} />,
        ])}
      />
    </>
  )
}

function Changed({ of: { before, after } }: { readonly of: Difference }) {
  return (
    <>
      <del>{before}</del> <ins>{after}</ins>
    </>
  )
}
