import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { EndFault } from '../faults/end-fault.tsx'
import { type Fault, told, useLeftWords } from '../faults/fault-words.ts'
import { page } from '../resources/detail.tsx'

/** What is made to fail most often, with one press. */
const usual = [
  [t('Latency'), { kind: 'LATENCY', target: 'API', params: { ms: 2_000 } }],
  [
    t('Lost answer'),
    { kind: 'LOST_ANSWER', target: 'API', match: { operationId: 'executeQuote' }, times: 1 },
  ],
  [t('Duplicate'), { kind: 'DUPLICATE', target: 'WEBHOOK', params: { copies: 2 } }],
  [t('Out of order'), { kind: 'REORDER', target: 'WEBHOOK', params: { n: 3 } }],
  [t('Outage'), { kind: 'OUTAGE', target: 'RAIL' }],
  [t('Bank is silent'), { kind: 'SILENCE', target: 'RAIL' }],
] as const

/** So many are seen here; their page has all. */
const mostShown = 5

/** What fails on purpose now, each with a button that ends it, and what is usually made to fail. */
export function FaultsHere() {
  const { corridor } = useSession()
  const faults = useQuery({
    queryKey: ['list', 'faults', 'here'],
    queryFn: async () => await corridor.sandbox.faults.list(page(undefined)),
    refetchInterval: 5_000,
  })
  if (faults.isPending) return <Loading />
  if (!faults.data) return <Trouble error={faults.error} onRetry={() => void faults.refetch()} />
  const { data, totalCount = 0 } = faults.data
  return (
    <>
      {data.length === 0 && <p className="muted">{words.faults.none}</p>}
      <ul className="upcoming" aria-label={words.pages.faults}>
        {data.slice(0, mostShown).map((fault) => (
          <li key={fault.id}>
            <span>
              <Go to={`sandbox/faults/${encodeURIComponent(fault.id)}`}>
                {fault.kind} · {words.faults.targets[fault.target] ?? fault.target}
              </Go>{' '}
              <About of={fault} />
            </span>
            <EndFault of={fault} />
          </li>
        ))}
        {data.length > 0 && (
          <li>
            <Act confirm={words.faults.surelyEndAll} run={() => corridor.sandbox.faults.deleteAll()}>
              {words.faults.endAll}
            </Act>
          </li>
        )}
      </ul>
      <fieldset className="acts" aria-label={words.faults.make}>
        <span className="muted">{t('Make fail:')}</span>
        {usual.map(([name, fault]) => (
          <Act key={name} run={() => corridor.sandbox.faults.create(fault as never)}>
            {name}
          </Act>
        ))}
        <Go to="sandbox/faults">
          {totalCount > mostShown
            ? t('All {n}, and others', { n: totalCount })
            : t('Other operations, with all fields')}
        </Go>
      </fieldset>
    </>
  )
}

/** `railId SPEI · 3 left · seed 7 · hit 2 times`. */
function About({ of: fault }: { readonly of: Fault }) {
  const left = useLeftWords(fault)
  const { match, seed, hits } = fault
  const about = [
    Object.keys(match).length > 0 && told(match),
    left,
    seed !== '' && t('seed {seed}', { seed }),
    t('{hits, plural, =0 {no hits yet} one {one hit} other {# hits}}', { hits }),
  ]
  return <span className="muted">{about.filter(Boolean).join(' · ')}</span>
}
