import type { Item } from '@corridor/sdk/index.ts'
import { usePlaces } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Id, Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { Detail, page } from '../resources/detail.tsx'
import { EndFault, LeftOf } from './end-fault.tsx'
import { type Fault, told } from './fault-words.ts'

type Activation = Item<'listSandboxFaultActivations'>

/** One fault: what it does, and what it has hit. */
export function FaultPage() {
  const { corridor } = useSession()
  const { go } = usePlaces()
  return (
    <Detail<Fault>
      kind="fault"
      path="sandbox/faults"
      sdk="sandbox.faults"
      read={(id) => corridor.sandbox.faults.get(id)}
      titleOf={({ kind, target }) => `${kind} · ${words.faults.targets[target] ?? target}`}
      facts={(fault) => [
        [t('Which'), told(fault.match)],
        [t('With'), told(fault.params)],
        [t('Probability'), String(fault.probability)],
        [t('Hit'), t('{hits} of {seen}', { hits: fault.hits, seen: fault.seen })],
        [t('Seed'), fault.seed],
        [t('Left'), <LeftOf key="l" of={fault} />],
        [t('Ends'), fault.until && <Moment key="e" at={fault.until} />],
      ]}
      acts={(fault) => <EndFault of={fault} then={() => go('sandbox/faults')} />}
      parts={({ id }) => (
        <Part title={words.faults.hits}>
          <Rows<Activation>
            label={words.faults.hits}
            list={['fault activations', id]}
            read={(cursor) => corridor.sandbox.faults.activations.list(id, page(cursor))}
            columns={[
              { title: t('When'), width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
              { title: t('What'), cell: ({ subject }) => <Id id={subject} short /> },
              {
                title: t('Operation'),
                isNamed: true,
                isWide: true,
                cell: ({ operationId }) => operationId ?? '—',
              },
              {
                title: t('Request'),
                isNamed: true,
                isWide: true,
                cell: ({ requestId }) =>
                  requestId === undefined || requestId === null ? (
                    '—'
                  ) : (
                    <span className="id">{requestId}</span>
                  ),
              },
            ]}
            keyOf={({ id: activation }) => activation}
            to={({ subject, requestId }) =>
              subject.startsWith('Transaction:')
                ? `payments/${encodeURIComponent(subject)}`
                : requestId
                  ? `requests/${encodeURIComponent(requestId)}`
                  : undefined
            }
            empty={<Nothing title={words.faults.noHits} />}
          />
        </Part>
      )}
    />
  )
}
