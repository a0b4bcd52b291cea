import type { Item } from '@corridor/sdk/index.ts'
import { useSession } from '../../app/session.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { readable, Status } from '../../parts/status.tsx'
import { Detail, whole } from '../resources/detail.tsx'

type Credential = Item<'listAuthCredentials'>
type WalletSession = Item<'listAuthSessions'>
type DelegatedKey = Item<'listDelegatedKeys'>

/** Who may sign for an embedded wallet: its credentials, its sessions, the keys it has delegated. */
export function WalletParts({ account }: { readonly account: string }) {
  const { corridor } = useSession()
  const query = { accountId: account } as never
  return (
    <>
      <Part title="Credentials of the wallet">
        <Rows<Credential>
          label="Credentials of the wallet"
          list={['credentials', account]}
          read={() => whole(corridor.auth.credentials.list(query))}
          columns={[
            { title: 'Name', cell: ({ nickname, type }) => nickname ?? readable(type) },
            { title: 'Type', cell: ({ type }) => readable(type) },
            { title: 'Created', isWide: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
          ]}
          keyOf={({ id }) => id}
          to={() => undefined}
          empty={<Nothing title="The wallet has no credentials." cli="corridor auth credentials create" />}
        />
      </Part>
      <Part title="Sessions of the wallet">
        <Rows<WalletSession>
          label="Sessions of the wallet"
          list={['sessions', account]}
          read={() => whole(corridor.auth.sessions.list(query))}
          columns={[
            { title: 'Session', cell: ({ id }) => <Id id={id} short /> },
            { title: 'Type', cell: ({ type }) => readable(type) },
            { title: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          ]}
          keyOf={({ id }) => id}
          to={() => undefined}
          empty={<Nothing title="Nobody is signed in to the wallet." />}
        />
      </Part>
      <Part title="Delegated keys">
        <Rows<DelegatedKey>
          label="Delegated keys"
          list={['delegated-keys', account]}
          read={() => whole(corridor.auth.delegatedKeys.list(query))}
          columns={[
            { title: 'Name', cell: ({ nickname, id }) => nickname ?? <Id id={id} short /> },
            { title: 'Card', isWide: true, cell: ({ cardId }) => <Id id={cardId} short /> },
            { title: 'State', cell: ({ status }) => <Status status={status} /> },
          ]}
          keyOf={({ id }) => id}
          to={({ id }) => `delegated-keys/${encodeURIComponent(id)}`}
          empty={
            <Nothing title="The wallet has delegated no key." cli="corridor auth delegated-keys create" />
          }
        />
      </Part>
    </>
  )
}

export function DelegatedKeyPage() {
  const { corridor } = useSession()
  return (
    <Detail<DelegatedKey>
      kind="key"
      path="auth/delegated-keys"
      sdk="auth.delegatedKeys"
      read={(id) => corridor.auth.delegatedKeys.get(id)}
      titleOf={({ nickname }) => nickname ?? 'Delegated key'}
      statusOf={({ status }) => status}
      machine="delegated key"
      facts={({ accountId, cardId }) => [
        ['Wallet', <Id key="a" id={accountId} />],
        ['Card', <Id key="c" id={cardId} />],
      ]}
    />
  )
}
