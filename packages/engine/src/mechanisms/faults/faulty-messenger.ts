import type { CallContext } from '../../ports/call-context.ts'
import type { MessageOutcome, Messenger } from '../../ports/messenger.ts'
import { type FaultsOfCalls, hitsOfCall } from './calls.ts'
import { overlaid } from './overlay.ts'

/** A messenger as the faults of a book make it appear to its messages. */
export function faultyMessenger(messenger: Messenger, faults: FaultsOfCalls): Messenger {
  const unless =
    <M extends { readonly context?: CallContext }>(send: (message: M) => Promise<MessageOutcome>) =>
    async (message: M): Promise<MessageOutcome> => {
      const { context } = message
      if (!context || !(await faults.inForce(context.scope))) return send(message)
      const [hit] = await hitsOfCall(faults, context, 'MESSAGING')
      if (!hit) return send(message)
      const { kind, id } = hit.fault
      return { ok: false, reason: `${kind} on purpose: ${id}`, isFinal: kind === 'REFUSED' }
    }

  return overlaid(messenger, { sendEmail: unless, sendSms: unless })
}
