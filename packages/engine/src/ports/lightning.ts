import type { Instant } from '@corridor/kernel'

/**
 * The Lightning node of an installation (webhooks-uma 6.7). Amounts in millisatoshi, hashes and preimages in hexadecimal,
 * instants in real time. Nothing here throws for what the node or the network does.
 */
export interface LightningNode {
  /**
   * An invoice over exactly the amount, for a preimage of the caller's. Asked again it is the same invoice. Undefined
   * where the node does not say that there is one.
   */
  createInvoice(order: InvoiceOrder, now: Instant): Promise<string | undefined>
  /** What has become of an invoice of this node. */
  lookUpInvoice(paymentHash: string): Promise<InvoiceState>
  /** Takes an invoice back; true when nobody can pay it any more, and nobody has. */
  cancelInvoice(paymentHash: string): Promise<boolean>
  /** What somebody's invoice says. */
  decode(invoice: string): Promise<DecodedInvoice | 'UNREADABLE' | 'UNAVAILABLE'>
  /** Pays, once: whatever comes back, the same payment is never handed to the node again but tracked. */
  pay(payment: LightningOrder): Promise<LightningOutcome>
  /** What has become of a payment that was handed to the node, or may have been. */
  track(payment: LightningPayment): Promise<LightningOutcome>
  /** The channels over which a payment that is over went or came; none where the node does not say. */
  outputsOf(payment: SettledPayment): Promise<readonly ChannelOutput[]>
  /**
   * A node of the simulated world is told over HTTP that an invoice of its own is paid, by the node that pays. A real
   * one hears it from its network.
   */
  readonly isSimulated: boolean
}

export interface InvoiceOrder {
  readonly paymentHash: string
  readonly preimage: string
  readonly amountMsats: bigint
  readonly descriptionHash: string
  readonly expiresAt: Instant
}

export type InvoiceState =
  | { readonly status: 'OPEN' }
  | { readonly status: 'SETTLED'; readonly paidMsats: bigint }
  | { readonly status: 'CANCELLED' }
  /** The node has no such invoice. */
  | { readonly status: 'NOT_FOUND' }
  /** The node does not answer. */
  | { readonly status: 'UNKNOWN' }

export interface DecodedInvoice {
  readonly paymentHash: string
  readonly amountMsats: bigint
  readonly descriptionHash: string
  readonly expiresAt: Instant
}

export interface LightningOrder extends LightningPayment {
  readonly maxFeeMsats: bigint
  /** Where the invoice leaves it to whoever pays. */
  readonly amountMsats?: bigint
}

/** What the way of a payment may cost: a hundredth, and ten satoshi of small ones. */
export function routingFeeLimit(amountMsats: bigint): bigint {
  const share = amountMsats / 100n
  return share > 10_000n ? share : 10_000n
}

export interface LightningPayment {
  readonly invoice: string
  readonly paymentHash: string
}

export interface SettledPayment {
  readonly paymentHash: string
  readonly direction: 'SENT' | 'RECEIVED'
}

/** The output on the chain that a channel of this node was opened with, and how much of the payment it carried. */
export interface ChannelOutput {
  /** `<transaction id>:<index>`. */
  readonly utxo: string
  readonly amountMsats: bigint
}

export type LightningOutcome =
  | { readonly status: 'SUCCEEDED'; readonly preimage: string; readonly feeMsats: bigint }
  /** Over, and nothing was paid. */
  | { readonly status: 'FAILED' }
  | { readonly status: 'PENDING' }
  /** The node has never heard of it. */
  | { readonly status: 'NOT_FOUND' }
  /** The node does not answer, or not in known words. */
  | { readonly status: 'UNKNOWN' }
