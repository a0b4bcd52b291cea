import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { inWorld } from '../../app/world-switch.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Moment } from '../../parts/facts.tsx'
import { NoPage } from '../../parts/no-page.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { whole } from '../resources/detail.tsx'
import { startName } from '../sandbox/world-here.tsx'

type World = Item<'listSandboxWorlds'>
type Snapshot = Item<'listSandboxSnapshots'>

/** Copies of the sandbox that go on by themselves, and the sandbox as it was at a moment. */
export function WorldsPage() {
  const { environment, hasWorlds } = useSession()
  if (environment !== 'sandbox') return <NoPage />
  return hasWorlds ? <Worlds /> : <NoWorlds />
}

function NoWorlds() {
  return (
    <>
      <PageHead title={words.pages.worlds} />
      <Nothing title={words.worlds.off}>
        <code>CORRIDOR_WORLDS=on npm start</code>
        <code>corridor dev</code>
        <p>{words.worlds.needs}</p>
      </Nothing>
    </>
  )
}

function Worlds() {
  const session = useSession()
  const { corridor } = session
  const snapshots = useSnapshots()
  return (
    <>
      <PageHead title={words.pages.worlds}>
        {snapshots.data?.some(({ name }) => name === startName) && (
          <Act confirm={words.worlds.surelyReset} run={() => corridor.sandbox.reset()}>
            {words.worlds.reset}
          </Act>
        )}
      </PageHead>
      <p className="muted above">{words.worlds.what}</p>
      <Part title={words.worlds.forks}>
        <Fork />
        <Rows<World>
          label={words.worlds.forks}
          list={['worlds']}
          read={() => whole(corridor.sandbox.worlds.list())}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            {
              title: t('Address'),
              cell: ({ baseUrl }) => (
                <>
                  <code>{baseUrl}</code> <Copy name={t('address')} text={() => baseUrl} />
                </>
              ),
            },
            { title: t('Of'), isWide: true, cell: ({ from }) => from },
            {
              title: t('Created, in real time'),
              isWide: true,
              cell: ({ createdAt }) => <Moment at={createdAt} short />,
            },
            {
              title: t('Act'),
              cell: ({ name }) =>
                name === session.world ? (
                  t('You are here')
                ) : (
                  <div className="acts">
                    <Go to={inWorld({ ...session, world: name })}>{t('Open')}</Go>
                    <Act
                      confirm={words.worlds.surelyRemove(name)}
                      run={() => corridor.sandbox.worlds.delete(name)}
                    >
                      {words.worlds.remove}
                    </Act>
                  </div>
                ),
            },
          ]}
          keyOf={({ name }) => name}
          to={() => undefined}
          empty={<Nothing title={words.worlds.noForks} cli="corridor fork NAME" />}
        />
      </Part>
      <Part title={words.worlds.snapshots}>
        <Make word={words.worlds.take} run={(name) => corridor.sandbox.snapshots.create({ name })} />
        <Rows<Snapshot>
          label={words.worlds.snapshots}
          list={['snapshots']}
          read={() => whole(corridor.sandbox.snapshots.list())}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            { title: t('Of'), isWide: true, cell: ({ of }) => of },
            { title: t('Created, in real time'), cell: ({ createdAt }) => <Moment at={createdAt} short /> },
            {
              title: t('Act'),
              cell: ({ name }) => (
                <div className="acts">
                  <Act
                    confirm={words.worlds.surelyRestore(name)}
                    run={() => corridor.sandbox.snapshots.restore(name)}
                  >
                    {words.worlds.restore}
                  </Act>
                  {name !== 'start' && (
                    <Act
                      confirm={words.worlds.surelyRemove(name)}
                      run={() => corridor.sandbox.snapshots.delete(name)}
                    >
                      {words.worlds.remove}
                    </Act>
                  )}
                </div>
              ),
            },
          ]}
          keyOf={({ name }) => name}
          to={() => undefined}
          empty={<Nothing title={words.worlds.noSnapshots} cli="corridor snapshot NAME" />}
        />
      </Part>
    </>
  )
}

function useSnapshots() {
  const { corridor } = useSession()
  return useQuery({
    queryKey: ['snapshots'],
    queryFn: async () => (await corridor.sandbox.snapshots.list()).data,
  })
}

/** A fork of everything as it is now, or as it was in a snapshot. */
function Fork() {
  const { corridor } = useSession()
  const [chosen, setFrom] = useState('')
  const snapshots = useSnapshots()
  const names = snapshots.data?.map(({ name }) => name) ?? []
  // One that was removed meanwhile is no choice any more.
  const from = names.includes(chosen) ? chosen : ''
  return (
    <>
      {snapshots.isError && <Trouble error={snapshots.error} onRetry={() => void snapshots.refetch()} />}
      <Make
        word={words.worlds.fork}
        run={(name) => corridor.sandbox.worlds.create({ name, ...(from ? { from } : {}) })}
      >
        <label>
          <span>{words.worlds.from}</span>
          <select value={from} onChange={({ target }) => setFrom(target.value)}>
            <option value="">{words.worlds.asItIs}</option>
            {names.map((name) => (
              <option key={name} value={name}>
                {words.worlds.ofSnapshot(name)}
              </option>
            ))}
          </select>
        </label>
      </Make>
    </>
  )
}

/** A field for a name, and a button that makes something of that name. */
function Make({
  word,
  run,
  children,
}: {
  readonly word: string
  readonly run: (name: string) => PromiseLike<unknown>
  /** What else it is told. */
  readonly children?: ReactNode
}) {
  const [name, setName] = useState('')
  return (
    <div className="fields">
      <label>
        <span>{words.worlds.name(word)}</span>
        <input name="name" value={name} maxLength={40} onChange={(event) => setName(event.target.value)} />
      </label>
      {children}
      <Act isDisabled={name.trim() === ''} run={() => run(name.trim())} then={() => setName('')}>
        {word}
      </Act>
    </div>
  )
}
