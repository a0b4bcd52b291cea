import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Facts, Moment } from '../../parts/facts.tsx'
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
  ['VIEW', 'VIEW: look'],
  ['TRANSACT', 'TRANSACT: pay'],
  ['MANAGE', 'MANAGE: change settings'],
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
    <Part title="Tokens">
      <div className="fields">
        <label>
          <span>Name of a new token</span>
          <input name="name" value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </label>
        <fieldset>
          <legend className="hidden">What it may do</legend>
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
          run={() => corridor.tokens.create({ name: name.trim(), permissions: [...given] })}
          then={(token) => {
            setMade(token as Made)
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
              <div className="acts">
                <Act
                  confirm={`Another secret for ${token.name}; the one of now is good for one more day`}
                  run={() => corridor.tokens.rotate(token.id)}
                  then={(rotated) => setMade(rotated as Made)}
                >
                  Rotate
                </Act>
                <Act confirm={`Revoke ${token.name} for good`} run={() => corridor.tokens.delete(token.id)}>
                  Revoke
                </Act>
              </div>
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

/** What customers agree to, where it has to be shown to them. */
function Terms() {
  const { corridor } = useSession()
  const terms = useQuery({
    queryKey: ['terms'],
    queryFn: () => corridor.customers.endUserTerms.get(),
    retry: false,
  })
  return (
    <Part title="Terms for customers">
      {terms.isPending ? (
        <Loading />
      ) : terms.data ? (
        <Facts
          of={[
            ['Version', terms.data.version],
            [
              'Text',
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
