import type { Answer } from '@corridor/sdk/index.ts'
import { t } from '../../language/t.ts'
import { Facts, Moment } from '../../parts/facts.tsx'
import { Known } from '../../parts/known.tsx'
import { type Compared as Attempted, type Difference, differencesOf } from './difference.ts'

type Event = Answer<'getWebhookEvent'>
type Attempt = Event['attemptLog'][number]

/** Each attempt with what it was, what it sent, what was answered, and what was different from the one before it at the same place. */
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
              <p className="muted">{timesText(attempt)}</p>
              <details>
                <summary>{t('Request')}</summary>
                {before && <Compared before={before} after={attempt} />}
                <Known of={requestOf(attempt, body)} />
              </details>
              <Answered of={attempt} />
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
        ? t('{via}, attempt {attempt}: {error}', { via, attempt, error: error ?? t('no response') })
        : t('{via}, attempt {attempt}: answered {status}', { via, attempt, status })}
      {milliseconds !== null && (
        <span className="muted"> {t('after {milliseconds} ms', { milliseconds })}</span>
      )}
    </span>
  )
}

/** What its time went into: a connection that was open already cost none, and of others a part may not have come to its end. */
function timesText({ times }: Attempt): string {
  if (times === null) return t('The duration of its parts was not measured.')
  const { dns, connect, tls, wait, isReused } = times
  const part = (name: string, milliseconds: number | null) =>
    milliseconds === null ? [] : [t('{name} {milliseconds} ms', { name, milliseconds })]
  return [
    ...(isReused ? [t('over an open connection')] : []),
    ...part(t('DNS'), dns),
    ...part(t('connect'), connect),
    ...part(t('TLS'), tls),
    ...part(t('wait'), wait),
  ].join(' · ')
}

/** As far as it was kept; nothing where nothing came. */
function Answered({ of: { answer, status } }: { readonly of: Attempt }) {
  if (status === null) return null
  if (answer === null) return <p className="muted">{t('The response is not stored.')}</p>
  if (answer === '') return <p className="muted">{t('The response had an empty body.')}</p>
  return (
    <details>
      <summary>
        {t('Response, {bytes, plural, one {# byte} other {# bytes}}', {
          bytes: new TextEncoder().encode(answer).length,
        })}
      </summary>
      <pre>{answer}</pre>
    </details>
  )
}

/** As it goes over the wire, but for the line that says where to. */
function requestOf({ headers }: Attempt, body: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', body].join('\n')
}

function Compared({ before, after }: { readonly before: Attempt; readonly after: Attempt }) {
  const names: Readonly<Record<string, string>> = {
    status: t('Response status'),
    error: t('Error'),
    milliseconds: t('Milliseconds'),
    answer: t('Answer'),
    times: t('Times'),
  }
  return (
    <>
      <p className="muted">{t('Same bytes as attempt {number}. Differences:', { number: before.attempt })}</p>
      <Facts
        of={differencesOf(comparable(before), comparable(after)).map((difference) => [
          names[difference.of] ?? difference.of,
          <Changed key={difference.of} of={difference} />,
        ])}
      />
    </>
  )
}

/** Of a long answer its beginning is beside the other; all of it stands below. */
const comparedCharacters = 200

function comparable(attempt: Attempt): Attempted {
  const { answer, times } = attempt
  return {
    ...attempt,
    answer: answer === null ? null : answer.slice(0, comparedCharacters),
    times: times === null ? null : timesText(attempt),
  }
}

function Changed({ of: { before, after } }: { readonly of: Difference }) {
  return (
    <>
      <del>{before}</del> <ins>{after}</ins>
    </>
  )
}
