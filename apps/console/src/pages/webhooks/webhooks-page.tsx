import { eventTypes, type Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Go, useView } from '../../app/places.tsx'
import { useSession, useSessions } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Beside, besidePage } from '../../parts/beside.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { AttemptMarks } from './attempt-marks.tsx'
import { Endpoint, Listeners, placeOfKeys } from './endpoint.tsx'
import { Missed } from './missed.tsx'
import { Replay } from './replay.tsx'

type Event = Item<'listWebhookEvents'>

const filters: readonly Filter[] = [
  { name: 'type', label: t('Event'), options: eventTypes },
  { name: 'status', label: t('Result'), options: ['QUEUED', 'RETRYING', 'DELIVERED', 'FAILED', 'STORED'] },
  { name: 'resourceId', label: t('About (id)') },
  { name: 'createdAfter', label: t('From'), time: 'FROM' },
  { name: 'createdBefore', label: t('Until'), time: 'UNTIL' },
]

const WebhookBeside = besidePage(() => import('./webhook-page.tsx'), 'WebhookPage')

export function WebhooksPage() {
  const { corridor, environment } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  return (
    <Beside of="webhooks" page={WebhookBeside}>
      <PageHead title={words.pages.webhooks}>
        <SendTest />
      </PageHead>
      <Endpoint />
      <Missed />
      {environment === 'sandbox' && <Listeners />}
      <Filters of={filters} />
      <Rows<Event>
        label={t('Events')}
        list={['events', query]}
        read={(cursor) =>
          corridor.webhookEvents.list({ ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never)
        }
        columns={[
          { title: t('Time'), width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
          {
            title: t('Event'),
            width: 'event',
            cell: ({ type }) => (
              <span className="ends" title={type}>
                <Dotted name={type} />
              </span>
            ),
          },
          {
            title: t('About'),
            isWide: true,
            width: 'end',
            cell: ({ resourceId }) => <Id id={resourceId} short="end" />,
          },
          {
            title: t('Attempts'),
            isNamed: true,
            isWide: true,
            width: 'attempts',
            cell: (event) => <AttemptMarks of={event} />,
          },
          {
            title: t('Next'),
            isWide: true,
            width: 'moment',
            cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} short />,
          },
          { title: t('Result'), width: 'result', cell: ({ status }) => <Status status={status} /> },
          {
            title: t('Act'),
            isWide: true,
            width: 'act',
            cell: ({ id, type, status }) =>
              // Nobody would get what no endpoint was there for.
              status === 'STORED' ? (
                '—'
              ) : (
                <Act
                  asks={t('Send {event} again', { event: type })}
                  run={() => corridor.webhookEvents.resend(id)}
                >
                  {t('Resend')}
                </Act>
              ),
          },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `webhooks/${encodeURIComponent(id)}`}
        news={{
          kind: 'Webhook',
          text: t('There are new events.'),
          newest: async () =>
            (await corridor.webhookEvents.list({ ...query, limit: 1 } as never)).data[0]?.id ?? null,
        }}
        empty={
          <Empty
            title={t('No events yet.')}
            filters={filters}
            find={(others) => corridor.webhookEvents.list({ ...others, limit: 1 } as never)}
            {...(environment === 'sandbox' ? { cli: words.listen } : {})}
          >
            <SendTest />
          </Empty>
        }
      />
      <Part title={t('Key that your endpoint verifies with')} id={placeOfKeys}>
        <PublicKey />
      </Part>
      <Part title={t('Send again')}>
        {/* What was counted with other filters is not what would be sent. */}
        <Replay key={JSON.stringify(query)} query={query} />
      </Part>
    </Beside>
  )
}

/** The name of an event, which may go on in another line after its dot. */
function Dotted({ name }: { readonly name: string }) {
  const dot = name.indexOf('.') + 1
  return (
    <>
      {name.slice(0, dot)}
      <wbr />
      {name.slice(dot)}
    </>
  )
}

function SendTest() {
  const [told, setTold] = useState('')
  const { corridor } = useSession()
  const config = useQuery({ queryKey: ['config'], queryFn: () => corridor.config.get() })
  const address = config.data?.webhookEndpoint
  return (
    <>
      <Act
        asks={
          address
            ? t('Send the TEST event to {address}', { address })
            : t('Send the TEST event, to no endpoint')
        }
        run={() => corridor.webhooks.test()}
        then={({ url, response_status }) =>
          setTold(t('{url} answered {status}.', { url, status: String(response_status) }))
        }
      >
        {t('Send TEST')}
      </Act>
      <span role="status">{told}</span>
    </>
  )
}

/** With it an endpoint tells what was sent by this platform from what was not. */
function PublicKey() {
  const { corridor, platformId, environment } = useSession()
  const { state } = useSessions()
  const isOperator = state.kind === 'IN' && state.operator !== undefined
  const key = useQuery({ queryKey: ['webhook-key'], queryFn: () => corridor.webhooks.publicKey.get() })
  if (key.isPending) return <Loading />
  if (!key.data) return <Trouble error={key.error} onRetry={() => void key.refetch()} />
  const { keyId, publicKey } = key.data
  return (
    <>
      <p>
        {rich(
          'Webhooks are signed with the key {key}, as {header} says. The signature verifies with its public key:',
          { key: <code>{keyId}</code>, header: <code>X-Webhook-Key-Id</code> },
        )}
      </p>
      <pre>{publicKey.trim()}</pre>
      <Copy name={t('Copy the key')} says={t('Copy the public key')} text={() => publicKey} />
      <p className="muted under">
        {rich(
          'An administrator of the installation replaces the key, on <page>the page of this platform</page>. Corridor publishes the new key at once and signs with it ten minutes later. The old key stays published for thirty more days. <guide>Key replacement</guide>',
          {
            page: (text) =>
              isOperator ? (
                <Go to={`/operator/platforms/${platformId}?environment=${environment.toUpperCase()}`}>
                  {text}
                </Go>
              ) : (
                text
              ),
            guide: (text) => <a href="/docs/guides/webhooks">{text}</a>,
          },
        )}
      </p>
    </>
  )
}
