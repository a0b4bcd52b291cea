import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { pauseReasons } from '../../parts/explanation/words.ts'
import { Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { Done, type Outcome } from './done.tsx'
import { useNames } from './names.ts'
import { isProposed, type PayoutPause, type RailPause, useOperator } from './operator-api.ts'
import { useRails } from './rails.ts'

const whyOf = (code: string): string => (pauseReasons as Readonly<Record<string, string>>)[code] ?? code

/** What a pause is about, in words. */
export function useTarget(): (pause: RailPause) => string {
  const nameOf = useNames()
  return ({ rail, platformId }) => {
    const platform = platformId === undefined ? t('all platforms') : nameOf({ platformId })
    return rail === undefined
      ? t('all rails, of {platform}', { platform })
      : t('{rail}, of {platform}', { rail, platform })
  }
}

/** By whom, since when and why, in one line. */
export function PauseLine({ pause }: { readonly pause: RailPause }) {
  const targetOf = useTarget()
  const { pausedBy, pausedAt, reasonCode } = pause
  return (
    <p>
      {rich('{target}: by <who></who> since <at></at>, {why}', {
        target: targetOf(pause),
        who: () => (
          <span key="who" className="id">
            {pausedBy}
          </span>
        ),
        at: () => <Moment key="at" at={pausedAt} short />,
        why: whyOf(reasonCode),
      })}
    </p>
  )
}

/** Those in force with what waits because of each, and those that were lifted. */
export function Pauses() {
  const { page, post } = useOperator()
  const targetOf = useTarget()
  const [outcome, setOutcome] = useState<Outcome>()
  const [liftReason, setLiftReason] = useState('')
  const why = liftReason.trim()
  return (
    <Part title={t('Pauses')}>
      <Done outcome={outcome} />
      <div className="fields wide-fields">
        <label>
          <span>{t('Why a pause is lifted, if you say so')}</span>
          <input
            name="liftReason"
            value={liftReason}
            maxLength={500}
            onChange={(event) => setLiftReason(event.target.value)}
          />
        </label>
      </div>
      <Rows<PayoutPause>
        label={t('Pauses')}
        list={['operator', 'pauses']}
        read={(cursor) => page<PayoutPause>('pauses', cursor)}
        columns={[
          { title: t('What'), cell: (pause) => `${targetOf(pause)} ${pause.environment}` },
          { title: t('State'), isWide: true, cell: ({ status }) => <Status status={status} /> },
          { title: t('Wait'), cell: ({ held }) => held },
          {
            title: t('Since'),
            isWide: true,
            width: 'moment',
            cell: ({ pausedAt }) => <Moment at={pausedAt} short />,
          },
          {
            title: t('By'),
            isWide: true,
            cell: ({ pausedBy, liftedBy }) => (
              <span className="id">{[pausedBy, liftedBy].filter(Boolean).join(' → ')}</span>
            ),
          },
          {
            title: t('Why'),
            isWide: true,
            cell: ({ reasonCode, reason, liftReason: end }) => {
              const words = [reason, end].filter(Boolean).join(' → ')
              return <span title={words}>{`${whyOf(reasonCode)}: ${words}`}</span>
            },
          },
          {
            title: t('Act'),
            cell: (pause) =>
              pause.status === 'LIFTED' ? (
                <Moment at={pause.liftedAt} short />
              ) : (
                <Act
                  confirm={t('Lift the pause of {target} in {environment}', {
                    target: targetOf(pause),
                    environment: pause.environment,
                  })}
                  run={() =>
                    post<unknown>(
                      `pauses/${encodeURIComponent(pause.id)}/lift`,
                      why === '' ? undefined : { reason: why },
                    )
                  }
                  then={(answer) => {
                    setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')
                    setLiftReason('')
                  }}
                >
                  {t('Lift…')}
                </Act>
              ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title={t('Nothing was paused yet.')} />}
      />
    </Part>
  )
}

/** Those in force, also of platforms of which nothing is under way; whose role is too low for those sees the rails' alone. */
export function usePausesInForce(): readonly RailPause[] {
  const { page } = useOperator()
  const rails = useRails()
  const listed = useQuery({
    queryKey: ['operator', 'pauses-in-force'],
    queryFn: () => page<PayoutPause>('pauses', undefined, { status: 'IN_FORCE' }),
    refetchInterval: 15_000,
    retry: false,
  })
  const all = [...(rails.data?.data ?? []).flatMap((rail) => rail.pauses), ...(listed.data?.data ?? [])]
  return [...new Map(all.map((pause) => [pause.id, pause])).values()]
}

/** On the overview: what is held back at this moment, or nothing. */
export function PausesInForce() {
  const rails = useRails()
  const pauses = usePausesInForce()
  if (pauses.length === 0) return null
  const held = (rails.data?.data ?? []).reduce((sum, rail) => sum + rail.held, 0)
  return (
    <Part title={t('Paused payouts')}>
      <ul className="steps">
        {pauses.map((pause) => (
          <li key={pause.id}>
            <PauseLine pause={pause} />
          </li>
        ))}
      </ul>
      <p>
        <Go to="rails">
          {t(
            '{held, plural, =0 {Nothing waits} one {# payment waits} other {# payments wait}} because of it',
            {
              held,
            },
          )}
        </Go>
      </p>
    </Part>
  )
}
