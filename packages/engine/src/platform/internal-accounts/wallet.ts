import type { Keys } from '../../mechanisms/keys/keys.ts'

/** The names by which a wallet, its owner and the owner's organization stand in what is signed (wallets 2). */
export interface WalletIdentity {
  readonly organizationId: string
  readonly userId: string
  readonly walletId: string
}

/** Opaque and stable: they follow from the account and the installation's key, so nothing has to be kept. */
export function walletIdentity(keys: Pick<Keys, 'tag'>, accountId: string): WalletIdentity {
  const name = (prefix: string) => `${prefix}_${base58(keys.tag(`wallet ${prefix}`, accountId))}`
  return { organizationId: name('org'), userId: name('user'), walletId: name('wallet') }
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const nameLength = 16

function base58(tag: string): string {
  const bytes = Buffer.from(tag, 'base64url')
  return [...bytes.subarray(0, nameLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
}
