import type { Id, Instant } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type DataKey, sealedKeyOf } from '../../mechanisms/keys/data-keys.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { Passkey } from '../../mechanisms/wallet-crypto/index.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'

export const authMethodTypes = ['OAUTH', 'EMAIL_OTP', 'SMS_OTP', 'PASSKEY'] as const
export type AuthMethodType = (typeof authMethodTypes)[number]
export type OtpType = 'EMAIL_OTP' | 'SMS_OTP'

/** A credential that unlocks an embedded wallet (wallets 5). */
export interface AuthMethod {
  readonly id: Id<'AuthMethod'>
  readonly version: bigint
  readonly accountId: Id<'InternalAccount'>
  readonly ownerId: string
  readonly type: AuthMethodType
  readonly content: AuthContent
  readonly otp: Otp | null
  /** The private half of its target key, sealed hex. */
  readonly otpTarget: string | null
  readonly attempts: Attempts
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Seals everything about the customer. */
  readonly dataKey: DataKey
}

/** What tells of the person, kept as one sealed text. */
export interface AuthContent {
  /** The contact of an OTP credential as it was given, which is also where its codes go (wallets 5.1). */
  readonly nickname: string
  readonly passkey?: Passkey
  readonly oauth?: OauthIdentity
}

/** Who a token is about. Compared exactly: an issuer under two names is two identities (wallets 5.3). */
export interface OauthIdentity {
  readonly iss: string
  readonly aud: string
  readonly sub: string
}

/** The newest one-time password of a credential; issuing another replaces it (wallets 5.5). Times in milliseconds. */
export interface Otp {
  readonly id: string
  readonly status: 'LIVE' | 'CONSUMED' | 'LOCKED' | 'SUPERSEDED'
  readonly codeHash: string
  readonly failures: number
  readonly expiresAt: Instant
}

/** When the limited things happened lately, in milliseconds, oldest first (wallets 5.4). */
export interface Attempts {
  readonly challenges: readonly Instant[]
  readonly failures: readonly Instant[]
  /** The time that the last passkey challenge was made of: no two are equal. */
  readonly lastChallengeAt?: Instant
}

export const noAttempts: Attempts = { challenges: [], failures: [] }

type Vault = Pick<Engine, 'database' | 'keys'>
type AuthRow = Omit<AuthMethod, 'content' | 'dataKey'> & {
  readonly content: string
  readonly sealedKey: string | null
}

/** Nothing of an erased customer opens any more, so it is as if it were not there. */
function open({ keys }: Vault, book: Book, { sealedKey, content, ...row }: AuthRow): AuthMethod[] {
  if (sealedKey === null) return []
  const dataKey = keys.dataKey(book, row.ownerId, sealedKey)
  const opened = JSON.parse(dataKey.open(sealedAuthContents, row.id, content)) as AuthContent
  return [{ ...row, content: opened, dataKey }]
}

const ofRow = { row: 'id', owner: 'owner_id' }
export const sealedAuthContents: SealedColumn = { table: 'auth_methods', column: 'content', ...ofRow }
export const sealedOtpTargets: SealedColumn = { table: 'auth_methods', column: 'otp_target', ...ofRow }
export const sealedMnemonics: SealedColumn = { table: 'wallet_secrets', column: 'mnemonic', ...ofRow }

export function sealAuthContent(key: DataKey, id: string, content: AuthContent): string {
  return key.seal(sealedAuthContents, id, JSON.stringify(content))
}

const columns = `id, version, account_id as "accountId", owner_id as "ownerId", type, content, otp,
  otp_target as "otpTarget", attempts,
  created_at as "createdAt", updated_at as "updatedAt", ${sealedKeyOf('auth_methods', 'owner_id')} as "sealedKey"`
const active = `from auth_methods where platform_id = $1 and environment = $2 and status = 'ACTIVE'`

const load = statement('authMethods.load', `select ${columns} ${active} and id = any($3::text[])`)
const loadOfAccounts = statement(
  'authMethods.loadOfAccounts',
  `select ${columns} ${active} and account_id = any($3::text[]) order by created_at, id`,
)

/** A credential that was not revoked. */
export async function loadAuthMethod(vault: Vault, book: Book, id: string): Promise<AuthMethod | undefined> {
  return (await loadAuthMethodsById(vault, book, [id]))[0]
}

export async function loadAuthMethodsById(
  vault: Vault,
  book: Book,
  ids: readonly string[],
): Promise<AuthMethod[]> {
  const rows = await vault.database.read<AuthRow>(book, load, [book.platformId, book.environment, ids])
  return rows.flatMap((row) => open(vault, book, row))
}

/** The credentials of some accounts, oldest first (wallets 5.1). */
export async function loadAuthMethods(
  vault: Vault,
  book: Book,
  accountIds: readonly string[],
): Promise<AuthMethod[]> {
  const parameters = [book.platformId, book.environment, accountIds]
  const rows = await vault.database.read<AuthRow>(book, loadOfAccounts, parameters)
  return rows.flatMap((row) => open(vault, book, row))
}

const tied = statement(
  'authMethods.tied',
  `select ${columns} ${active} and owner_id = $3 and type = $4 order by id`,
)

/** The credentials of one type on all wallets of a customer, by their ids. */
export async function loadOwnedAuthMethods(
  vault: Vault,
  book: Book,
  ownerId: string,
  type: AuthMethodType,
): Promise<AuthMethod[]> {
  const parameters = [book.platformId, book.environment, ownerId, type]
  const rows = await vault.database.read<AuthRow>(book, tied, parameters)
  return rows.flatMap((row) => open(vault, book, row))
}

const holder = statement(
  'authMethods.holder',
  `select id ${active} and type = $3 and identity_hash = $4 and id <> all($5::text[]) limit 1`,
)

/** Whether a credential of the book that is none of these has the identity. */
export async function isIdentityHeld(
  { database }: Vault,
  book: Book,
  identity: { readonly type: AuthMethodType; readonly hash: string; readonly besides: readonly string[] },
): Promise<boolean> {
  const { type, hash, besides } = identity
  const parameters = [book.platformId, book.environment, type, hash, besides]
  return (await database.read(book, holder, parameters)).length > 0
}

const secret = statement(
  'walletSecrets.load',
  `select owner_id as "ownerId", mnemonic, ${sealedKeyOf('wallet_secrets', 'owner_id')} as "sealedKey"
   from wallet_secrets where platform_id = $1 and environment = $2 and id = $3`,
)

/** The twelve words of a wallet; undefined for one that was opened before wallets had any. */
export async function loadMnemonic(
  { database, keys }: Vault,
  book: Book,
  accountId: string,
): Promise<string | undefined> {
  type Row = { ownerId: string; mnemonic: string; sealedKey: string | null }
  const [row] = await database.read<Row>(book, secret, [book.platformId, book.environment, accountId])
  if (!row?.sealedKey) return undefined
  return keys.dataKey(book, row.ownerId, row.sealedKey).open(sealedMnemonics, accountId, row.mnemonic)
}
