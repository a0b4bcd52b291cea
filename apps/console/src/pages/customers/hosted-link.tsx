import type { Answer } from '@corridor/sdk/index.ts'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Moment } from '../../parts/facts.tsx'

/** Makes a link to the page on which the customer says who it is, and shows it: it is to be sent to the customer. */
export function HostedLink({
  customerId,
  name,
}: {
  readonly customerId: string
  /** Of the customer. */
  readonly name: string
}) {
  const { corridor } = useSession()
  const [link, setLink] = useState<Answer<'createCustomerKycLink'>>()
  return (
    <>
      <Act
        asks={t('Create a hosted link for {name}', { name })}
        run={() => corridor.customers.createKycLink(customerId)}
        then={setLink}
      >
        {t('Hosted link')}
      </Act>
      {link && (
        <p className="news" role="status">
          <a href={link.kycUrl} className="id">
            {link.kycUrl}
          </a>{' '}
          <Copy name={t('link')} label={t('Copy')} text={() => link.kycUrl} />{' '}
          {rich('valid for one submission until {until}', { until: <Moment at={link.expiresAt} /> })}
        </p>
      )}
    </>
  )
}
