import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { mainWorld } from '../../app/world-switch.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'

/** What a reset goes back to: there is none where worlds were off at the first start. */
export const startName = 'start'

/** Which world this is, what was copied of it, and what copies it or makes it what it was. */
export function WorldHere() {
  const { world = mainWorld, hasWorlds } = useSession()
  if (hasWorlds) return <Copies />
  return (
    <p>
      {world} · <span className="muted">{t('This server cannot copy the sandbox.')}</span>{' '}
      <Go to="sandbox/worlds">{t('How to copy it')}</Go>
    </p>
  )
}

function Copies() {
  const { corridor, world = mainWorld } = useSession()
  const { worlds } = corridor.sandbox
  const asked = useQuery({
    queryKey: ['worlds', 'here'],
    queryFn: async () => {
      const [forks, snapshots] = await Promise.all([worlds.list(), corridor.sandbox.snapshots.list()])
      return { forks: forks.data, snapshots: snapshots.data }
    },
  })
  if (asked.isPending) return <Loading />
  if (!asked.data) return <Trouble error={asked.error} onRetry={() => void asked.refetch()} />
  const { forks, snapshots } = asked.data
  const last = [...snapshots].sort((a, b) => a.createdAt.localeCompare(b.createdAt)).at(-1)
  const free = (stem: string, taken: readonly { readonly name: string }[]) => {
    const names = new Set(taken.map(({ name }) => name))
    let n = 1
    while (names.has(`${stem}-${n}`)) n++
    return `${stem}-${n}`
  }
  const snapshot = free('snapshot', snapshots)
  const fork = free('fork', forks)
  return (
    <>
      <p className="above">
        {world} ·{' '}
        <Go to="sandbox/worlds">
          {t('{n, plural, =0 {no forks} one {# fork} other {# forks}}', { n: forks.length })}
        </Go>{' '}
        ·{' '}
        {last ? (
          <>
            {t('last snapshot {name}', { name: last.name })} <Moment at={last.createdAt} short />
          </>
        ) : (
          t('no snapshot')
        )}
      </p>
      <div className="acts">
        <Act
          name={t('Take the snapshot {name}', { name: snapshot })}
          run={() => corridor.sandbox.snapshots.create({ name: snapshot })}
        >
          {t('Snapshot')}
        </Act>
        <Act name={t('Create the fork {name}', { name: fork })} run={() => worlds.create({ name: fork })}>
          {words.worlds.fork}
        </Act>
        {last && (
          <Act
            confirm={words.worlds.surelyRestore(last.name)}
            run={() => corridor.sandbox.snapshots.restore(last.name)}
          >
            {words.worlds.restore}
          </Act>
        )}
        {snapshots.some(({ name }) => name === startName) && (
          <Act confirm={words.worlds.surelyReset} run={() => corridor.sandbox.reset()}>
            {words.worlds.reset}
          </Act>
        )}
      </div>
    </>
  )
}
