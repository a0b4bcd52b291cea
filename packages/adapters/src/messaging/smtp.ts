import type { EmailMessage, MessageOutcome } from '@corridor/engine/ports/messenger.ts'
import { createTransport } from 'nodemailer'

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string
  /** Default true: nothing is sent to a server that offers no TLS. */
  readonly demandsTls?: boolean
  /** An address, or `Name <address>`. */
  readonly from: string
}

/** Well below the time that a job may take before another process takes it over. */
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
}

/**
 * Sends e-mail over SMTP with TLS, from the start or by STARTTLS. The operator chose the server, so it may
 * well have a private address.
 */
export function smtpSender({
  url,
  from,
  demandsTls = true,
}: SmtpOptions): (message: EmailMessage) => Promise<MessageOutcome> {
  const transport = createTransport(withTimeouts(url, demandsTls), { from })
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return async ({ id, to, subject, text }) => {
    try {
      const messageId = `<${id.replace(':', '.')}@${domain}>`
      await transport.sendMail({ to: { name: '', address: to }, subject, text, messageId })
      return { ok: true }
    } catch (error) {
      return refusalOf(error)
    }
  }
}

function withTimeouts(url: string, demandsTls: boolean): string {
  const complete = new URL(url)
  // What stands in the address of the operator's own making wins over everything but this.
  if (demandsTls) {
    complete.searchParams.set('requireTLS', 'true')
    complete.searchParams.delete('ignoreTLS')
  }
  for (const [name, ms] of Object.entries(timeouts)) {
    if (!complete.searchParams.has(name)) complete.searchParams.set(name, String(ms))
  }
  return complete.href
}

/** The words of a mail server may repeat the address, so only its codes are kept. */
function refusalOf(error: unknown): MessageOutcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  // A wrong password or missing TLS is the operator's to put right; a refused recipient stays refused.
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH' && code !== 'ETLS'
  return { ok: false, reason: `SMTP ${responseCode ?? code ?? 'failed'}`, isFinal }
}
