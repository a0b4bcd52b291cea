import type { MessageOutcome, Messenger } from '../../ports/messenger.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { FaultSubject } from './fault.ts'
import type { Faults } from './faults.ts'

/** A messenger as the faults of a book make it appear to one message. */
export function faultyMessenger(
  messenger: Messenger,
  faults: Pick<Faults, 'hit'>,
  book: Book,
  message: FaultSubject,
): Messenger {
  async function unless(send: () => Promise<MessageOutcome>): Promise<MessageOutcome> {
    const [hit] = await faults.hit(book, 'MESSAGING', message)
    if (!hit) return send()
    const { kind, id } = hit.fault
    return { ok: false, reason: `${kind} on purpose: ${id}`, isFinal: kind === 'REFUSED' }
  }

  return {
    channels: messenger.channels,
    keepsTexts: messenger.keepsTexts,
    sendEmail: (email) => unless(() => messenger.sendEmail(email)),
    sendSms: (sms) => unless(() => messenger.sendSms(sms)),
  }
}
