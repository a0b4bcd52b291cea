import type { Item } from '@corridor/sdk/index.ts'
import { t } from '../../language/t.ts'

type Event = Item<'listWebhookEvents'>

/** So many have room in a row; those before them are counted, and told under the pointer. */
const shown = 3

/** `✕503 ✕503 ✓200 41 ms`: how each attempt went, the oldest first, and how long the last one took. */
export function AttemptMarks({ of }: { readonly of: Event }) {
  const { attempts, latestAttempts, lastMilliseconds } = of
  const marked = latestAttempts.slice(-shown)
  // Of a release that listed none of them the number is known.
  if (marked.length === 0) return `${attempts}`
  const before = latestAttempts.slice(0, -shown)
  const uncounted = attempts - marked.length
  return (
    <span className="attempts">
      {uncounted > 0 && (
        <small title={before.map(textOf).join('\n')}>{t('+{count}', { count: uncounted })}</small>
      )}
      {marked.map((attempt, index) => (
        <Mark key={`${attempt.at} ${index}`} of={attempt} isLast={index === marked.length - 1} />
      ))}
      {lastMilliseconds !== null && (
        <small className="took">{t('{milliseconds} ms', { milliseconds: lastMilliseconds })}</small>
      )}
    </span>
  )
}

type Attempt = Event['latestAttempts'][number]

function Mark({ of, isLast }: { readonly of: Attempt; readonly isLast: boolean }) {
  const { status, error } = of
  const said = status ?? t('no response')
  return (
    <span className={`${error === null ? 'taken' : 'missed'}${isLast ? ' last' : ''}`} title={textOf(of)}>
      <span aria-hidden="true">{error === null ? '✓' : '✕'}</span>
      <span className="hidden">{error === null ? t('taken:') : t('not taken:')} </span>
      {said}
    </span>
  )
}

function textOf({ at, status, error }: Attempt): string {
  return status === null
    ? t('{at}: {error}', { at, error: error ?? t('no response') })
    : t('{at}: answered {status}', { at, status: `${status}` })
}
