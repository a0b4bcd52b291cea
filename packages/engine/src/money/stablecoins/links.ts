import { failed, ok, type Result } from '@corridor/kernel'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { ProviderAccount } from './store.ts'

/** Why a link cannot be used, or undefined (cards-stablecoins 2.2). */
export function linkRefusal({ id, status }: ProviderAccount): Failure | undefined {
  if (status === 'REVOKED')
    return fail('STABLECOIN_PROVIDER_ACCOUNT_REVOKED', { stablecoinProviderAccountId: id })
  if (status === 'INVALID')
    return fail('STABLECOIN_PROVIDER_ACCOUNT_INVALID', { stablecoinProviderAccountId: id })
  return undefined
}

/**
 * The link that a registration without one means (cards-stablecoins 2.2): the only active one, whatever
 * others there are; with none active, what is wrong with the only one there is.
 */
export function selectLink(links: readonly ProviderAccount[]): Result<ProviderAccount, Failure> {
  const active = links.filter(({ status }) => status === 'ACTIVE')
  if (active.length > 1) {
    const stablecoinProviderAccountIds = active.map(({ id }) => id)
    return failed(fail('STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED', { stablecoinProviderAccountIds }))
  }
  const [link = links.at(-1)] = active
  if (!link) {
    return failed(
      fail('STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND', { resourceType: 'StablecoinProviderAccount' }),
    )
  }
  const refusal = linkRefusal(link)
  return refusal ? failed(refusal) : ok(link)
}
