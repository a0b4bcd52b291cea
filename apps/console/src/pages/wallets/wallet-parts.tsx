import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { StatePicture } from '../../parts/state-picture/state-picture.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { credentials, wordOf } from '../resources/codes.ts'
import { Detail, whole } from '../resources/detail.tsx'

type Credential = Item<'listAuthCredentials'>
type WalletSession = Item<'listAuthSessions'>
type DelegatedKey = Item<'listDelegatedKeys'>

/** Who may sign for an embedded wallet: its credentials, its sessions, the keys it has delegated. */
export function WalletParts({ account }: { readonly account: string }) {
  const { corridor } = useSession()
  const query = { accountId: account } as never
  const signing = useQuery({
    queryKey: ['wallet-signing', account],
    queryFn: async () => {
      const [credentials, sessions] = await Promise.all([
        corridor.auth.credentials.list(query),
        corridor.auth.sessions.list(query),
      ])
      return { credentials: credentials.data.length, sessions: sessions.data.length }
    },
  })
  return (
    <>
      <Part title={t('Credentials of the wallet')}>
        <Rows<Credential>
          label={t('Credentials of the wallet')}
          list={['credentials', account]}
          read={() => whole(corridor.auth.credentials.list(query))}
          columns={[
            { title: t('Name'), cell: ({ nickname, type }) => nickname ?? wordOf(credentials, type) },
            { title: t('Type'), cell: ({ type }) => wordOf(credentials, type) },
            {
              title: t('Created'),
              isWide: true,
              width: 'moment',
              cell: ({ createdAt }) => <Moment at={createdAt} short />,
            },
            {
              title: t('Act'),
              cell: ({ id, type, nickname }) =>
                type === 'EMAIL_OTP' || type === 'SMS_OTP' ? (
                  <Act
                    asks={t('Send a code to {name}', { name: nickname ?? wordOf(credentials, type) })}
                    run={() => corridor.auth.credentials.challenge(id)}
                  >
                    {t('Send a code')}
                  </Act>
                ) : (
                  '—'
                ),
            },
          ]}
          keyOf={({ id }) => id}
          to={() => undefined}
          empty={
            <Nothing title={t('The wallet has no credentials.')} cli="corridor auth credentials create" />
          }
        />
        {/* Those that are listed can be used; one that was revoked is listed no more. */}
        {signing.data !== undefined && signing.data.credentials > 0 && (
          <StatePicture of="wallet credential" now="ACTIVE" title={t('States of a credential')} />
        )}
      </Part>
      <Part title={t('Sessions of the wallet')}>
        <Rows<WalletSession>
          label={t('Sessions of the wallet')}
          list={['sessions', account]}
          read={() => whole(corridor.auth.sessions.list(query))}
          columns={[
            { title: t('Session'), cell: ({ id }) => <Id id={id} short /> },
            { title: t('Type'), cell: ({ type }) => wordOf(credentials, type) },
            { title: t('Ends'), width: 'moment', cell: ({ expiresAt }) => <Moment at={expiresAt} short /> },
          ]}
          keyOf={({ id }) => id}
          to={() => undefined}
          empty={<Nothing title={t('The wallet has no sessions.')} />}
        />
        {signing.data !== undefined && signing.data.sessions > 0 && (
          <StatePicture of="wallet session" now="ACTIVE" title={t('States of a session')} />
        )}
      </Part>
      <Part title={t('Delegated keys')}>
        <Rows<DelegatedKey>
          label={t('Delegated keys')}
          list={['delegated-keys', account]}
          read={() => whole(corridor.auth.delegatedKeys.list(query))}
          columns={[
            { title: t('Name'), cell: ({ nickname, id }) => nickname ?? <Id id={id} short /> },
            { title: t('Card'), isWide: true, cell: ({ cardId }) => <Id id={cardId} short /> },
            { title: t('Status'), cell: ({ status }) => <Status status={status} /> },
          ]}
          keyOf={({ id }) => id}
          to={({ id }) => `delegated-keys/${encodeURIComponent(id)}`}
          empty={
            <Nothing
              title={t('The wallet has no delegated keys.')}
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
