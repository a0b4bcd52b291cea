import { toTimestamp } from '@corridor/kernel'
import type { Message as MessageWire } from './contract.ts'
import type { Message } from './store.ts'

/** A message as lists show it; its text only where nobody else receives it. */
export function renderMessage(
  message: Message,
  { keepsTexts }: { readonly keepsTexts: boolean },
): MessageWire {
  const { ownerId, content, lastError } = message
  return {
    id: message.id,
    ...(ownerId.startsWith('Customer:') ? { customerId: ownerId as `Customer:${string}` } : {}),
    channel: message.channel,
    purpose: message.purpose,
    status: message.status,
    ...(keepsTexts ? content : {}),
    ...(lastError === null ? {} : { lastError }),
    createdAt: toTimestamp(message.createdAt),
    updatedAt: toTimestamp(message.updatedAt),
  }
}
