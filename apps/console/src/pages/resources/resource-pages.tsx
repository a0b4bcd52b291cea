import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { CardSimulator } from './card-simulator.tsx'
import { Detail, page } from './detail.tsx'
import { OperationsOf, ProviderAccounts } from './stablecoin-parts.tsx'

/** Cards, agents and stablecoins: a list and a page for each, with the acts that stand by. */

type Card = Item<'listCards'>
type Agent = Item<'listAgents'>
type Stablecoin = Item<'listStablecoins'>

export function CardsPage() {
  const { corridor } = useSession()
  return (
    <>
      <PageHead title={words.pages.cards} />
      <Rows<Card>
        label="Cards"
        list={['cards']}
        read={(cursor) => corridor.cards.list(page(cursor))}
        columns={[
          { title: 'Card', cell: ({ last4, brand }) => `${brand ?? 'Card'} …${last4 ?? '????'}` },
          { title: 'Form', isWide: true, cell: ({ form }) => form },
          { title: 'Cardholder', isWide: true, cell: ({ cardholderId }) => <Id id={cardholderId} short /> },
          { title: 'State', cell: ({ state }) => <Status status={state} /> },
          { title: 'Created', isWide: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `cards/${encodeURIComponent(id)}`}
        empty={<Nothing title="No cards were issued yet." cli="corridor cards create" />}
      />
    </>
  )
}

export function CardPage() {
  const { corridor, environment } = useSession()
  return (
    <Detail<Card>
      kind="card"
      read={(id) => corridor.cards.get(id)}
      path="cards"
      titleOf={({ brand, last4 }) => `${brand ?? 'Card'} …${last4 ?? '????'}`}
      acts={({ id, state }) =>
        state === 'ACTIVE' ? (
          <Act run={() => corridor.cards.update(id, { state: 'FROZEN' } as never)}>Freeze</Act>
        ) : state === 'FROZEN' ? (
          <Act run={() => corridor.cards.update(id, { state: 'ACTIVE' } as never)}>Unfreeze</Act>
        ) : null
      }
      statusOf={({ state }) => state}
      machine="card"
      parts={(card) => environment === 'sandbox' && <CardSimulator card={card} />}
    />
  )
}

export function AgentsPage() {
  const { corridor } = useSession()
  const approvals = useQuery({
    queryKey: ['approvals'],
    queryFn: async () => (await corridor.agents.approvals.list()).data,
    refetchInterval: 5_000,
  })
  return (
    <>
      <PageHead title={words.pages.agents} />
      <Part title="Waiting for approval">
        {approvals.isError && <Trouble error={approvals.error} onRetry={() => void approvals.refetch()} />}
        {approvals.data?.length === 0 && <Nothing title="Nothing waits." />}
        <ul className="steps">
          {approvals.data?.map(({ id, agentId, type, createdAt }) => (
            <li key={id}>
              <span>
                {type} by <Id id={agentId} short />, <Moment at={createdAt} />
              </span>
              <span className="acts">
                <Act isMain run={() => corridor.agents.actions.approve(agentId, id)}>
                  Approve
                </Act>
                <Act confirm="Reject it for good" run={() => corridor.agents.actions.reject(agentId, id)}>
                  Reject
                </Act>
              </span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="All agents">
        <Rows<Agent>
          label="Agents"
          list={['agents']}
          read={(cursor) => corridor.agents.list(page(cursor))}
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Customer', isWide: true, cell: ({ customerId }) => <Id id={customerId} short /> },
            { title: 'Connected', cell: ({ isConnected }) => (isConnected ? 'yes' : 'no') },
            { title: 'State', cell: ({ isPaused }) => <Status status={isPaused ? 'PAUSED' : 'ACTIVE'} /> },
          ]}
          keyOf={({ id }) => id}
          to={({ id }) => `agents/${encodeURIComponent(id)}`}
          empty={<Nothing title="No agents yet." cli="corridor agents create" />}
        />
      </Part>
    </>
  )
}

export function AgentPage() {
  const { corridor } = useSession()
  return (
    <Detail<Agent>
      kind="agent"
      read={(id) => corridor.agents.get(id)}
      path="agents"
      titleOf={({ name }) => name}
      acts={({ id, isPaused }) => (
        <Act run={() => corridor.agents.update(id, { isPaused: !isPaused } as never)}>
          {isPaused ? 'Resume' : 'Pause'}
        </Act>
      )}
      statusOf={({ isPaused }) => (isPaused ? 'PAUSED' : 'ACTIVE')}
    />
  )
}

export function StablecoinsPage() {
  const { corridor } = useSession()
  return (
    <>
      <PageHead title={words.pages.stablecoins} />
      <Rows<Stablecoin>
        label="Stablecoins"
        list={['stablecoins']}
        read={(cursor) => corridor.stablecoins.list(page(cursor))}
        columns={[
          { title: 'Name', cell: ({ name, symbol }) => `${name} (${symbol})` },
          { title: 'Network', isWide: true, cell: ({ network }) => network },
          { title: 'Issuance', cell: ({ issuanceStatus }) => <Status status={issuanceStatus} /> },
          {
            title: 'Operations',
            isWide: true,
            cell: ({ gridOperationsStatus: status }) => <Status status={status} />,
          },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `stablecoins/${encodeURIComponent(id)}`}
        empty={<Nothing title="No stablecoins are registered." cli="corridor stablecoins create" />}
      />
      <ProviderAccounts />
    </>
  )
}

export function StablecoinPage() {
  const { corridor } = useSession()
  return (
    <Detail<Stablecoin>
      kind="stablecoin"
      read={(id) => corridor.stablecoins.get(id)}
      path="stablecoins"
      titleOf={({ name, symbol }) => `${name} (${symbol})`}
      statusOf={({ issuanceStatus }) => issuanceStatus}
      machine="stablecoin issuance"
      parts={({ id }) => <OperationsOf stablecoin={id} />}
    />
  )
}
