import type {
  EmailMessage,
  MessageChannel,
  MessageOutcome,
  Messenger,
  SmsMessage,
} from '@corridor/engine/ports/messenger.ts'

const refusal: MessageOutcome = { ok: false, reason: 'NO_PROVIDER', isFinal: true }

/** What an installation sends with. A channel that nobody was named for is none. */
export function messenger(senders: {
  readonly email?: ((message: EmailMessage) => Promise<MessageOutcome>) | undefined
  readonly sms?: ((message: SmsMessage) => Promise<MessageOutcome>) | undefined
}): Messenger {
  const channels: MessageChannel[] = []
  if (senders.email) channels.push('EMAIL')
  if (senders.sms) channels.push('SMS')
  return {
    channels,
    keepsTexts: false,
    sendEmail: senders.email ?? (async () => refusal),
    sendSms: senders.sms ?? (async () => refusal),
  }
}
