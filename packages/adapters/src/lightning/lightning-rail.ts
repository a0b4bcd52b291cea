import { type LightningNode, routingFeeLimit } from '@corridor/engine/ports/lightning.ts'
import type { PayoutInstruction, RailClient, Submission } from '@corridor/engine/ports/rail.ts'
import { type Invoice, readInvoice } from '@corridor/engine/reference/account-types/index.ts'
import type { Instant } from '@corridor/kernel'

/** No node pays an invoice that is over; this is what clocks and calls under way may differ by. */
const marginMs = 60_000
const [soonestMs, rarestMs] = [2_000, 60_000]

/**
 * Payouts to invoices over a Lightning node (accounts 13, row 11). The node knows a payment by the hash of its invoice and makes
 * it once; the engine gives an invoice to one payment alone. Addresses and offers, which a node of this kind does not
 * resolve, are not reached.
 */
export function lightningRail(node: LightningNode): RailClient {
  return {
    reaches: ({ invoice }) => typeof invoice === 'string',

    async submitPayout(payout, now) {
      const asked = invoiceOf(payout)
      if (!asked) return { status: 'FAILED', reason: 'ACCOUNT_CANNOT_RECEIVE' }
      const { invoice, read } = asked
      const { paymentHash } = read
      // A submission of before may have reached the node without our hearing of it.
      const known = await node.track({ invoice, paymentHash })
      if (known.status === 'UNKNOWN') throw new Error('the Lightning node does not say what it knows')
      if (known.status === 'FAILED') return refused
      if (known.status !== 'NOT_FOUND') return { status: 'ACCEPTED', checkAt: now }
      if (now >= read.expiresAt) return refused
      const amountMsats = payout.amountMinor * 1000n
      if (read.amountMsats !== undefined && roundedUp(read.amountMsats) !== payout.amountMinor) {
        return { status: 'FAILED', reason: 'ACCOUNT_CANNOT_RECEIVE' }
      }
      const { status } = await node.pay({
        invoice,
        paymentHash,
        maxFeeMsats: routingFeeLimit(amountMsats),
        ...(read.amountMsats === undefined ? { amountMsats } : {}),
      })
      if (status === 'FAILED') return refused
      return { status: 'ACCEPTED', checkAt: status === 'SUCCEEDED' ? now : now + soonestMs }
    },

    async fetchPayout(payout, now) {
      const asked = invoiceOf(payout)
      if (!asked) return { status: 'FAILED', reason: 'ACCOUNT_CANNOT_RECEIVE' }
      const { invoice, read } = asked
      const outcome = await node.track({ invoice, paymentHash: read.paymentHash })
      if (outcome.status === 'SUCCEEDED') {
        return { status: 'SETTLED', routingCostMinor: roundedUp(outcome.feeMsats) }
      }
      if (outcome.status === 'FAILED') return refused
      // Until then what was handed over may still be on its way to the node.
      if (outcome.status === 'NOT_FOUND' && now >= read.expiresAt + marginMs) return refused
      return { status: 'ACCEPTED', checkAt: nextLook(payout, now) }
    },
  }
}

const refused = { status: 'FAILED', reason: 'INTERNAL' } as const satisfies Submission

function invoiceOf({ accountInfo }: PayoutInstruction): { invoice: string; read: Invoice } | undefined {
  const { invoice } = accountInfo
  const read = typeof invoice === 'string' ? readInvoice(invoice) : undefined
  return read && { invoice: invoice as string, read }
}

/** Whole satoshi: of a part the service bears the rest. */
function roundedUp(msats: bigint): bigint {
  return (msats + 999n) / 1000n
}

/** After a tenth of the time that it is under way. */
function nextLook({ submittedAt }: PayoutInstruction, now: Instant): Instant {
  return now + Math.min(Math.max(Math.round((now - submittedAt) / 10), soonestMs), rarestMs)
}
