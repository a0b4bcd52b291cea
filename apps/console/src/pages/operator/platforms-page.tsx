import { useState } from 'react'
import { Go } from '../../app/places.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { LastUsed } from '../../parts/last-used.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { relativeOf } from '../../parts/times.ts'
import { words } from '../../words.ts'
import { Credential, type Made } from './credential.tsx'
import { type Platform, placeOfBook, useOperator } from './operator-api.ts'

/** All platforms; each leads into its own pages, where what an operator looks at is in the audit log. */
export function PlatformsPage() {
  const { page } = useOperator()
  return (
    <>
      <PageHead title={words.operator.platforms} />
      <NewPlatform />
      <Rows<Platform>
        label={t('Platforms')}
        list={['operator', 'platforms-list']}
        read={() => page<Platform>('platforms')}
        columns={[
          { title: t('Name'), cell: ({ name }) => name },
          { title: t('Environment'), cell: ({ environment }) => environment },
          {
            title: t('Regulated'),
            isNamed: true,
            isWide: true,
            cell: ({ isRegulated }) => (isRegulated ? t('yes') : t('no')),
          },
          { title: t('Id'), isWide: true, width: 'end', cell: ({ id }) => <IdEnd id={id} /> },
          {
            title: t('Since'),
            isWide: true,
            isExtra: true,
            width: 'moment',
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
          {
            title: t('Last request noted'),
            isWide: true,
            width: 'moment',
            cell: ({ lastRequestAt, now }) => <LastRequest at={lastRequestAt} now={now} />,
          },
          {
            title: t('Last use of the key, to the hour'),
            isWide: true,
            width: 'moment',
            cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} />,
          },
          {
            title: t('Credentials'),
            cell: ({ id, environment, keys }) => (
              <Go to={`platforms/${id}?environment=${environment}`}>
                {t('{keys, plural, =0 {No keys} one {# key} other {# keys}}', { keys })}
              </Go>
            ),
          },
          {
            title: t('Its pages'),
            cell: ({ id, environment, name }) => (
              <Go
                to={placeOfBook({ platformId: id, environment })}
                aria-label={t('Switch to {name} {environment}', { name, environment })}
              >
                {t('Switch to')}
              </Go>
            ),
          },
        ]}
        keyOf={({ id, environment }) => `${id} ${environment}`}
        to={({ id, environment }) => placeOfBook({ platformId: id, environment })}
        empty={<Nothing title={t('There are no platforms yet.')} />}
      />
    </>
  )
}

/** How long ago that was at the platform, whose clock may be another one. */
function LastRequest({ at, now }: { readonly at: string | undefined; readonly now: string }) {
  if (at === undefined) return '—'
  return (
    <time dateTime={at} title={at}>
      {relativeOf(Math.min(0, Date.parse(at) - Date.parse(now)))}
    </time>
  )
}

/** Ids of one moment begin alike. */
function IdEnd({ id }: { readonly id: string }) {
  return (
    <span className="id" title={id}>
      …{id.slice(-6)}
    </span>
  )
}

interface Created extends Platform {
  readonly token?: Made
  readonly webhookPublicKey: string
}

const environments = ['SANDBOX', 'PRODUCTION'] as const

function NewPlatform() {
  const { post } = useOperator()
  const [name, setName] = useState('')
  const [environment, setEnvironment] = useState<Platform['environment']>('SANDBOX')
  const [isRegulated, setRegulated] = useState(false)
  const [made, setMade] = useState<Created>()
  const called = name.trim()
  return (
    <Part title={t('New platform')}>
      <div className="fields">
        <label>
          <span>{t('Name; the same one again gives a platform the other environment')}</span>
          <input value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          <span>{t('Environment')}</span>
          <select
            value={environment}
            onChange={(event) => setEnvironment(event.target.value as Platform['environment'])}
          >
            {environments.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('Regulated financial institution')}</span>
          <select
            value={isRegulated ? 'yes' : 'no'}
            onChange={(event) => setRegulated(event.target.value === 'yes')}
          >
            <option value="no">{t('no')}</option>
            <option value="yes">{t('yes')}</option>
          </select>
        </label>
        <Act
          isDisabled={called === ''}
          of={{ environment }}
          asks={t('Create {name} in PRODUCTION', { name: called })}
          run={() => post<Created>('platforms', { name: called, environment, isRegulated })}
          then={(created) => {
            setMade(created)
            setName('')
          }}
        >
          {t('New platform')}
        </Act>
      </div>
      {made?.token && <Credential of={made.token} name={`${made.name} ${made.environment}`} />}
    </Part>
  )
}
