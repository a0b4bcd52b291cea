import { failed, ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { loadInternalAccount } from '../../platform/internal-accounts/index.ts'
import { fail } from '../../vocabulary/errors.ts'
import { estimateCryptoWithdrawalFee } from './contract.ts'
import { estimateFee } from './rules.ts'

export const cryptoWithdrawalRoutes = [
  route(estimateCryptoWithdrawalFee, async ({ adapters, database }, { scope, body }) => {
    const account = await loadInternalAccount(database, scope, body.internalAccountId)
    if (!account) {
      const details = { resourceType: 'InternalAccount', id: body.internalAccountId }
      return failed(fail('REFERENCE_NOT_FOUND', details))
    }
    const { accountChecks } = adapters[scope.environment].rules
    const estimate = estimateFee(account, body, { strictness: accountChecks, now: scope.now })
    return estimate.ok ? ok({ status: 200, body: estimate.value }) : estimate
  }),
]
