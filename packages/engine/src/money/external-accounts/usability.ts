import type { EnvironmentRules } from '../../ports/adapters.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { ExternalAccount } from './store.ts'

/** Up to here a payment may go to a wallet whose owner is not proved yet: 1 000.00 EUR (accounts 4.2). */
export const unprovedThresholdEurMinor = 100_000n

/**
 * Why an account cannot take part in a payment, or undefined (accounts 4.2, 4.11). Asked when a quote is
 * made and again when it is executed. `sendingEurMinor` is the sending value at mid in euro cents;
 * undefined when it cannot be told, which is above every threshold.
 */
export function externalAccountRefusal(
  account: ExternalAccount,
  use: {
    readonly as: 'DESTINATION' | 'PULL_SOURCE'
    readonly sendingEurMinor: bigint | undefined
  },
): Failure | undefined {
  const { status, id, deletedAt } = account
  if (deletedAt !== null) return unusable(account, use.as, 'DELETED')
  switch (status) {
    case 'ACTIVE':
      return undefined
    case 'PENDING_OWNERSHIP_VERIFICATION': {
      const { sendingEurMinor } = use
      if (sendingEurMinor !== undefined && sendingEurMinor <= unprovedThresholdEurMinor) return undefined
      return fail('EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED', { externalAccountId: id })
    }
    case 'UNVERIFIED':
      return fail('EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED', { externalAccountId: id })
    case 'PENDING':
    case 'UNDER_REVIEW':
    case 'INACTIVE':
      return unusable(account, use.as, status)
  }
}

function unusable({ id }: ExternalAccount, as: 'DESTINATION' | 'PULL_SOURCE', status: string): Failure {
  const details = { accountId: id, status }
  return as === 'DESTINATION' ? fail('INVALID_RECEIVER', details) : fail('INVALID_BANK_ACCOUNT', details)
}

/**
 * Whether money may be pulled from an account (accounts 7.1): from the payer's own bank account, never
 * over SWIFT, from a mobile wallet, a crypto wallet or Lightning. A deleted one is refused elsewhere.
 */
export function isPullable(
  account: ExternalAccount,
  payer: { readonly ownerId: string },
  rules: Pick<EnvironmentRules, 'pullableAccounts'>,
): boolean {
  const type = accountTypeOf(account.accountInfo)
  const hasBankRail = type.rails(account.accountInfo).some((rail) => rail !== 'MOBILE_MONEY')
  if (rules.pullableAccounts === 'ANY_BANK') return type.isPullable.SHAPE && hasBankRail
  return (
    type.isPullable.FULL &&
    hasBankRail &&
    account.ownerId === payer.ownerId &&
    account.ownershipType !== 'THIRD_PARTY'
  )
}
