import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { type FaultForm, faults } from '../../generated/faults.ts'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { NoPage } from '../../parts/no-page.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { page } from '../resources/detail.tsx'
import { EndFault, LeftOf } from './end-fault.tsx'
import { type Fault, told } from './fault-words.ts'

/** What fails on purpose in the sandbox, and what makes something fail. */
export function FaultsPage() {
  const { corridor, environment } = useSession()
  const any = useQuery({
    queryKey: ['list', 'faults', 'any'],
    queryFn: async () => (await corridor.sandbox.faults.list({ limit: 1 } as never)).data.length > 0,
    enabled: environment === 'sandbox',
    refetchInterval: 5_000,
  })
  if (environment !== 'sandbox') return <NoPage />
  return (
    <>
      <PageHead title={words.pages.faults}>
        <Act
          isDisabled={any.data === false}
          confirm={words.faults.surelyEndAll}
          run={() => corridor.sandbox.faults.deleteAll()}
        >
          {words.faults.endAll}
        </Act>
      </PageHead>
      <Rows<Fault>
        label={words.pages.faults}
        list={['faults']}
        read={(cursor) => corridor.sandbox.faults.list(page(cursor))}
        columns={[
          { title: t('How'), cell: ({ kind }) => kind },
          { title: t('What'), cell: ({ target }) => words.faults.targets[target] ?? target },
          {
            title: t('Hit'),
            isAmount: true,
            cell: ({ hits, seen }) => t('{hits} of {seen}', { hits, seen }),
          },
          { title: t('Left'), isWide: true, cell: (fault) => <LeftOf of={fault} /> },
          { title: t('Which'), isWide: true, width: 'event', cell: ({ match }) => told(match) },
          { title: t('Seed'), isExtra: true, width: 'end', cell: ({ seed }) => seed || '—' },
          {
            title: t('Made'),
            isWide: true,
            width: 'moment',
            cell: ({ createdAt }) => <Moment at={createdAt} short />,
          },
          { title: t('Act'), width: 'end', cell: (fault) => <EndFault of={fault} /> },
        ]}
        keyOf={({ id }) => id}
        to={({ id }) => `sandbox/faults/${encodeURIComponent(id)}`}
        empty={<Nothing title={words.faults.none} cli="corridor sandbox faults create" />}
      />
      <Part title={words.faults.make}>
        <NewFault />
      </Part>
    </>
  )
}

/** Fields that every kind has. */
const ofAll = ['times', 'probability', 'seed', 'after', 'until'] as const
/** Fields whose value is a number. */
const numbers: ReadonlySet<string> = new Set([
  'times',
  'after',
  'probability',
  'minAmount',
  'ms',
  'bytesPerSecond',
  'status',
  'retryAfter',
  'copies',
  'seconds',
  'bps',
  'n',
])
const choices: Readonly<Record<string, readonly string[]>> = {
  distribution: ['FIXED', 'LONG_TAILED'],
  order: ['ONE_BY_ONE', 'AT_ONCE'],
  outcome: ['002', '003', '004', '005', '006', '007'],
}

/** Only the fields that the kind takes; what is wrong is said by the API, all at once. */
function NewFault() {
  const { corridor } = useSession()
  const [target, setTarget] = useState('API')
  const [chosen, setKind] = useState('')
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const [isHidden, setHidden] = useState(false)
  const { matches, kinds } = faults[target]!
  const kind = chosen in kinds ? chosen : Object.keys(kinds)[0]!
  const { what, must, may } = kinds[kind] as FaultForm
  const params = [...must, ...may]
  const value = (name: string) => (given[name] ?? '').trim()
  const set = (name: string) => (text: string) => setGiven({ ...given, [name]: text })
  const create = () =>
    corridor.sandbox.faults.create({
      kind,
      target,
      match: valuesOf(matches, value),
      params: valuesOf(params, value),
      ...valuesOf(ofAll, value),
      hidden: isHidden,
    } as never)
  return (
    <div className="fields">
      <label>
        <span>{words.faults.target}</span>
        <select name="target" value={target} onChange={(event) => setTarget(event.target.value)}>
          {Object.keys(faults).map((each) => (
            <option key={each} value={each}>
              {words.faults.targets[each] ?? each}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{words.faults.kind}</span>
        <select name="kind" value={kind} onChange={(event) => setKind(event.target.value)}>
          {Object.keys(kinds).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <p className="muted line" role="status">
        {what.replaceAll('`', '')}
      </p>
      {[...params, ...matches].map((name) => (
        <Field key={name} name={name} value={given[name] ?? ''} onChange={set(name)} />
      ))}
      {ofAll.map((name) => (
        <Field key={name} name={name} value={given[name] ?? ''} onChange={set(name)} />
      ))}
      <label className="check">
        <input type="checkbox" checked={isHidden} onChange={(event) => setHidden(event.target.checked)} />
        <span>{words.faults.hidden}</span>
      </label>
      <Act isMain run={create} isDisabled={must.some((name) => value(name) === '')} then={() => setGiven({})}>
        {words.faults.create}
      </Act>
    </div>
  )
}

const labels: Readonly<Record<string, string>> = {
  times: words.faults.times,
  probability: words.faults.probability,
  after: words.faults.after,
  seed: t('Seed of the random choice'),
  until: t('End on the sandbox clock, as 2025-10-13T10:00:00Z'),
}

function Field({
  name,
  value,
  onChange,
}: {
  readonly name: string
  readonly value: string
  readonly onChange: (text: string) => void
}) {
  const label = labels[name] ?? words.faults.fields[name] ?? name
  const options = choices[name]
  return (
    <label htmlFor={`fault-${name}`}>
      <span>{label}</span>
      {options ? (
        <select
          id={`fault-${name}`}
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">—</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          id={`fault-${name}`}
          name={name}
          value={value}
          maxLength={100}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </label>
  )
}

/** What was given of these, as the API takes it: a number where it is one, and what is none as it was typed, to be refused. */
function valuesOf(
  names: readonly string[],
  value: (name: string) => string,
): Record<string, string | number> {
  const values: Record<string, string | number> = {}
  for (const name of names) {
    const text = value(name)
    if (text === '') continue
    values[name] = numbers.has(name) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
  }
  return values
}
