import type { AgentPermission } from './operation.ts'

/**
 * Parts of the API that a token may be held to, beside its permissions: by the tags of their operations. An operation
 * whose tag is in none is for tokens without areas alone; a test wants all of them here.
 */
export const areas = {
  CONFIGURATION: ['Platform Configuration'],
  /** Events tell of customers, accounts and payments as their own areas do, and a listener answers what is asked of the platform. */
  EVENTS: ['Webhooks'],
  TOKENS: ['API Tokens'],
  CUSTOMERS: [
    'Customers',
    'KYC/KYB Verifications',
    'Documents',
    'Contact Verification',
    'Strong Customer Authentication',
    'Invitations',
  ],
  ACCOUNTS: ['Internal Accounts', 'External Accounts', 'Embedded Wallet Auth', 'VASPs'],
  PAYMENTS: [
    'Cross-Currency Transfers',
    'Same-Currency Transfers',
    'Transactions',
    'Receivables',
    'Exchange Rates',
    'Discoveries',
    'Available UMA Providers',
  ],
  CARDS: ['Cards'],
  STABLECOINS: ['Stablecoins'],
  AGENTS: ['Agent Management'],
  SANDBOX: ['Sandbox'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Area = keyof typeof areas
export const areaNames = Object.keys(areas) as [Area, ...Area[]]

/** The area in which an agent acts by what its policy allows: nobody lets an agent act where they may not act themselves. */
export const areaOfAgents = {
  VIEW_TRANSACTIONS: 'PAYMENTS',
  CREATE_TRANSFERS: 'PAYMENTS',
  CREATE_QUOTES: 'PAYMENTS',
  EXECUTE_QUOTES: 'PAYMENTS',
  MANAGE_EXTERNAL_ACCOUNTS: 'ACCOUNTS',
} as const satisfies Readonly<Record<AgentPermission, Area>>

/** Absent areas are all of them. */
export function isInAreas(held: readonly Area[] | undefined, tag: string): boolean {
  return held === undefined || held.some((area) => (areas[area] as readonly string[]).includes(tag))
}
