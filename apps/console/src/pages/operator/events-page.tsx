import { eventTypes } from '@corridor/sdk/index.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTime } from '../../app/time.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { wallMs } from '../../parts/wall-clock.ts'
import { words } from '../../words.ts'
import { MomentOf } from './book-time.tsx'
import { Done } from './done.tsx'
import { OfBook } from './of-book.tsx'
import { type Book, isProposed, type Platform, type UndeliveredEvent, useOperator } from './operator-api.ts'

/** Events that no endpoint took so far, of one platform at a time: sent again one by one, or those of a period. */
export function EventsPage() {
  return (
    <>
      <PageHead title={words.operator.events} />
      <OfBook>
        {(book, name) => (
          <div key={`${book.platformId} ${book.environment}`}>
            <Replay book={book} name={name} />
            <Undelivered book={book} name={name} status="RETRYING" />
            <Undelivered book={book} name={name} status="FAILED" />
          </div>
        )}
      </OfBook>
    </>
  )
}

interface Of {
  readonly book: Book
  readonly name: string
}

const lists = {
  RETRYING: {
    title: t('Retried automatically'),
    empty: t('No event waits for another attempt.'),
  },
  FAILED: {
    title: t('Given up'),
    empty: t('Nothing was abandoned.'),
  },
} as const

function Undelivered({ book, name, status }: Of & { readonly status: UndeliveredEvent['status'] }) {
  const { page, post } = useOperator()
  const { title, empty } = lists[status]
  return (
    <Part title={title}>
      <Rows<UndeliveredEvent>
        label={title}
        list={['operator', 'events', book.platformId, book.environment, status]}
        read={(cursor) => page<UndeliveredEvent>('events', cursor, { ...book, status })}
        columns={[
          { title: t('Happened'), width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
          // They differ at their ends.
          { title: t('Event'), width: 'event', cell: ({ type }) => <span title={type}>{type}</span> },
          {
            title: t('About'),
            isWide: true,
            width: 'ledger',
            cell: ({ resourceId }) => <Id id={resourceId} short />,
          },
          { title: t('Attempts'), isWide: true, cell: ({ attempts }) => attempts },
          {
            title: t('Last answer'),
            isWide: true,
            cell: ({ lastStatus, lastError }) => (
              <span title={lastError ?? undefined}>
                {[lastStatus, lastError].filter((each) => each !== null).join(' ') || '—'}
              </span>
            ),
          },
          ...(status === 'FAILED'
            ? [
                {
                  title: t('Act'),
                  cell: ({ id, type }: UndeliveredEvent) => (
                    <Act
                      of={book}
                      asks={t('Send {type} to {name} again', { type, name })}
                      run={() => post(`events/${encodeURIComponent(id)}/resend`, book)}
                    >
                      {words.operator.resend}
                    </Act>
                  ),
                },
              ]
            : []),
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title={empty} />}
      />
    </Part>
  )
}

interface Replayed {
  readonly matching: number
  readonly replayed: number
  readonly skipped: number
  readonly until?: string
}

const hours = [1, 6, 24, 72, 168]
const statusesOf = {
  UNDELIVERED: ['FAILED', 'RETRYING'],
  FAILED: ['FAILED'],
  RETRYING: ['RETRYING'],
  ALL: ['DELIVERED', 'FAILED', 'RETRYING', 'STORED'],
} as const
/** What the API does at once; beyond it nothing is sent. */
const most = 10_000
/** How often the lists are read anew while events are sent again, and how long after the last one is due. */
const lookEveryMs = 2_000
const lookAfterMs = 6_000

/** Counts first: nobody sends a thousand events by mistake. */
function Replay({ book, name }: Of) {
  const { post, page } = useOperator()
  const [back, setBack] = useState('24')
  const [which, setWhich] = useState<keyof typeof statusesOf>('UNDELIVERED')
  const [type, setType] = useState('')
  const [counted, setCounted] = useState<{ body: object; matching: number }>()
  const [answer, setAnswer] = useState<unknown>()
  const sent = answer === undefined || isProposed(answer) ? undefined : (answer as Replayed)
  useReadAnew(sent?.until)
  const choose = (change: () => void) => {
    change()
    setCounted(undefined)
    setAnswer(undefined)
  }
  /** Events happen by the platform's own clock, which may have been moved since it was read. */
  const nowThere = async () => {
    const { data } = await page<Platform>('platforms')
    const there = data.find(
      ({ id, environment }) => id === book.platformId && environment === book.environment,
    )
    return there ? Date.parse(there.now) : wallMs()
  }
  const bodyOf = (nowMs: number) => ({
    ...book,
    createdAfter: new Date(nowMs - Number(back) * 3_600_000).toISOString(),
    statuses: statusesOf[which],
    ...(type === '' ? {} : { types: [type] }),
  })
  return (
    <Part title={t('Resend the events of a period')}>
      <div className="fields">
        <label>
          <span>{t('Of the last')}</span>
          <select value={back} onChange={(event) => choose(() => setBack(event.target.value))}>
            {hours.map((each) => (
              <option key={each} value={each}>
                {each < 48 ? t('{count} h', { count: each }) : t('{count} days', { count: each / 24 })}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('Which')}</span>
          <select
            name="which"
            value={which}
            onChange={(event) => choose(() => setWhich(event.target.value as keyof typeof statusesOf))}
          >
            <option value="UNDELIVERED">{t('All undelivered')}</option>
            <option value="FAILED">{t('Failed only')}</option>
            <option value="RETRYING">{t('Only events that wait for a retry')}</option>
            <option value="ALL">{t('All, including delivered ones')}</option>
          </select>
        </label>
        <label>
          <span>{t('Event')}</span>
          <select value={type} onChange={(event) => choose(() => setType(event.target.value))}>
            <option value="">{t('all')}</option>
            {eventTypes.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <Act
          changesNothing
          run={async () => {
            const body = bodyOf(await nowThere())
            const { matching } = await post<Replayed>('events/replay', { ...body, dryRun: true })
            return { body, matching }
          }}
          then={setCounted}
        >
          {t('Count them')}
        </Act>
        {counted && counted.matching > 0 && counted.matching <= most && (
          <Act
            isMain
            of={book}
            confirm={t(
              '{count, plural, one {Send # event to {name} {environment} again} other {Send # events to {name} {environment} again}}',
              { count: counted.matching, name, environment: book.environment },
            )}
            run={() => post<unknown>('events/replay', counted.body)}
            then={(given) => {
              setAnswer(given)
              setCounted(undefined)
            }}
          >
            {t('Send {count} again', { count: `${counted.matching}` })}
          </Act>
        )}
      </div>
      <p className="muted" role="status">
        {counted &&
          (counted.matching > most
            ? t('More than {most}: choose fewer.', { most: `${most}` })
            : t('{count} would be sent, with the same ids and bytes. Nothing was sent yet.', {
                count: `${counted.matching}`,
              }))}
      </p>
      {sent ? (
        <Sent book={book} of={sent} />
      ) : (
        <Done outcome={answer === undefined ? undefined : 'PROPOSED'} />
      )}
    </Part>
  )
}

/** How many are sent again, until when, and what became of the others. */
function Sent({ book, of: { replayed, skipped, until } }: { readonly book: Book; readonly of: Replayed }) {
  return (
    <p className="news" role="status">
      {replayed === 0
        ? t('No event is sent again.')
        : rich(
            '{replayed, plural, one {# event is} other {# events are}} being sent again, until <until></until>.',
            { replayed, until: () => <MomentOf key="until" book={book} at={until} /> },
          )}
      {skipped > 0 &&
        ` ${t(
          '{skipped, plural, one {# was skipped: it is already being sent, or no listener is connected.} other {# were skipped: they are already being sent, or no listener is connected.}}',
          { skipped },
        )}`}
    </p>
  )
}

/** An event leaves its list when it is taken, and not when somebody wants it sent. */
function useReadAnew(until: string | undefined) {
  const queries = useQueryClient()
  const { aheadMs } = useTime()
  useEffect(() => {
    if (until === undefined) return
    const endMs = Date.parse(until) - aheadMs + lookAfterMs
    const looking = setInterval(() => {
      void queries.invalidateQueries({ queryKey: ['list', 'operator', 'events'] })
      if (wallMs() > endMs) clearInterval(looking)
    }, lookEveryMs)
    return () => clearInterval(looking)
  }, [queries, until, aheadMs])
}
