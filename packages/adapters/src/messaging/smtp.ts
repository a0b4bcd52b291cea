import type { EmailMessage, MessageOutcome } from '@corridor/engine/ports/messenger.ts'
import { createTransport } from 'nodemailer'

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string
  /** An address, or `Name <address>`. */
  readonly from: string
}

/**
 * Sends e-mail over SMTP. The address of the server is the operator's own choice, so private ones are fine;
 * TLS is used whenever the server offers it.
 */
export function smtpSender({ url, from }: SmtpOptions): (message: EmailMessage) => Promise<MessageOutcome> {
  const transport = createTransport(url, {
    from,
    // Text may come from platforms: it can neither read files nor load anything.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return async ({ id, to, subject, text }) => {
    try {
      await transport.sendMail({ to: { name: '', address: to }, subject, text, messageId: `<${id.replace(':', '.')}@${domain}>` })
      return { ok: true }
    } catch (error) {
      return refusalOf(error)
    }
  }
}

/** The words of a mail server may repeat the address, so only its codes are kept. */
function refusalOf(error: unknown): MessageOutcome {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  const isFinal = responseCode !== undefined && responseCode >= 500 && command !== 'AUTH' && code !== 'EAUTH'
  return { ok: false, reason: `SMTP ${responseCode ?? code ?? 'failed'}`, isFinal }
}
