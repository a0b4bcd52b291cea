import type { EmailMessage, EmailSender, MessageOutcome } from '@corridor/engine/ports/messenger.ts'
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
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
  return async ({ id, to, subject, text, sender }) => {
    try {
      const messageId = `<${id.replace(':', '.')}@${domain}>`
      const shown = sender ? fromSender(sender, address, text) : {}
      await transport.sendMail({ to: { name: '', address: to }, subject, text, messageId, ...shown })
      return { ok: true }
    } catch (error) {
      return refusalOf(error)
    }
  }
}

/** Its name beside the operator's address, and its logo for readers that show more than text. */
function fromSender({ name, replyTo, logoUrl }: EmailSender, address: string, text: string) {
  return {
    from: { name, address },
    ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
    // What comes in the clear could be exchanged on its way.
    ...(logoUrl?.startsWith('https://') ? { html: withLogo(logoUrl, name, text) } : {}),
  }
}

function withLogo(logoUrl: string, name: string, text: string): string {
  const [source, alternative, words] = [logoUrl, name, text].map(escapeHtml)
  return `<p><img src="${source}" alt="${alternative}" height="48"></p><p>${words}</p>`
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character]!)
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
