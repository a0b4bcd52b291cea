import { route } from '../../mechanisms/feature/bound.ts'
import { receiveInboundPayment, sandboxFundInternalAccount, sandboxSend } from './contract.ts'
import * as commands from './money-commands.ts'

export const sandboxMoneyRoutes = [
  route(sandboxFundInternalAccount, (engine, { scope, params, body }) =>
    commands.fundInternalAccount(engine, scope, params.accountId, BigInt(body.amount)),
  ),
  route(receiveInboundPayment, (engine, { scope, body }) => commands.receivePayment(engine, scope, body)),
  route(sandboxSend, (engine, { scope, body }) => commands.sendToQuote(engine, scope, body)),
]
