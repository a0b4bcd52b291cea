import { type Id, type Instant, lowerAscii, toTimestamp, type World } from '@corridor/kernel'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import type { DataKey } from '../../mechanisms/keys/data-keys.ts'
import type { Keys } from '../../mechanisms/keys/keys.ts'
import type { Insert } from '../../vocabulary/decision.ts'
import {
  type AuthContent,
  type AuthMethodType,
  noAttempts,
  sealAuthContent,
  sealedMnemonics,
} from './store.ts'

/** Where a credential hangs, and with what it is sealed. */
export interface WalletOwner {
  readonly accountId: string
  readonly ownerId: string
  readonly dataKey: DataKey
  readonly now: Instant
}

type Maker = { readonly world: Pick<World, 'id' | 'randomBytes'>; readonly keys: Pick<Keys, 'searchHash'> }

/** What every new wallet gets: its words, and the contact of its customer to sign in with (wallets 2). */
export function provisionWallet(
  maker: Maker,
  owner: WalletOwner,
  contacts: { readonly email?: string | undefined; readonly phoneNumber?: string | undefined },
): Insert[] {
  const { email, phoneNumber } = contacts
  const first =
    email !== undefined
      ? ({ type: 'EMAIL_OTP', nickname: email } as const)
      : phoneNumber !== undefined
        ? ({ type: 'SMS_OTP', nickname: phoneNumber } as const)
        : undefined
  return [
    newSecret(maker.world, owner).insert,
    ...(first ? [newAuthMethod(maker, owner, first.type, { nickname: first.nickname }).insert] : []),
  ]
}

const entropyBytes = 16

export function newSecret(
  world: Pick<World, 'randomBytes'>,
  { accountId, ownerId, dataKey, now }: WalletOwner,
): { readonly mnemonic: string; readonly insert: Insert } {
  const mnemonic = entropyToMnemonic(Uint8Array.from(world.randomBytes(entropyBytes)), wordlist)
  const row = {
    id: accountId,
    owner_id: ownerId,
    mnemonic: dataKey.seal(sealedMnemonics, accountId, mnemonic),
    created_at: toTimestamp(now),
  }
  return { mnemonic, insert: { table: 'wallet_secrets', row } }
}

/** A new credential; `fields` join its row. */
export function newAuthMethod(
  { world, keys }: Maker,
  { accountId, ownerId, dataKey, now }: WalletOwner,
  type: AuthMethodType,
  content: AuthContent,
  {
    id = world.id('AuthMethod'),
    ...fields
  }: { readonly id?: Id<'AuthMethod'>; readonly [column: string]: unknown } = {},
): { readonly id: Id<'AuthMethod'>; readonly insert: Insert } {
  const at = toTimestamp(now)
  return {
    id,
    insert: {
      table: 'auth_methods',
      row: {
        id,
        account_id: accountId,
        owner_id: ownerId,
        type,
        status: 'ACTIVE',
        content: sealAuthContent(dataKey, id, content),
        identity_hash: identityHash(keys, type, content),
        attempts: noAttempts,
        created_at: at,
        updated_at: at,
        ...fields,
      },
    },
  }
}

/** Equal for what counts as the same: a contact whatever its case, a passkey, an identity at an issuer. */
export function identityHash(
  keys: Pick<Keys, 'searchHash'>,
  type: AuthMethodType,
  { nickname, passkey, oauth }: AuthContent,
): string {
  const identity = passkey
    ? passkey.credentialId
    : oauth
      ? JSON.stringify([oauth.iss, oauth.aud, oauth.sub])
      : lowerAscii(nickname)
  return keys.searchHash(`auth method ${type}`, identity)
}
