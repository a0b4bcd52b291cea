import { toTimestamp } from '@corridor/kernel'
import type { AuthMethod, WalletSession } from '../../platform/wallet-credentials/index.ts'
import type { AuthMethodWire, AuthSessionWire } from './credential-schemas.ts'

/** A credential as its list shows it: a passkey's own id, and nothing that only one kind has (wallets 5.1). */
export function renderAuthMethod(method: AuthMethod): AuthMethodWire {
  const { id, accountId, type, content, createdAt, updatedAt } = method
  return {
    id,
    accountId,
    type,
    ...(content.passkey ? { credentialId: content.passkey.credentialId } : {}),
    nickname: content.nickname,
    createdAt: toTimestamp(createdAt),
    updatedAt: toTimestamp(updatedAt),
  }
}

/** A session in the words of the credential that issued it, without any key (wallets 8). */
export function renderSession(session: WalletSession, method: AuthMethod): AuthSessionWire {
  const { id, createdAt, updatedAt, expiresAt } = session
  return {
    ...renderAuthMethod(method),
    id,
    createdAt: toTimestamp(createdAt),
    updatedAt: toTimestamp(updatedAt),
    expiresAt: toTimestamp(expiresAt),
  }
}
