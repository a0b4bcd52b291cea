import { route } from '../../mechanisms/feature/bound.ts'
import { createCustomerKycLink } from '../verifications/index.ts'
import * as commands from './commands.ts'
import { checkRedirect } from './redirect-address.ts'

export const hostedVerificationRoutes = [
  route(
    createCustomerKycLink,
    (engine, { scope, params, body }) =>
      commands.createLink(engine, scope, {
        customerId: params.customerId,
        redirectUri: body?.redirectUri,
      }),
    { check: checkRedirect },
  ),
]
