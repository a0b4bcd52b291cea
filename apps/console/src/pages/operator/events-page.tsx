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
import { type Book, type FailedEvent, isProposed, isReal, useOperator } from './operator-api.ts'

/** Events that no endpoint took, of one platform at a time: sent again one by one, or those of a period. */
export function EventsPage() {
  return (
    <>
      <PageHead title={words.operator.events} />
      <OfBook>
        {(book, name) => (
          <div key={`${book.platformId} ${book.environment}`}>
            <Replay book={book} name={name} />
            <GivenUp book={book} name={name} />
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

function GivenUp({ book, name }: Of) {
  const { page, post } = useOperator()
  return (
    <Part title={t('Given up')}>
      <Rows<FailedEvent>
        label={t('Events that were given up')}
        list={['operator', 'events', book.platformId, book.environment]}
        read={(cursor) => page<FailedEvent>('events', cursor, { ...book })}
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
          {
            title: t('Act'),
            cell: ({ id, type }) => (
              <Act
                confirm={isReal(book) ? t('Send {type} to {name} again', { type, name }) : undefined}
                run={() => post(`events/${encodeURIComponent(id)}/resend`, book)}
              >
                {words.operator.resend}
              </Act>
            ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title={t('Nothing was given up: endpoints took every event, or still may.')} />}
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
/** What the API does at once; beyond it nothing is sent. */
const most = 10_000

/** Counts first: nobody sends a thousand events by mistake. */
function Replay({ book, name }: Of) {
  const { post } = useOperator()
  const [back, setBack] = useState('24')
  const [onlyFailed, setOnlyFailed] = useState(true)
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
    ...(onlyFailed ? { statuses: ['FAILED'] } : {}),
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
            value={onlyFailed ? 'FAILED' : 'ALL'}
            onChange={(event) => choose(() => setOnlyFailed(event.target.value === 'FAILED'))}
          >
            <option value="FAILED">{t('Given up alone')}</option>
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
            confirm={t('Send {count} events to {name} {environment} again', {
              count: `${counted.matching}`,
              name,
              environment: book.environment,
            })}
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
