import type { DecodedInvoice, LightningNode, LightningOutcome } from '@corridor/engine/ports/lightning.ts'
import type { PeerTransport } from '@corridor/engine/ports/uma.ts'

const prefix = 'lnsandbox1'
const longestInvoice = 4_096
const timeoutMs = 10_000

/**
 * A node that keeps nothing and has no channels. Its invoices name the address at which the installation that made them
 * hears that they are paid; paying is telling it so, and it answers with the preimage. So two sandboxes settle with each
 * other, each over its own node, without a network of nodes between them.
 */
export function sandboxLightning({
  peers,
  baseUrl,
}: {
  readonly peers: PeerTransport
  /** Where this installation is reached. */
  readonly baseUrl: string
}): LightningNode {
  return {
    isSimulated: true,
    async createInvoice({ paymentHash, amountMsats, descriptionHash, expiresAt }) {
      const parts: InvoiceParts = {
        hash: paymentHash,
        msats: amountMsats.toString(),
        description: descriptionHash,
        expiresAt,
        paidAt: `${baseUrl}/uma/lightning/${paymentHash}`,
      }
      return prefix + Buffer.from(JSON.stringify(parts)).toString('base64url')
    },
    // Whoever pays tells the installation itself; what has not been told until the end is over.
    lookUpInvoice: async () => ({ status: 'OPEN' }),
    cancelInvoice: async () => true,
    outputsOf: async () => [],
    decode: async (invoice) => read(invoice) ?? 'UNREADABLE',
    async pay({ invoice }) {
      const address = read(invoice)?.paidAt
      if (address === undefined) return { status: 'FAILED' }
      const answer = await peers.post(address, '{}', timeoutMs)
      if (!answer.ok || answer.status >= 500) return { status: 'UNKNOWN' }
      return answer.status === 200 ? provedBy(answer.body) : { status: 'FAILED' }
    },
    async track({ invoice }) {
      const address = read(invoice)?.paidAt
      if (address === undefined) return { status: 'FAILED' }
      const answer = await peers.get(address, timeoutMs)
      return answer.ok && answer.status === 200 ? provedBy(answer.body) : { status: 'UNKNOWN' }
    },
  }
}

interface InvoiceParts {
  readonly hash: string
  readonly msats: string
  readonly description: string
  readonly expiresAt: number
  readonly paidAt: string
}

function read(invoice: string): (DecodedInvoice & { readonly paidAt: string }) | undefined {
  if (!invoice.startsWith(prefix) || invoice.length > longestInvoice) return undefined
  const parts = parse(Buffer.from(invoice.slice(prefix.length), 'base64url').toString('utf8'))
  const { hash, msats, description, expiresAt, paidAt } = parts
  if (!isHash(hash) || !isHash(description) || typeof paidAt !== 'string') return undefined
  if (typeof msats !== 'string' || !/^[1-9][0-9]{0,17}$/.test(msats)) return undefined
  if (!Number.isSafeInteger(expiresAt)) return undefined
  const amountMsats = BigInt(msats)
  return {
    paymentHash: hash,
    descriptionHash: description,
    amountMsats,
    expiresAt: expiresAt as number,
    paidAt,
  }
}

function provedBy(body: string): LightningOutcome {
  const { preimage } = parse(body)
  // The other side has the invoice, and nobody has paid it.
  if (preimage === undefined) return { status: 'NOT_FOUND' }
  return isHash(preimage) ? { status: 'SUCCEEDED', preimage, feeMsats: 0n } : { status: 'UNKNOWN' }
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
