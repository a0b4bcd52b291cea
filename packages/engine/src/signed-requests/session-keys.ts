import type { Database } from '../db/database.ts'
import type { Scope } from '../http/scope.ts'

/**
 * The compressed public keys of a wallet's active sessions, read whenever a signature is checked. Nobody
 * can sign in to a wallet yet, so it has none.
 */
export async function loadSessionKeys(
  _database: Database,
  _scope: Scope,
  _accountId: string,
): Promise<readonly string[]> {
  return []
}
