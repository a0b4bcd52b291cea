import { assert, ok } from '@corridor/kernel'
import type { Sweep } from '../../mechanisms/feature/bound.ts'
import { decideEnd } from './rules.ts'
import {
  dueInvitations,
  firstDueInvitationOfBook,
  loadInvitation,
  upcomingInvitationsOfBook,
} from './store.ts'

/** Ends invitations whose time is up. Callers are shown and told so before it comes by. */
export const expireInvitations: Sweep = {
  kind: 'invitations.expire',
  due: dueInvitations,
  dueOfBook: firstDueInvitationOfBook,
  upcomingOfBook: upcomingInvitationsOfBook,
  async run(engine, scope, id) {
    const invitation = await loadInvitation(engine.database, scope, id)
    assert(invitation, 'an invitation that falls due is on record')
    const isPending = invitation.status === 'PENDING'
    return ok({ ...(isPending ? decideEnd(scope, invitation, 'expire') : {}), result: () => undefined })
  },
}
