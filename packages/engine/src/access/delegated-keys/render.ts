import { toTimestamp } from '@corridor/kernel'
import type { DelegatedKeyWire } from './contract.ts'
import type { DelegatedKey } from './store.ts'

export function renderDelegatedKey(key: DelegatedKey): DelegatedKeyWire {
  const { id, cardId, fundingSourceId, accountId, publicKey, nickname, status } = key
  return {
    id,
    cardId,
    fundingSourceId,
    accountId,
    publicKey,
    nickname,
    status,
    createdAt: toTimestamp(key.createdAt),
    updatedAt: toTimestamp(key.updatedAt),
  }
}
