import { ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { CallContext } from '../../ports/call-context.ts'
import type { Messenger } from '../../ports/messenger.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { decideSent, sendMessageJob } from './rules.ts'
import { loadMessage, type MessageContent } from './store.ts'

const nothing: Decision = { result: () => undefined }

/**
 * Sends a message. Whoever cannot be reached for a moment is tried again until the message expires; a
 * process that dies after sending sends once more, which the message's id lets a provider notice.
 */
const sendMessage = jobHandler<{ messageId: string }>({
  kind: sendMessageJob,
  async run(engine, scope, { messageId }) {
    const message = await loadMessage(engine, scope, messageId)
    if (message?.status !== 'QUEUED') return ok(nothing)
    const { messenger } = engine.adapters[scope.environment]
    if (scope.now >= message.expiresAt || message.content === null) {
      return ok(decideSent(scope, message, 'EXPIRED', messenger))
    }
    const context = { scope, id: message.id, customerIds: [message.ownerId] }
    const outcome = await send(messenger, context, message.channel, message.content)
    if (!outcome.ok && !outcome.isFinal)
      throw new Error(`the provider rejected the message: ${outcome.reason}`)
    return ok(decideSent(scope, message, outcome, messenger))
  },
})

function send(messenger: Messenger, context: CallContext, channel: 'EMAIL' | 'SMS', content: MessageContent) {
  const { id } = context
  const { to, subject = '', sender, text } = content
  return channel === 'EMAIL'
    ? messenger.sendEmail({ id, to, subject, sender, text, context })
    : messenger.sendSms({ id, to, text, context })
}

export const messageJobs = [sendMessage]
