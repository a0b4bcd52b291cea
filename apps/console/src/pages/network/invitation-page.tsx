import type { Answer } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment, Money } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Detail } from '../resources/detail.tsx'
import { noAddress, UmaAddressField } from './uma-address-field.tsx'

type Invitation = Answer<'getInvitation'>

/** An invitation, under its code. */
export function InvitationPage() {
  const { corridor } = useSession()
  return (
    <Detail<Invitation>
      kind="invitation"
      path="invitations"
      read={(code) => corridor.invitations.get(code)}
      titleOf={({ inviterUma }) => t('Invitation by {address}', { address: inviterUma })}
      statusOf={({ status }) => status}
      machine="invitation"
      facts={({ inviteeUma, firstName, amountToSend, expiresAt, claimedAt, url }) => [
        [t('For'), firstName],
        [t('Amount to use'), amountToSend && <Money key="a" of={amountToSend} />],
        [t('Claimed as'), inviteeUma],
        [t('Claimed'), claimedAt && <Moment key="c" at={claimedAt} />],
        [t('Expires'), expiresAt && <Moment key="e" at={expiresAt} />],
        [t('Link'), <code key="l">{url}</code>],
      ]}
      acts={(invitation) => invitation.status === 'PENDING' && <Cancel of={invitation} />}
      parts={(invitation) => invitation.status === 'PENDING' && <Claim code={invitation.code} />}
    />
  )
}

/** Whoever made it takes it back: to another platform, which may look at it and claim it, that is always refused. */
function Cancel({ of: { code, inviterUma } }: { readonly of: Invitation }) {
  const { corridor } = useSession()
  const isOwn = useQuery({
    queryKey: ['is-own-uma', inviterUma],
    queryFn: async () => {
      const query = { umaAddress: inviterUma, isIncludingDeleted: true, limit: 1 }
      return (await corridor.customers.list(query as never)).data.length > 0
    },
    retry: false,
  })
  // Where it cannot be seen the server decides.
  if (isOwn.data === false || isOwn.isPending) return null
  return (
    <Act
      confirm={t('Cancel the invitation by {address} for good', { address: inviterUma })}
      run={() => corridor.invitations.cancel(code)}
    >
      {t('Cancel')}
    </Act>
  )
}

/** As whoever was invited would, once it is a customer of this platform. */
function Claim({ code }: { readonly code: string }) {
  const { corridor } = useSession()
  const [inviteeUma, setInvitee] = useState('')
  return (
    <Part title={t('Claim it')}>
      <div className="fields">
        <UmaAddressField
          label={t('UMA address of the customer who was invited')}
          value={inviteeUma}
          onChange={setInvitee}
        />
        <Act
          asks={t('Claim it for {address}', { address: inviteeUma })}
          isDisabled={inviteeUma === '' || inviteeUma === noAddress}
          run={() => corridor.invitations.claim(code, { inviteeUma } as never)}
        >
          {t('Claim')}
        </Act>
      </div>
    </Part>
  )
}
