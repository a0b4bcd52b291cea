import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Facts, Id, Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'

type Token = Item<'listTokens'>

export function SettingsPage() {
  return (
    <>
      <PageHead title={words.pages.settings} />
      <Configuration />
      <Tokens />
    </>
  )
}

function Configuration() {
  const { corridor } = useSession()
  const config = useQuery({ queryKey: ['config'], queryFn: () => corridor.config.get() })
  const [given, setGiven] = useState<string>()
  if (config.isPending) return <Loading />
  if (!config.data) return <Trouble error={config.error} onRetry={() => void config.refetch()} />
  const { data } = config
  const before = data.webhookEndpoint ?? ''
  const after = given ?? before
  return (
    <Part title="Configuration">
      <Facts
        of={[
          ['Id', <Id key="i" id={data.id} />],
          ['UMA domain', data.umaDomain],
          ['Regulated', data.isRegulatedFinancialInstitution ? 'yes' : 'no'],
          ['Currencies', data.supportedCurrencies.map(({ currencyCode }) => currencyCode).join(' ')],
          ['Changed', <Moment key="u" at={data.updatedAt} />],
        ]}
      />
      <div className="fields part wide-fields">
        <label>
          <span>Webhook endpoint</span>
          <input value={after} maxLength={2048} onChange={(event) => setGiven(event.target.value)} />
        </label>
        {after !== before && (
          <>
            <p>
              <del>{before || 'none'}</del> → <ins>{after || 'none'}</ins>
            </p>
            <Act
              isMain
              run={() => corridor.config.update({ webhookEndpoint: after.trim() } as never)}
              then={() => setGiven(undefined)}
            >
              Save
            </Act>
          </>
        )}
      </div>
    </Part>
  )
}

function Tokens() {
  const { corridor } = useSession()
  const [name, setName] = useState('')
  const [made, setMade] = useState<{ readonly clientId: string; readonly clientSecret: string | undefined }>()
  return (
    <Part title="Tokens">
      <div className="fields">
        <label>
          <span>Name of a new token that may only look</span>
          <input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </label>
        <Act
          isDisabled={name.trim() === ''}
          run={() => corridor.tokens.create({ name: name.trim(), permissions: ['VIEW'] } as never)}
          then={(token) => {
            setMade(token as never)
            setName('')
          }}
        >
          Create
        </Act>
      </div>
      {made && (
        <p className="news" role="status">
          Client id <code>{made.clientId}</code>, secret <code>{made.clientSecret}</code>. The secret is shown
          this once.{' '}
          <button type="button" onClick={() => setMade(undefined)}>
            I have it
          </button>
        </p>
      )}
      <Rows<Token>
        label="Tokens"
        list={['tokens']}
        read={(cursor) => corridor.tokens.list({ limit: 100, ...(cursor ? { cursor } : {}) } as never)}
        columns={[
          { title: 'Name', cell: (token) => token.name },
          { title: 'Permissions', isWide: true, cell: ({ permissions }) => permissions.join(' ') },
          { title: 'Last used', isWide: true, cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          {
            title: 'Act',
            cell: (token) => (
              <Act confirm={`Revoke ${token.name} for good`} run={() => corridor.tokens.delete(token.id)}>
                Revoke
              </Act>
            ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title="No tokens." cli="corridor tokens create" />}
      />
    </Part>
  )
}
