import type { World } from '@corridor/kernel'
import type { InternalAccount } from './contract.ts'

/** Where money for one internal account is sent. Made once, when the account opens (accounts 3.3). */
export function fundingInstructions(
  _world: Pick<World, 'randomBytes'>,
  _account: { currency: string; reference: string; isPlatformAccount: boolean },
): InternalAccount['fundingPaymentInstructions'] {
  return []
}
