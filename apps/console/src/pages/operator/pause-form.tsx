import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useView } from '../../app/places.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { pauseReasons } from '../../parts/explanation/words.ts'
import { Part } from '../../parts/page.tsx'
import { words } from '../../words.ts'
import { useNames } from './names.ts'
import type { Book, PayoutPause, Platform, RailUnderWay } from './operator-api.ts'
import { useOperator } from './operator-api.ts'
import { ReasonField } from './reason-field.tsx'

/** The page on which this is about to be paused: `rails?pause=SANDBOX+SPEI`. */
export function placeOfPause(environment: Book['environment'], rail: string): string {
  return `rails?pause=${encodeURIComponent(`${environment} ${rail}`)}`
}

/** Stops payouts at once; the address says which rail was meant, and the button names the act. */
export function PauseForm({ rails }: { readonly rails: readonly RailUnderWay[] }) {
  const [view] = useView()
  const { page, post } = useOperator()
  const nameOf = useNames()
  const [asked, askedRail = ''] = (view.get('pause') ?? '').split(' ')
  const environments = [...new Set(rails.map(({ environment }) => environment))]
  const [environment, setEnvironment] = useState<Book['environment']>(
    environments.find((each) => each === asked) ?? environments[0] ?? 'SANDBOX',
  )
  const [rail, setRail] = useState(rails.some((each) => each.rail === askedRail) ? askedRail : '')
  const [platformId, setPlatform] = useState('')
  const [reasonCode, setReasonCode] = useState<keyof typeof pauseReasons>('RAIL_UNAVAILABLE')
  const [reason, setReason] = useState('')
  const [made, setMade] = useState<PayoutPause>()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  const known = (platforms.data?.data ?? []).filter((each) => each.environment === environment)
  const chosen = known.some(({ id }) => id === platformId) ? platformId : ''
  const target = {
    rail: rail === '' ? t('all rails') : rail,
    platform: chosen === '' ? t('all platforms') : nameOf({ platformId: chosen }),
    environment,
  }
  const isNothing = rail === '' && chosen === ''
  return (
    <Part title={t('Pause payouts')}>
      <p className="muted">
        {t(
          'New payments are accepted and wait; Corridor hands no more payments to the rail. Payments that the rail already has still settle. Lifting a pause takes two people.',
        )}
      </p>
      <div className="fields wide-fields">
        <label>
          <span>{t('Environment')}</span>
          <select
            name="environment"
            value={environment}
            onChange={(event) => setEnvironment(event.target.value as Book['environment'])}
          >
            {environments.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('Rail')}</span>
          <select name="rail" value={rail} onChange={(event) => setRail(event.target.value)}>
            <option value="">{chosen === '' ? t('choose a rail') : t('all rails')}</option>
            {[...new Set(rails.map((each) => each.rail))].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('Platform')}</span>
          <select name="platformId" value={chosen} onChange={(event) => setPlatform(event.target.value)}>
            <option value="">{t('all platforms')}</option>
            {known.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('Reason code, shown to platforms')}</span>
          <select
            name="reasonCode"
            value={reasonCode}
            onChange={(event) => setReasonCode(event.target.value as keyof typeof pauseReasons)}
          >
            {Object.entries(pauseReasons).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <ReasonField reason={reason} onChange={setReason} />
        <Act
          isMain
          lacks={
            isNothing
              ? t('Choose a rail or a platform first.')
              : reason.trim() === ''
                ? words.operator.reasonFirst
                : undefined
          }
          hasOwnReason
          confirm={t('Pause {rail} payouts for {platform} in {environment}', target)}
          run={() =>
            post<PayoutPause>('pauses', {
              environment,
              ...(rail === '' ? {} : { rail }),
              ...(chosen === '' ? {} : { platformId: chosen }),
              reasonCode,
              reason: reason.trim(),
            })
          }
          then={(pause) => {
            setMade(pause)
            setReason('')
          }}
        >
          {t('Pause payouts')}
        </Act>
      </div>
      <div role="status">
        {made && (
          <p className="news">
            {t('Paused: no payments are handed over.')}{' '}
            {(made.handingOver ?? 0) > 0 &&
              t(
                '{count, plural, one {# payment was} other {# payments were}} being handed over at that moment, without a response yet: the rail may have {count, plural, one {it} other {them}}.',
                { count: made.handingOver ?? 0 },
              )}
          </p>
        )}
      </div>
    </Part>
  )
}
