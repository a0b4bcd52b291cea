import { eventTypes, type Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Go, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'

type Event = Item<'listWebhookEvents'>

const filters: readonly Filter[] = [
  { name: 'type', label: 'Event', options: eventTypes },
  { name: 'status', label: 'Result', options: ['QUEUED', 'RETRYING', 'DELIVERED', 'FAILED', 'STORED'] },
  { name: 'createdAfter', label: 'From (ISO time)' },
  { name: 'createdBefore', label: 'Until (ISO time)' },
]

export function WebhooksPage() {
  const { corridor } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  const config = useQuery({ queryKey: ['config'], queryFn: () => corridor.config.get() })
  return (
    <>
      <PageHead title={words.pages.webhooks}>
        <Act run={() => corridor.webhooks.test()}>Send TEST</Act>
      </PageHead>
      {config.isError && <Trouble error={config.error} />}
      {config.data && (
        <p className="story">
          Endpoint{' '}
          {config.data.webhookEndpoint ? (
            <code>{config.data.webhookEndpoint}</code>
          ) : (
            <>
              not set. <Go to="settings">Set it</Go>, or listen from your machine:{' '}
              <code>corridor listen --forward-to localhost:3000/hooks</code>
            </>
          )}
        </p>
      )}
      <Filters of={filters} />
      <Rows<Event>
        label="Events"
        list={['events', query]}
        read={(cursor) =>
          corridor.webhookEvents.list({ ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never)
        }
        columns={[
          { title: 'Time', width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
          { title: 'Event', width: 'event', cell: ({ type }) => <span title={type}>{type}</span> },
          { title: 'About', isWide: true, cell: ({ resourceId }) => <Id id={resourceId} short /> },
          {
            title: 'Attempts',
            isWide: true,
            width: 'flow',
            cell: ({ attempts, lastStatus }) => `${attempts}${lastStatus ? ` (${lastStatus})` : ''}`,
          },
          { title: 'Result', cell: ({ status }) => <Status status={status} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `webhooks/${encodeURIComponent(id)}`}
        news={{
          kind: 'Webhook',
          text: 'There are new events.',
          newest: async () =>
            (await corridor.webhookEvents.list({ ...query, limit: 1 } as never)).data[0]?.id ?? null,
        }}
        empty={
          <Empty
            title="No events yet."
            filters={filters}
            find={(others) => corridor.webhookEvents.list({ ...others, limit: 1 } as never)}
            cli="corridor listen --forward-to localhost:3000/hooks"
          />
        }
      />
      <Part title="Send again">
        <Replay query={query} />
      </Part>
    </>
  )
}

/** Events of a time and kind once more: first how many they are, then the sending itself. */
function Replay({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { corridor } = useSession()
  const [matching, setMatching] = useState<number>()
  const [replayed, setReplayed] = useState<number>()
  const { createdAfter, createdBefore, type, status } = query
  if (!createdAfter) {
    return (
      <p className="muted">Say in the filters above from when on; then all that match can be sent again.</p>
    )
  }
  const body = (dryRun: boolean) =>
    ({
      createdAfter,
      ...(createdBefore ? { createdBefore } : {}),
      ...(type ? { types: [type] } : {}),
      ...(status ? { statuses: [status] } : {}),
      dryRun,
    }) as never
  return (
    <>
      <div className="acts">
        <Act
          run={() => corridor.webhookEvents.replay(body(true))}
          then={(found) => setMatching(found.matching)}
        >
          How many are they?
        </Act>
        {matching !== undefined && matching > 0 && (
          <Act
            confirm={`Yes, send ${matching} again`}
            run={() => corridor.webhookEvents.replay(body(false))}
            then={(sent) => setReplayed(sent.replayed)}
          >
            Send {matching} events again
          </Act>
        )}
      </div>
      <p role="status">
        {replayed !== undefined
          ? `${replayed} are on their way.`
          : matching !== undefined && `${matching} match.`}
      </p>
    </>
  )
}
