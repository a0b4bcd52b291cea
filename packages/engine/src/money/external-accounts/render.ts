import { platformOwner } from '../../platform/internal-accounts/index.ts'
import { accountTypeOf, isRailed } from '../../reference/account-types/index.ts'
import type { ExternalAccount as ExternalAccountWire } from './contract.ts'
import type { ExternalAccount } from './store.ts'

/** The account as its GET shows it (accounts 4.1). `paymentRails` are concluded anew from the details. */
export function renderExternalAccount(account: ExternalAccount): ExternalAccountWire {
  const { platformAccountId, ownershipType, beneficiaryVerificationStatus, beneficiaryVerifiedData } = account
  const type = accountTypeOf(account.accountInfo)
  return {
    id: account.id,
    customerId: account.ownerId === platformOwner ? null : (account.ownerId as `Customer:${string}`),
    status: account.status,
    ...(platformAccountId === null ? {} : { platformAccountId }),
    ...(ownershipType === null ? {} : { ownershipType }),
    currency: account.currency,
    defaultUmaDepositAccount: account.isDefaultUmaDepositAccount,
    ...(beneficiaryVerificationStatus === null ? {} : { beneficiaryVerificationStatus }),
    ...(beneficiaryVerifiedData === null ? {} : { beneficiaryVerifiedData }),
    accountInfo: {
      ...account.accountInfo,
      ...(isRailed(type.kind) ? { paymentRails: [...type.rails(account.accountInfo)] } : {}),
    },
  }
}
