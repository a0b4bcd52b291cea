import type { PayerField, UmaNetwork, UmaReceiver } from '@corridor/engine/ports/uma.ts'
import { umaUsers } from './outcomes.ts'

/** The one institution of the simulated world: five users under each of its domains (accounts 12.5). */
export function scriptedUma({ domains }: { readonly domains: readonly string[] }): UmaNetwork {
  return {
    async resolve({ user, domain }) {
      if (!domains.includes(domain)) return { status: 'NOT_ALLOWED' }
      const known = umaUsers[user]
      return known ? { status: 'FOUND', receiver: receiverOf(known.currency) } : { status: 'NOT_FOUND' }
    },
    simulatedPayer({ user, domain }) {
      const known = domains.includes(domain) ? umaUsers[user] : undefined
      if (!known) return undefined
      const { delayMs = 0, isRefused = false } = known
      return {
        information: { ...payer, IDENTIFIER: `$${user}@${domain}` },
        asks: [
          { name: 'FULL_NAME', mandatory: true },
          { name: 'NATIONALITY', mandatory: false },
        ],
        settlesAfterMs: delayMs,
        isRefused,
      }
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

/** Who is behind every simulated payment. */
const payer: Readonly<Record<PayerField, string>> = {
  FULL_NAME: 'Sam Sandbox',
  BIRTH_DATE: '1990-01-01',
  NATIONALITY: 'US',
  PHONE_NUMBER: '+14155550100',
  EMAIL: 'sam@sandbox.example',
  POSTAL_ADDRESS: '1 Sandbox Way, San Francisco, CA 94105, US',
  TAX_ID: '00-0000000',
  REGISTRATION_NUMBER: '0000000',
  USER_TYPE: 'INDIVIDUAL',
  COUNTRY_OF_RESIDENCE: 'US',
  ACCOUNT_IDENTIFIER: 'sandbox-account',
  FI_LEGAL_ENTITY_NAME: 'Sandbox Institution',
  FI_ADDRESS: '1 Sandbox Way, San Francisco, CA 94105, US',
  PURPOSE_OF_PAYMENT: 'PERSONAL',
  ULTIMATE_INSTITUTION_COUNTRY: 'US',
  IDENTIFIER: '',
  BUSINESS_TYPE: 'NONE',
  COMPANY_LEGAL_NAME: 'Sandbox Company',
  ID_TYPE: 'PASSPORT',
  ID_NUMBER: '000000000',
}
