import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Facts, Moment } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { Customer } from '../../parts/names.tsx'
import { Part } from '../../parts/page.tsx'
import { Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { identityOf } from './customers-page.tsx'
import { FactorResets, factorNames } from './factor-resets.tsx'

/** What a payment of a customer needs of them: terms, proved addresses, identity and factors. */
export function Readiness({ customer }: { readonly customer: Customer }) {
  const { corridor, environment } = useSession()
  const { id, email, phoneNumber, contactVerification, isDeleted } = customer
  // The law that has them authorize payments has their contacts verified as well.
  const isUnderSca = contactVerification !== undefined
  const terms = useQuery({
    queryKey: ['end-user-terms'],
    queryFn: () => corridor.customers.endUserTerms.get(),
  })
  const factors = useQuery({
    queryKey: ['factors', id],
    queryFn: async () => (await corridor.sca.factors.list({ customerId: id } as never)).factors,
    enabled: !isDeleted && isUnderSca,
  })
  return (
    <Part title={t('Readiness')}>
      <p className="muted">{t('Requirements for payments of this customer.')}</p>
      <Facts
        of={[
          [
            t('Terms'),
            terms.isError ? (
              <Trouble error={terms.error} onRetry={() => void terms.refetch()} />
            ) : (
              <Terms consent={customer.endUserTermsConsent} now={terms.data} environment={environment} />
            ),
          ],
          [t('Identity'), <Status key="i" status={identityOf(customer)} />],
          [t('E-mail'), <Proved key="e" contact={email} status={contactVerification?.email} />],
          [t('Phone'), <Proved key="p" contact={phoneNumber} status={contactVerification?.phone} />],
          [t('Factors'), isDeleted ? undefined : factorsTold()],
          [
            t('Messages'),
            environment === 'sandbox' && (
              <Go to={`sandbox/inbox?customerId=${encodeURIComponent(id)}`}>{t('Messages sent to them')}</Go>
            ),
          ],
        ]}
      />
      {factors.data && <FactorResets customerId={id} factors={factors.data} />}
    </Part>
  )

  function factorsTold(): ReactNode {
    if (!isUnderSca)
      return <Tick isThere>{t('None needed: this customer is exempt from strong authentication')}</Tick>
    if (factors.isError) return <Trouble error={factors.error} onRetry={() => void factors.refetch()} />
    if (factors.isPending) return words.states.loading
    if (factors.data.length === 0) return <Tick>{t('None: they cannot authorize a payment')}</Tick>
    return (
      <ul>
        {factors.data.map(({ factor, name, credentialId }) => (
          <li key={`${factor} ${credentialId}`}>
            <Tick isThere>
              {factorNames[factor]} {name}
            </Tick>
          </li>
        ))}
      </ul>
    )
  }
}

/** There or not, told by the shape as well as in words. */
function Tick({ isThere = false, children }: { readonly isThere?: boolean; readonly children: ReactNode }) {
  return (
    <span className={isThere ? 'tick there' : 'tick'}>
      <Icon name={isThere ? 'done' : 'idle'} /> {children}
    </span>
  )
}

interface TermsProps {
  readonly consent: Customer['endUserTermsConsent']
  /** Those in force; undefined until they are known. */
  readonly now: { readonly version: string; readonly url: string } | undefined
  readonly environment: 'sandbox' | 'production'
}

function Terms({ consent, now, environment }: TermsProps) {
  const version = now ? <a href={now.url}>{now.version}</a> : '…'
  if (!consent)
    return (
      <Tick>
        {environment === 'sandbox'
          ? rich('Not accepted; required only if the operator demands it. Current version: {version}', {
              version,
            })
          : // There it is the other way round: who is not regulated needs them as long as no operator says otherwise.
            rich(
              'Not accepted; required for platforms that are not regulated, unless the operator changes this. Current version: {version}',
              { version },
            )}
      </Tick>
    )
  const { termsVersion: accepted, acceptedAt } = consent
  const at = <Moment at={acceptedAt} />
  const told = !now
    ? rich('Version {accepted} accepted {at}', { accepted, at })
    : accepted === now.version
      ? rich('Version {accepted} accepted {at}, which is in force: {version}', { accepted, at, version })
      : rich('Version {accepted} accepted {at}; in force is version {version}', { accepted, at, version })
  return <Tick isThere>{told}</Tick>
}

interface ProvedProps {
  readonly contact: string | undefined
  /** Undefined where nobody asks for a proof. */
  readonly status: 'PENDING' | 'VERIFIED' | undefined
}

function Proved({ contact, status }: ProvedProps) {
  if (status === 'VERIFIED') return <Tick isThere>{t('Verified')}</Tick>
  if (status === 'PENDING')
    return <Tick>{contact ? t('Not verified yet') : t('Not provided; verification required')}</Tick>
  return (
    <Tick isThere={contact !== undefined}>
      {contact ? t('Provided; no proof is needed') : t('Not provided; not required')}
    </Tick>
  )
}
