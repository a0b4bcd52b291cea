import type { Answer } from '@corridor/sdk/index.ts'
import { useSession } from '../../app/session.tsx'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { Detail } from '../resources/detail.tsx'

type Invitation = Answer<'getInvitation'>

/** An invitation, under its code. */
export function InvitationPage() {
  const { corridor } = useSession()
  return (
    <Detail<Invitation>
      kind="invitation"
      path="invitations"
      read={(code) => corridor.invitations.get(code)}
      titleOf={({ inviterUma }) => `Invitation by ${inviterUma}`}
      statusOf={({ status }) => status}
      machine="invitation"
      facts={({ inviteeUma, expiresAt, claimedAt, url }) => [
        ['Claimed as', inviteeUma],
        ['Claimed', claimedAt && <Moment key="c" at={claimedAt} />],
        ['Expires', expiresAt && <Moment key="e" at={expiresAt} />],
        ['Link', url],
      ]}
      acts={({ code, status }) =>
        status === 'PENDING' && (
          <Act confirm="Cancel it for good" run={() => corridor.invitations.cancel(code)}>
            Cancel
          </Act>
        )
      }
    />
  )
}
