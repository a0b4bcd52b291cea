import type { Item } from '@corridor/sdk/index.ts'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
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
      <Part title={t('Credentials of the wallet')}>
        <Rows<Credential>
          label={t('Credentials of the wallet')}
          list={['credentials', account]}
          read={() => whole(corridor.auth.credentials.list(query))}
          columns={[
            { title: t('Name'), cell: ({ nickname, type }) => nickname ?? readable(type) },
            { title: t('Type'), cell: ({ type }) => readable(type) },
            {
              title: t('Created'),
              isWide: true,
              width: 'moment',
              cell: ({ createdAt }) => <Moment at={createdAt} short />,
            },
          ]}
          keyOf={({ id }) => id}
          to={() => undefined}
          empty={
            <Nothing title={t('The wallet has no credentials.')} cli="corridor auth credentials create" />
          }
        />
      </Part>
      <Part title={t('Sessions of the wallet')}>
        <Rows<WalletSession>
          label={t('Sessions of the wallet')}
          list={['sessions', account]}
          read={() => whole(corridor.auth.sessions.list(query))}
          columns={[
            { title: t('Session'), cell: ({ id }) => <Id id={id} short /> },
            { title: t('Type'), cell: ({ type }) => readable(type) },
            { title: t('Ends'), width: 'moment', cell: ({ expiresAt }) => <Moment at={expiresAt} short /> },
          ]}
          keyOf={({ id }) => id}
          to={() => undefined}
          empty={<Nothing title={t('Nobody is signed in to the wallet.')} />}
        />
      </Part>
      <Part title={t('Delegated keys')}>
        <Rows<DelegatedKey>
          label={t('Delegated keys')}
          list={['delegated-keys', account]}
          read={() => whole(corridor.auth.delegatedKeys.list(query))}
          columns={[
            { title: t('Name'), cell: ({ nickname, id }) => nickname ?? <Id id={id} short /> },
            { title: t('Card'), isWide: true, cell: ({ cardId }) => <Id id={cardId} short /> },
            { title: t('State'), cell: ({ status }) => <Status status={status} /> },
          ]}
          keyOf={({ id }) => id}
          to={({ id }) => `delegated-keys/${encodeURIComponent(id)}`}
          empty={
            <Nothing
              title={t('The wallet has delegated no key.')}
              cli="corridor auth delegated-keys create"
            />
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
      titleOf={({ nickname }) => nickname ?? t('Delegated key')}
      statusOf={({ status }) => status}
      machine="delegated key"
      facts={({ accountId, cardId }) => [
        [t('Wallet'), <Id key="a" id={accountId} />],
        [t('Card'), <Id key="c" id={cardId} />],
      ]}
    />
  )
}
