import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { MessageChannel, MessageOutcome } from '../../ports/messenger.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import type { Message } from './store.ts'

export const sendMessageJob = 'sendMessage'

/** What a decision adds so that somebody is told something once it is committed. */
export function queueMessage(
  scope: Scope,
  message: {
    readonly id: Id<'Message'>
    readonly ownerId: string
    readonly channel: MessageChannel
    /** For people who read the list: what it was about. */
    readonly purpose: string
    readonly contentSealed: string
    /** Nobody wants to read it any more from then on. */
    readonly expiresAt: Instant
  },
): Required<Pick<Decision, 'inserts' | 'jobs'>> {
  const at = toTimestamp(scope.now)
  const row = {
    id: message.id,
    owner_id: message.ownerId,
    channel: message.channel,
    purpose: message.purpose,
    status: 'QUEUED',
    content: message.contentSealed,
    created_at: at,
    updated_at: at,
    expires_at: toTimestamp(message.expiresAt),
  }
  return {
    inserts: [{ table: 'messages', row }],
    jobs: [{ kind: sendMessageJob, payload: { messageId: message.id }, key: message.id }],
  }
}

/** Records how sending went. What went out to a person leaves no readable text behind. */
export function decideSent(
  scope: Scope,
  message: Message,
  outcome: MessageOutcome | 'EXPIRED',
  { keepsTexts }: { readonly keepsTexts: boolean },
): Decision {
  const status = outcome === 'EXPIRED' ? 'EXPIRED' : outcome.ok ? 'SENT' : 'FAILED'
  const reason = outcome !== 'EXPIRED' && !outcome.ok ? outcome.reason.slice(0, 255) : null
  return {
    updates: [
      {
        table: 'messages',
        id: message.id,
        from: ['QUEUED'],
        set: {
          status,
          last_error: reason,
          updated_at: changedAt(scope, message.updatedAt),
          ...(keepsTexts ? {} : { content: null }),
        },
      },
    ],
    result: () => undefined,
  }
}
