import type { Holder } from './registration.ts'

/** The European Economic Area, where the law asks who is behind a wallet (customers 4.4). */
const eeaRegions: ReadonlySet<string> = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE IS LI NO'.split(' '),
)

/** Whether the operator has put the platform under counterparty rules, or the customer's region does (accounts 4.2). */
export function isUnderCounterpartyRules({ settings, region }: Pick<Holder, 'settings' | 'region'>): boolean {
  return settings.counterpartyRules === true || (region !== null && eeaRegions.has(region))
}
