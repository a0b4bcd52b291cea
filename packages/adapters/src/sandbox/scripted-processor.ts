import type { CardProcessor } from '@corridor/engine/ports/card-processor.ts'
import { cardOrders, cardPurchases, cardSources, laterCharges } from './card-outcomes.ts'

const ending = (text: string) => text.slice(-3)
const hourMs = 60 * 60 * 1000

/**
 * An issuer without a memory: what becomes of a card stands in the platform's name for it, what becomes of a
 * purchase in the merchant's descriptor, and of later charges in the id of the transaction (cards 1.7).
 */
export const scriptedProcessor: CardProcessor = {
  async provision({ cardId, cardholderId, platformCardId, orderedAt }, now) {
    const suffix = ending(platformCardId ?? cardholderId)
    const { isRejected, isStuck, readyAfterMs = 0 } = cardOrders[suffix] ?? {}
    if (isRejected) return { status: 'REJECTED' }
    if (isStuck) return { status: 'PENDING', checkAt: now + hourMs }
    if (now < orderedAt + readyAfterMs) return { status: 'PENDING', checkAt: orderedAt + readyAfterMs }
    const reference = cardId.slice(-12)
    return {
      status: 'ACTIVE',
      brand: 'VISA',
      last4: last4Of(suffix),
      processorRef: `card_${reference}`,
      issuerRef: `sandbox_card_${reference}`,
    }
  },

  screenAccount: (accountId) => cardSources[ending(accountId)]?.reason,

  screen(merchantDescriptor) {
    const { decline, idEnding } = cardPurchases[ending(merchantDescriptor)] ?? {}
    return { ...(decline ? { decline } : {}), ...(idEnding ? { idEnding } : {}) }
  },

  pullCourse: ({ transactionId }) => laterCharges[ending(transactionId)]?.course ?? 'AT_ONCE',

  async fetchPull({ transactionId, merchantDescriptor, isFirst }, startedAt, now) {
    const steering = isFirst ? cardPurchases[ending(merchantDescriptor)] : laterCharges[ending(transactionId)]
    const { isFailing, delayMs = 0 } = steering ?? {}
    if (now < startedAt + delayMs) return { status: 'PENDING', checkAt: startedAt + delayMs }
    return { status: isFailing ? 'FAILED' : 'CONFIRMED' }
  },

  /** A number that no network routes, and a code to go with it. */
  async reveal({ last4 }) {
    return { number: `400000000000${last4}`, securityCode: last4.slice(1) }
  },
}

/** `4` and the three characters if they are digits, or else their sum (cards 1.7). */
function last4Of(suffix: string): string {
  if (/^\d{3}$/.test(suffix)) return `4${suffix}`
  const sum = [...suffix].reduce((total, char) => total + char.charCodeAt(0), 0)
  return `4${String(sum % 1000).padStart(3, '0')}`
}
