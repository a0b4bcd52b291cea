import { eventTypes } from '@corridor/sdk/index.ts'
import { useState } from 'react'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { wallMs } from '../../parts/wall-clock.ts'
import { words } from '../../words.ts'
import { Done, type Outcome } from './done.tsx'
import { OfBook } from './of-book.tsx'
import { type Book, isProposed, isReal, type UndeliveredEvent, useOperator } from './operator-api.ts'

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
    title: t('Tried again by themselves'),
    empty: t('No event waits for another attempt.'),
  },
  FAILED: {
    title: t('Given up'),
    empty: t('Nothing was given up.'),
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
          { title: t('Event'), cell: ({ type }) => type },
          { title: t('About'), isWide: true, cell: ({ resourceId }) => <Id id={resourceId} short /> },
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
                      confirm={isReal(book) ? t('Send {type} to {name} again', { type, name }) : undefined}
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

/** Counts first: nobody sends a thousand events by mistake. */
function Replay({ book, name }: Of) {
  const { post } = useOperator()
  const [back, setBack] = useState('24')
  const [which, setWhich] = useState<keyof typeof statusesOf>('UNDELIVERED')
  const [type, setType] = useState('')
  const [counted, setCounted] = useState<{ body: object; matching: number }>()
  const [outcome, setOutcome] = useState<Outcome>()
  const choose = (change: () => void) => {
    change()
    setCounted(undefined)
    setOutcome(undefined)
  }
  const bodyOf = () => ({
    ...book,
    createdAfter: new Date(wallMs() - Number(back) * 3_600_000).toISOString(),
    statuses: statusesOf[which],
    ...(type === '' ? {} : { types: [type] }),
  })
  return (
    <Part title={t('Send those of a period again')}>
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
            <option value="UNDELIVERED">{t('All that was not taken')}</option>
            <option value="FAILED">{t('Given up alone')}</option>
            <option value="RETRYING">{t('Those alone that would be tried later')}</option>
            <option value="ALL">{t('All, also those that were taken')}</option>
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
          run={async () => {
            const body = bodyOf()
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
            confirm={t(
              '{count, plural, one {Send # event to {name} {environment} again} other {Send # events to {name} {environment} again}}',
              { count: counted.matching, name, environment: book.environment },
            )}
            run={() => post<unknown>('events/replay', counted.body)}
            then={(answer) => {
              setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')
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
            ? t('More than {most}: choose less.', { most: `${most}` })
            : t('{count} would be sent, with the same ids and bytes. Nothing was sent yet.', {
                count: `${counted.matching}`,
              }))}
      </p>
      <Done outcome={outcome} />
    </Part>
  )
}
