import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'

export const invitationRoutes = [
  route(contract.createInvitation, (engine, { scope, body }) =>
    commands.createInvitation(engine, scope, body),
  ),

  route(contract.getInvitation, async (engine, { scope, params }) => {
    const invitation = await commands.readInvitation(engine, scope, params.invitationCode)
    return invitation.ok ? ok({ status: 200, body: invitation.value }) : invitation
  }),

  route(contract.claimInvitation, (engine, { scope, params, body }) =>
    commands.claimInvitation(engine, scope, params.invitationCode, body.inviteeUma),
  ),

  route(contract.cancelInvitation, (engine, { scope, params }) =>
    commands.cancelInvitation(engine, scope, params.invitationCode),
  ),
]
