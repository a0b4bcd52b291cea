import { type Id, type Instant, stateAfter, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Signers } from '../../mechanisms/signed-requests/index.ts'
import type { Book, Scope } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import { walletSessionMachine } from './machine.ts'

/** Who may sign for a wallet, and until when (wallets 8). The private key is with the client alone. */
export interface WalletSession {
  readonly id: Id<'Session'>
  readonly version: bigint
  readonly accountId: Id<'InternalAccount'>
  readonly ownerId: string
  readonly credentialId: Id<'AuthMethod'>
  /** Compressed, lower-case hex. */
  readonly publicKey: string
  readonly status: 'ACTIVE' | 'REVOKED'
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
}

export const sessionLifeMs = 900_000

const columns = `id, version, account_id as "accountId", owner_id as "ownerId", credential_id as "credentialId",
  public_key as "publicKey", status, created_at as "createdAt", updated_at as "updatedAt",
  expires_at as "expiresAt"`

const load = statement(
  'walletSessions.load',
  `select ${columns} from wallet_sessions where platform_id = $1 and environment = $2 and id = $3`,
)

/** A session whatever became of it. */
export async function loadSession(
  { database }: Pick<Engine, 'database'>,
  book: Book,
  id: string,
): Promise<WalletSession | undefined> {
  const parameters = [book.platformId, book.environment, id]
  const [session] = await database.read<WalletSession>(book, load, parameters)
  return session
}

/** Nothing ends a session that runs out; it is only no longer counted. */
export function isActive({ status, expiresAt }: WalletSession, now: Instant): boolean {
  return status === 'ACTIVE' && now < expiresAt
}

const loadActive = statement(
  'walletSessions.loadActive',
  `select ${columns} from wallet_sessions
   where platform_id = $1 and environment = $2 and account_id = any($3::text[]) and status = 'ACTIVE'
     and expires_at > $4
   order by created_at desc, id desc`,
)

/** The active sessions of some accounts, newest first (wallets 5.1). */
export async function loadActiveSessions(
  database: Database,
  { platformId, environment, now }: Pick<Scope, 'platformId' | 'environment' | 'now'>,
  accountIds: readonly string[],
): Promise<WalletSession[]> {
  const parameters = [platformId, environment, accountIds, toTimestamp(now)]
  return database.read<WalletSession>({ platformId, environment }, loadActive, parameters)
}

/**
 * Who may sign for some wallets: their active sessions, read whenever a signature is checked. A session may be younger
 * than what is signed, and may have ended meanwhile, also between the check and the effect.
 */
export async function loadSigners(
  database: Database,
  scope: Scope,
  accountIds: readonly string[],
): Promise<WalletSigners> {
  return signersOf(await loadActiveSessions(database, scope, accountIds))
}

type WalletSigners = Required<Pick<Signers, 'publicKeys' | 'whileActive'>>

export function signersOf(sessions: readonly WalletSession[]): WalletSigners {
  return {
    publicKeys: sessions.map(({ publicKey }) => publicKey),
    whileActive: new Map(
      sessions.map(({ id, publicKey }) => [publicKey, { table: 'wallet_sessions', id, from: ['ACTIVE'] }]),
    ),
  }
}

/** Ends every session that a credential issued. */
export const revokeSessionsOf = statement(
  'walletSessions.revokeOf',
  `update wallet_sessions set status = '${stateAfter(walletSessionMachine, 'revoke')}', updated_at = $4, version = version + 1
   where platform_id = $1 and environment = $2 and credential_id = $3 and status = 'ACTIVE'`,
)
