import type { Corridor } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Facts, Moment } from '../../parts/facts.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { readable, Status } from '../../parts/status.tsx'

type Factor = Awaited<ReturnType<Corridor['sca']['factors']['list']>>['factors'][number]

export const factorNames: Readonly<Record<Factor['factor'], string>> = {
  SMS_OTP: t('Code by SMS'),
  TOTP: t('Code of an app'),
  PASSKEY: t('Passkey'),
}

/** What is started for a factor that was lost; which reset is shown stands in the address, as nothing lists them. */
export function FactorResets({
  customerId,
  factors,
}: {
  readonly customerId: string
  readonly factors: readonly Factor[]
}) {
  const { corridor } = useSession()
  const [view, change] = useView()
  const [link, setLink] = useState<string>()
  const [typed, setTyped] = useState('')
  const owner = { customerId } as never
  const resetId = view.get('reset') ?? ''
  return (
    <>
      <fieldset className="acts" aria-label={t('Reset of a lost factor')}>
        <span className="muted">{t('Reset of a lost factor:')}</span>
        {factors.map(({ factor }) => (
          <Act
            key={factor}
            confirm={t('Yes, start the reset of: {factor}', { factor: factorNames[factor] })}
            run={() => corridor.sca.factors.reset.start({ factor }, owner)}
            then={(started) => {
              setLink(started.verificationLink ?? undefined)
              change({ reset: started.resetId })
            }}
          >
            {factorNames[factor]}
          </Act>
        ))}
      </fieldset>
      {resetId === '' ? (
        <div className="fields">
          <label>
            <span>{t('Id of a reset that was started')}</span>
            <input value={typed} maxLength={100} onChange={({ target }) => setTyped(target.value)} />
          </label>
          <button
            type="button"
            disabled={typed.trim() === ''}
            onClick={() => change({ reset: typed.trim() })}
          >
            {t('Show it')}
          </button>
        </div>
      ) : (
        <Reset key={resetId} customerId={customerId} id={resetId} link={link} />
      )}
    </>
  )
}

interface ResetProps {
  readonly customerId: string
  readonly id: string
  /** Where its person shows who they are; known to who started it alone. */
  readonly link: string | undefined
}

function Reset({ customerId, id, link }: ResetProps) {
  const { corridor } = useSession()
  const [, change] = useView()
  const [countryCode, setCountryCode] = useState('')
  const [number, setNumber] = useState('')
  const owner = { customerId } as never
  const reset = useQuery({
    queryKey: ['factor-reset', id],
    queryFn: () => corridor.sca.factors.reset.get(id, owner),
    // Asking is what finds out what became of the check.
    refetchInterval: ({ state }) =>
      ['INITIATED', 'PENDING_REVIEW'].includes(state.data?.status ?? '') ? 3_000 : false,
  })
  const close = (
    <button type="button" onClick={() => change({ reset: undefined })}>
      {t('Another reset')}
    </button>
  )
  if (reset.isPending) return <Loading />
  if (!reset.data) {
    return (
      <>
        <Trouble error={reset.error} missing={id} onRetry={() => void reset.refetch()} />
        {close}
      </>
    )
  }
  const { status, factor, enrollmentStatus, expiresAt, completedAt } = reset.data
  const isPhone = factor === 'SMS_OTP'
  const mobile = { countryCode: countryCode.trim(), number: number.trim() }
  return (
    <>
      <Facts
        of={[
          [t('Reset'), id],
          [t('Of'), factorNames[factor]],
          [t('Status'), <Status key="s" status={status} />],
          [t('Enrolled again'), enrollmentStatus && readable(enrollmentStatus)],
          [t('Hosted verification page'), status === 'INITIATED' && link && <code key="l">{link}</code>],
          [t('Until'), <Moment key="u" at={expiresAt} />],
          [t('Completed'), completedAt && <Moment key="c" at={completedAt} />],
        ]}
      />
      <div className="fields">
        {status === 'LIVENESS_PASSED' && (
          <>
            {isPhone && (
              <>
                <label>
                  <span>{t('Country code of the new phone, as +49')}</span>
                  <input
                    value={countryCode}
                    maxLength={5}
                    onChange={({ target }) => setCountryCode(target.value)}
                  />
                </label>
                <label>
                  <span>{t('Number of the new phone')}</span>
                  <input value={number} maxLength={20} onChange={({ target }) => setNumber(target.value)} />
                </label>
              </>
            )}
            <Act
              isMain
              asks={t('Complete the reset of: {factor}', { factor: factorNames[factor] })}
              isDisabled={isPhone && (mobile.countryCode === '' || mobile.number === '')}
              run={() => corridor.sca.factors.reset.complete(id, owner, isPhone ? { body: { mobile } } : {})}
            >
              {t('Complete the reset')}
            </Act>
          </>
        )}
        {close}
      </div>
    </>
  )
}
