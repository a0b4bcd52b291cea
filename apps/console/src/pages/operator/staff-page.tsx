import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readSession } from '../../app/console-api.ts'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { LastSeen } from '../../parts/last-used.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { Done, type Outcome } from './done.tsx'
import { useNames, useOperatorNames } from './names.ts'
import { type Account, isProposed, type PersonSession, useOperator } from './operator-api.ts'
import { JoinCode, Proposals } from './proposals.tsx'
import { Who } from './who.tsx'

const roles = ['VIEWER', 'REVIEWER', 'OPERATOR', 'ADMINISTRATOR']

/** Who runs the installation, what waits for a second person, and who is signed in. */
export function StaffPage() {
  return (
    <>
      <PageHead title={words.operator.staff} />
      <Part title={t('Proposals')}>
        <Proposals />
      </Part>
      <Part title={t('Operators')}>
        <Accounts />
      </Part>
      <Part title={t('Signed in to the console')}>
        <SignedIn />
      </Part>
    </>
  )
}

function Accounts() {
  const { page, post, delete: remove, id: own, role: ownRole } = useOperator()
  const mayChange = ownRole === 'ADMINISTRATOR'
  const [name, setName] = useState('')
  const [role, setRole] = useState('VIEWER')
  const [outcome, setOutcome] = useState<Outcome>()
  const [code, setCode] = useState<string>()
  return (
    <>
      <div className="fields">
        <label>
          <span>{t('Name of a new operator')}</span>
          <input name="name" value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          <span>{t('Role')}</span>
          <select name="role" value={role} onChange={(event) => setRole(event.target.value)}>
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <Act
          asks={t('Give {name} an account as {role}', { name: name.trim(), role })}
          isDisabled={name.trim() === ''}
          lacks={mayChange ? undefined : t('An administrator creates and ends accounts.')}
          run={() => post<{ joinCode?: string }>('operators', { name: name.trim(), role })}
          then={(made) => {
            setOutcome(isProposed(made) ? 'PROPOSED' : 'DONE')
            setCode(made.joinCode)
            setName('')
          }}
        >
          {t('Give an account')}
        </Act>
      </div>
      <Done outcome={outcome} />
      {code && <JoinCode code={code} />}
      <Rows<Account>
        label={t('Operators')}
        list={['operator', 'operators-list']}
        read={(cursor) => page<Account>('operators', cursor)}
        columns={[
          { title: t('Name'), cell: (account) => account.name },
          { title: t('Role'), cell: (account) => account.role },
          { title: t('State'), isWide: true, cell: ({ status }) => <Status status={status} /> },
          {
            title: t('Key until'),
            isWide: true,
            width: 'moment',
            cell: ({ keyExpiresAt }) => <Moment at={keyExpiresAt} short />,
          },
          {
            title: t('Act'),
            cell: (account) =>
              !mayChange ||
              account.status === 'ENDED' ||
              account.id === own ||
              account.id === 'operator' ? null : (
                <Act
                  confirm={t('End the account of {name}', { name: account.name })}
                  run={() => remove(`operators/${encodeURIComponent(account.id)}`)}
                >
                  {t('End')}
                </Act>
              ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title={t('No operator accounts yet.')} />}
      />
    </>
  )
}

function SignedIn() {
  const { page, delete: remove } = useOperator()
  const nameOf = useNames()
  const operatorOf = useOperatorNames()
  const own = useQuery({
    queryKey: ['operator', 'own-session'],
    queryFn: async () => (await readSession()) ?? null,
  })
  return (
    <Rows<PersonSession>
      label={t('Sessions')}
      list={['operator', 'sessions-list']}
      read={(cursor) => page<PersonSession>('sessions', cursor)}
      columns={[
        {
          title: t('Who'),
          cell: ({ id, subject }) => (
            <>
              <Who id={subject} /> {id === own.data?.id && t('(this one)')}
            </>
          ),
        },
        {
          title: t('Platform'),
          isWide: true,
          cell: ({ platformId, environment }) =>
            platformId === undefined ? t('operators') : `${nameOf({ platformId })} ${environment ?? ''}`,
        },
        {
          title: t('Since'),
          isWide: true,
          width: 'moment',
          cell: ({ signedInAt }) => <Moment at={signedInAt} short />,
        },
        {
          title: t('Last used'),
          isWide: true,
          width: 'moment',
          cell: ({ seenAt }) => <LastSeen at={seenAt} />,
        },
        {
          title: t('Act'),
          cell: ({ id, subject, endedAt }) =>
            endedAt === undefined ? (
              <Act
                confirm={t('End the session of {who}', { who: operatorOf(subject) })}
                run={() => remove(`sessions/${encodeURIComponent(id)}`)}
              >
                {t('End')}
              </Act>
            ) : (
              t('ended')
            ),
        },
      ]}
      keyOf={({ id }) => id}
      to={() => undefined}
      empty={<Nothing title={t('No sessions.')} />}
    />
  )
}
