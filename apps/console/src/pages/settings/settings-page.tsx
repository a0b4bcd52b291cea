import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts } from '../../parts/facts.tsx'
import { LastUsed, lastUsed } from '../../parts/last-used.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { Configuration } from './configuration.tsx'

type Token = Item<'listTokens'>
interface Made {
  readonly clientId: string
  readonly clientSecret: string | undefined
}

const permissions = [
  ['VIEW', t('VIEW: look')],
  ['TRANSACT', t('TRANSACT: pay')],
  ['MANAGE', t('MANAGE: change settings')],
] as const
type Permission = (typeof permissions)[number][0]

export function SettingsPage() {
  return (
    <>
      <PageHead title={words.pages.settings} />
      <Configuration />
      <Tokens />
      <Terms />
    </>
  )
}

function Tokens() {
  const { corridor } = useSession()
  const [name, setName] = useState('')
  const [given, setGiven] = useState<readonly Permission[]>(['VIEW'])
  const [made, setMade] = useState<Made>()
  return (
    <Part title={t('Tokens')}>
      <div className="fields">
        <label>
          <span>{t('Name of a new token')}</span>
          <input name="name" value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </label>
        <fieldset>
          <legend className="hidden">{t('What it may do')}</legend>
          {permissions.map(([permission, may]) => (
            <label key={permission} className="check">
              <input
                type="checkbox"
                checked={given.includes(permission)}
                onChange={({ target: { checked } }) =>
                  setGiven((before) =>
                    checked ? [...before, permission] : before.filter((each) => each !== permission),
                  )
                }
              />
              {may}
            </label>
          ))}
        </fieldset>
        <Act
          isDisabled={name.trim() === '' || given.length === 0}
          asks={t('Create the token {name} in production', { name: name.trim() })}
          run={() => corridor.tokens.create({ name: name.trim(), permissions: [...given] })}
          then={(token) => {
            setMade(token as Made)
            setName('')
          }}
        >
          {t('Create')}
        </Act>
      </div>
      {made && (
        <p className="news" role="status">
          {rich('Client id {id}, secret {secret}. The secret is shown only once.', {
            id: <code>{made.clientId}</code>,
            secret: <code>{made.clientSecret}</code>,
          })}{' '}
          <button type="button" onClick={() => setMade(undefined)}>
            {t('I have it')}
          </button>
        </p>
      )}
      <Rows<Token>
        label={t('Tokens')}
        list={['tokens']}
        read={(cursor) => corridor.tokens.list({ limit: 100, ...(cursor ? { cursor } : {}) } as never)}
        columns={[
          { title: t('Name'), cell: (token) => token.name },
          {
            title: t('Permissions'),
            isWide: true,
            cell: ({ permissions }) => <span className="unshortened">{permissions.join(' ')}</span>,
          },
          { title: lastUsed, isWide: true, cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} /> },
          {
            title: t('Act'),
            cell: (token) => (
              <div className="acts">
                <Act
                  confirm={t('New secret for {name}; the current one stays valid for one more day', {
                    name: token.name,
                  })}
                  run={() => corridor.tokens.rotate(token.id)}
                  then={(rotated) => setMade(rotated as Made)}
                >
                  {t('Rotate')}
                </Act>
                <Act
                  confirm={t('Revoke {name} for good', { name: token.name })}
                  run={() => corridor.tokens.delete(token.id)}
                >
                  {t('Revoke')}
                </Act>
              </div>
            ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title={t('No tokens.')} cli="corridor tokens create" />}
      />
    </Part>
  )
}

/** What customers agree to, where it has to be shown to them. */
function Terms() {
  const { corridor } = useSession()
  const terms = useQuery({
    queryKey: ['terms'],
    queryFn: () => corridor.customers.endUserTerms.get(),
    retry: false,
  })
  return (
    <Part title={t('Terms for customers')}>
      {terms.isPending ? (
        <Loading />
      ) : terms.data ? (
        <Facts
          of={[
            [t('Version'), terms.data.version],
            [
              t('Text'),
              <a key="u" className="id" href={terms.data.url}>
                {terms.data.url}
              </a>,
            ],
          ]}
        />
      ) : (
        <Trouble error={terms.error} onRetry={() => void terms.refetch()} />
      )}
    </Part>
  )
}
