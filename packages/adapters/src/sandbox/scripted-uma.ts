import type { UmaNetwork, UmaReceiver } from '@corridor/engine/ports/uma.ts'
import { umaReceivers } from './outcomes.ts'

/** The one institution of the simulated world: five users under each of its domains (accounts 12.5). */
export function scriptedUma({ domains }: { readonly domains: readonly string[] }): UmaNetwork {
  return {
    async resolve({ user, domain }) {
      if (!domains.includes(domain)) return { status: 'NOT_ALLOWED' }
      const currency = umaReceivers[user]?.currency
      return currency ? { status: 'FOUND', receiver: receiverOf(currency) } : { status: 'NOT_FOUND' }
    },
  }
}

function receiverOf(currency: string): UmaReceiver {
  return {
    currencies: [{ currency, minMinor: 100n, maxMinor: 10_000_000n }],
    requiredPayerFields: [
      { name: 'FULL_NAME', mandatory: true },
      { name: 'BIRTH_DATE', mandatory: false },
    ],
  }
}
