import type {
  InvoiceState,
  LightningNode,
  LightningOutcome,
  SettledPayment,
} from '@corridor/engine/ports/lightning.ts'
import type { World } from '@corridor/kernel'
import { Agent } from 'undici'

export interface LndSettings {
  /** Where its REST interface listens, such as https://127.0.0.1:8080. */
  readonly url: string
  /** In hexadecimal. Needs invoices:read, invoices:write, offchain:read and offchain:write. */
  readonly macaroon: string
  /** PEM of the certificate that the node signed itself; absent where a public authority signed it. */
  readonly tlsCertificate?: string | undefined
}

const answerTimeoutMs = 10_000
/** How long the node looks for a route; the call that pays waits a little longer for its first answer. */
const routingTimeoutSeconds = 30
const longestAnswer = 256 * 1024
/** Parts of a payment, or channels of a node, that are looked at. */
const mostEntries = 1_000
/** Of the codes of gRPC, in which the node gives its reasons. */
const notFound = 5

type Members = Readonly<Record<string, unknown>>

/**
 * A node that speaks the REST interface of LND. Bytes are base64 in its bodies, URL-safe base64 in the path of
 * `router/track`, and hexadecimal in the path of `invoice` and in its answers; 64-bit numbers are texts.
 */
export function lndNode(world: Pick<World, 'fetch'>, settings: LndSettings): LightningNode {
  const { url, macaroon, tlsCertificate } = settings
  const base = url.replace(/\/$/, '')
  const dispatcher = tlsCertificate === undefined ? undefined : new Agent({ connect: { ca: tlsCertificate } })

  return {
    isSimulated: false,
    async createInvoice(order, now) {
      const seconds = Math.floor((order.expiresAt - now) / 1000)
      if (seconds <= 0) return undefined
      const made = await call('POST', '/v1/invoices', {
        r_preimage: base64(order.preimage),
        value_msat: order.amountMsats.toString(),
        description_hash: base64(order.descriptionHash),
        expiry: String(seconds),
      })
      if (typeof made?.payment_request === 'string') return made.payment_request
      // The answer was lost, or there is one already: the preimage is ours, so it is this one.
      const kept = await call('GET', `/v1/invoice/${order.paymentHash}`)
      return typeof kept?.payment_request === 'string' ? kept.payment_request : undefined
    },
    lookUpInvoice,
    async cancelInvoice(paymentHash) {
      await call('POST', '/v2/invoices/cancel', { payment_hash: base64(paymentHash) })
      const { status } = await lookUpInvoice(paymentHash)
      return status === 'CANCELLED' || status === 'NOT_FOUND'
    },
    async decode(invoice) {
      const read = await call('GET', `/v1/payreq/${encodeURIComponent(invoice)}`)
      if (!read) return 'UNAVAILABLE'
      const { payment_hash: paymentHash, description_hash: descriptionHash } = read
      const [amountMsats, createdAt, lifeSeconds] = [read.num_msat, read.timestamp, read.expiry].map(integer)
      if (!isHash(paymentHash) || !isHash(descriptionHash)) return 'UNREADABLE'
      if (!amountMsats || amountMsats <= 0n || !createdAt || !lifeSeconds) return 'UNREADABLE'
      const expiresAt = Number(createdAt + lifeSeconds) * 1000
      return { paymentHash, descriptionHash, amountMsats, expiresAt }
    },
    async pay({ invoice, paymentHash, maxFeeMsats, amountMsats }) {
      const answer = await call('POST', '/v2/router/send', {
        payment_request: invoice,
        ...(amountMsats === undefined ? {} : { amt_msat: amountMsats.toString() }),
        fee_limit_msat: maxFeeMsats.toString(),
        timeout_seconds: routingTimeoutSeconds,
        no_inflight_updates: false,
      })
      const outcome = outcomeOf(paymentHash, answer)
      // That it is paid already, or cannot be paid: only asking for the payment itself is believed about that.
      return outcome.status === 'NOT_FOUND' ? { status: 'UNKNOWN' } : outcome
    },
    async track({ paymentHash }) {
      return outcomeOf(paymentHash, await track(paymentHash))
    },
    async outputsOf(payment) {
      const amounts = await carried(payment)
      if (amounts.size === 0) return []
      const known = listOf((await call('GET', '/v1/channels'))?.channels)
      return known.flatMap(({ chan_id: channel, channel_point: utxo }) => {
        const amountMsats = typeof channel === 'string' ? amounts.get(channel) : undefined
        return amountMsats !== undefined && isOutpoint(utxo) ? [{ utxo, amountMsats }] : []
      })
    },
  }

  /** By channel: how much of the payment each has carried. */
  async function carried({ paymentHash, direction }: SettledPayment): Promise<Map<string, bigint>> {
    const [found, state, amountOf] =
      direction === 'SENT'
        ? ([(await track(paymentHash))?.result, 'SUCCEEDED', sentBy] as const)
        : ([await call('GET', `/v1/invoice/${paymentHash}`), 'SETTLED', receivedBy] as const)
    const amounts = new Map<string, bigint>()
    for (const part of listOf(membersOf(found).htlcs)) {
      const { channel, amountMsats } = amountOf(part)
      const isSettled = (part.status ?? part.state) === state
      if (!isSettled || typeof channel !== 'string' || amountMsats === undefined) continue
      amounts.set(channel, (amounts.get(channel) ?? 0n) + amountMsats)
    }
    return amounts
  }

  function track(paymentHash: string): Promise<Members | undefined> {
    const id = Buffer.from(paymentHash, 'hex').toString('base64').replaceAll('+', '-').replaceAll('/', '_')
    return call('GET', `/v2/router/track/${id}`)
  }

  async function lookUpInvoice(paymentHash: string): Promise<InvoiceState> {
    const found = await call('GET', `/v1/invoice/${paymentHash}`)
    if (!found) return { status: 'UNKNOWN' }
    if (isUnknownInvoice(found)) return { status: 'NOT_FOUND' }
    switch (found.state) {
      case 'SETTLED': {
        const paidMsats = integer(found.amt_paid_msat)
        return paidMsats && paidMsats > 0n ? { status: 'SETTLED', paidMsats } : { status: 'UNKNOWN' }
      }
      case 'CANCELED':
        return { status: 'CANCELLED' }
      // Accepted: a part has come, and the rest decides.
      case 'OPEN':
      case 'ACCEPTED':
        return { status: 'OPEN' }
      default:
        return { status: 'UNKNOWN' }
    }
  }

  /** The first object of the answer, whatever its status; undefined where there is none. */
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Members | undefined> {
    try {
      const response = await world.fetch(`${base}${path}`, {
        method,
        headers: { 'grpc-metadata-macaroon': macaroon, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(answerTimeoutMs),
        ...(dispatcher ? { dispatcher } : {}),
      } as object)
      const value: unknown = JSON.parse(await firstLine(response))
      return typeof value === 'object' && value !== null ? (value as Members) : undefined
    } catch {
      return undefined
    }
  }
}

/** Streams answer one object a line, the present state first, and go on until the payment is over. */
async function firstLine(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let isLine = false
  while (!isLine && text.length < longestAnswer) {
    const { done, value } = await reader.read()
    if (done) break
    const piece = decoder.decode(value, { stream: true })
    // Looked for in the piece alone: a search through all of it for each piece would take quadratic time.
    isLine = piece.includes('\n')
    text += piece
  }
  await reader.cancel().catch(() => {})
  return text.split('\n', 1)[0] ?? ''
}

function outcomeOf(paymentHash: string, answer: Members | undefined): LightningOutcome {
  const { status, payment_hash: told, payment_preimage: preimage, fee_msat: fee } = membersOf(answer?.result)
  // What became of another payment says nothing of this one.
  if (told !== undefined && told !== paymentHash) return { status: 'UNKNOWN' }
  switch (status) {
    case 'SUCCEEDED': {
      const feeMsats = integer(fee) ?? 0n
      return isHash(preimage) ? { status: 'SUCCEEDED', preimage, feeMsats } : { status: 'UNKNOWN' }
    }
    case 'FAILED':
      return { status: 'FAILED' }
    case 'INITIATED':
    case 'IN_FLIGHT':
      return { status: 'PENDING' }
    default:
      return { status: isUnknownToNode(answer) ? 'NOT_FOUND' : 'UNKNOWN' }
  }
}

/**
 * Whether the node has looked and not found it. Of an address that nobody serves, behind a proxy or with another prefix,
 * its gateway says the same with no words but these: that tells nothing of money that may have moved.
 */
function isUnknownToNode(answer: Members | undefined): boolean {
  // Streams wrap what went wrong in `error`; single answers do not.
  const said = { ...answer, ...membersOf(answer?.error) }
  return said.code === notFound && said.message !== 'Not Found'
}

/** Older nodes say it in words alone. */
function isUnknownInvoice(answer: Members): boolean {
  if (isUnknownToNode(answer)) return true
  return typeof answer.message === 'string' && answer.message.includes('unable to locate invoice')
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.slice(0, mostEntries).map(membersOf) : []
}

/** Of a part that went out: its first hop is our channel, and the total what left by it, the fees of the way included. */
function sentBy({ route }: Members) {
  const { hops, total_amt_msat: total } = membersOf(route)
  return { channel: listOf(hops)[0]?.chan_id, amountMsats: integer(total) }
}

function receivedBy({ chan_id: channel, amt_msat: amount }: Members) {
  return { channel, amountMsats: integer(amount) }
}

function isOutpoint(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}:[0-9]{1,5}$/.test(value)
}

function integer(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^[0-9]{1,18}$/.test(value) ? BigInt(value) : undefined
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}
