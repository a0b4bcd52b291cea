import { route } from '../../mechanisms/feature/bound.ts'
import { confirmCode, sendCode } from './commands.ts'
import * as contract from './contract.ts'

export const contactVerificationRoutes = [
  route(contract.sendCustomerEmailVerification, (engine, { scope, params }) =>
    sendCode(engine, scope, { ...params, channel: 'email' }),
  ),

  route(contract.confirmCustomerEmailVerification, (engine, { scope, params, body }) =>
    confirmCode(engine, scope, { ...params, channel: 'email', code: body.code }),
  ),

  route(contract.sendCustomerPhoneVerification, (engine, { scope, params }) =>
    sendCode(engine, scope, { ...params, channel: 'phone' }),
  ),

  route(contract.confirmCustomerPhoneVerification, (engine, { scope, params, body }) =>
    confirmCode(engine, scope, { ...params, channel: 'phone', code: body.code }),
  ),
]
