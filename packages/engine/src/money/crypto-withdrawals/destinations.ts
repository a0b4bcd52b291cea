import { toTimestamp } from '@corridor/kernel'
import { accountTypes, type Strictness } from '../../reference/account-types/index.ts'
import type { NetworkId } from '../../reference/rails/index.ts'

/**
 * Whether an address can be one of the network (accounts 6.3): the rules of the account type that is
 * registered for it, so that an estimate refuses exactly what a registration would refuse.
 */
export function isAddressOf(
  network: NetworkId,
  address: string,
  { strictness, now }: { readonly strictness: Strictness; readonly now: number },
): boolean {
  if (network === 'BITCOIN') return bitcoinAddress.test(address)
  const type = accountTypes.find((known) =>
    network === 'LIGHTNING' ? known.kind === 'LIGHTNING' : known.network === network,
  )
  if (!type) return false
  const field = network === 'LIGHTNING' ? lightningField(address) : 'address'
  const info = type.normalize({ accountType: type.name, [field]: address })
  const { shape, bank } = type.check(info, { strictness, now, today: toTimestamp(now).slice(0, 10) })
  return shape.length + bank.length === 0
}

/** Base58 (legacy) or bech32, of the main or a test network; no external account is one of these. */
const bitcoinAddress = /^([123mn][0-9A-Za-z]{25,34}|(bc|tb|bcrt)1[0-9a-z]{8,87})$/

function lightningField(address: string): 'invoice' | 'bolt12' | 'lightningAddress' {
  if (address.includes('@')) return 'lightningAddress'
  return /^lno1/i.test(address) ? 'bolt12' : 'invoice'
}
