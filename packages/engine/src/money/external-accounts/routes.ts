import { checkProof } from '../../access/sca/index.ts'
import { type BodyCheck, route } from '../../mechanisms/feature/bound.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import { deleteExternalAccount, registerExternalAccount } from './commands.ts'
import * as contract from './contract.ts'
import { challengeOwner, verifyOwner } from './ownership-commands.ts'
import { checkDetails, readExternalAccount, readExternalAccounts } from './reads.ts'
import { askAboutTrust, confirmTrust } from './trust.ts'

/** The address of the customer's device is not asked for here, and nothing is made of it (customers 13.8). */
const checkTrustProof: BodyCheck = (_engine, _scope, { endUserIpAddress: _, ...body }) => [
  ...(body.challengeId == null ? [{ field: 'challengeId', message: 'is required' }] : []),
  ...checkProof(body),
]

export const externalAccountRoutes = [
  route(contract.listCustomerExternalAccounts, (engine, { scope, query }) =>
    readExternalAccounts(engine, scope, query, {
      currency: query.currency,
      customerId: query.customerId,
      isOfPlatform: false,
    }),
  ),
  route(
    contract.createCustomerExternalAccount,
    (engine, { scope, body }) => registerExternalAccount(engine, scope, body),
    { check: checkDetails },
  ),
  route(contract.getCustomerExternalAccountById, (engine, { scope, params }) =>
    readExternalAccount(engine, scope, 'CUSTOMERS', params.externalAccountId),
  ),
  route(contract.deleteCustomerExternalAccountById, (engine, { scope, params }) =>
    deleteExternalAccount(engine, scope, 'CUSTOMERS', params.externalAccountId),
  ),
  route(contract.createExternalAccountOwnershipChallenge, (engine, { scope, params, body }) =>
    challengeOwner(engine, scope, 'CUSTOMERS', params.externalAccountId, body.method),
  ),
  route(contract.verifyExternalAccountOwnership, (engine, { scope, params, body }) =>
    verifyOwner(engine, scope, 'CUSTOMERS', params.externalAccountId, body),
  ),

  route(contract.startBeneficiaryTrust, (engine, { scope, params, body }) =>
    askAboutTrust(engine, scope, { ...params, ...body, direction: 'TRUST' }),
  ),
  route(
    contract.confirmBeneficiaryTrust,
    (engine, { scope, params, body }) =>
      confirmTrust(engine, scope, { ...params, request: body, direction: 'TRUST' }),
    { check: checkTrustProof },
  ),
  route(contract.startBeneficiaryUntrust, (engine, { scope, params, body }) =>
    askAboutTrust(engine, scope, { ...params, ...body, direction: 'UNTRUST' }),
  ),
  route(
    contract.confirmBeneficiaryUntrust,
    (engine, { scope, params, body }) =>
      confirmTrust(engine, scope, { ...params, request: body, direction: 'UNTRUST' }),
    { check: checkTrustProof },
  ),

  route(contract.listPlatformExternalAccounts, (engine, { scope, query }) =>
    readExternalAccounts(engine, scope, query, { currency: query.currency, customerId: platformOwner }),
  ),
  route(
    contract.createPlatformExternalAccount,
    (engine, { scope, body }) => {
      // A customer or a default flag in the body means nothing here (accounts 4.1).
      const {
        customerId: _,
        defaultUmaDepositAccount: __,
        ...request
      } = body as contract.ExternalAccountCreateRequest
      return registerExternalAccount(engine, scope, request)
    },
    { check: checkDetails },
  ),
  route(contract.getPlatformExternalAccountById, (engine, { scope, params }) =>
    readExternalAccount(engine, scope, 'PLATFORM', params.externalAccountId),
  ),
  route(contract.deletePlatformExternalAccountById, (engine, { scope, params }) =>
    deleteExternalAccount(engine, scope, 'PLATFORM', params.externalAccountId),
  ),
  route(contract.createPlatformExternalAccountOwnershipChallenge, (engine, { scope, params, body }) =>
    challengeOwner(engine, scope, 'PLATFORM', params.externalAccountId, body.method),
  ),
  route(contract.verifyPlatformExternalAccountOwnership, (engine, { scope, params, body }) =>
    verifyOwner(engine, scope, 'PLATFORM', params.externalAccountId, body),
  ),
]
