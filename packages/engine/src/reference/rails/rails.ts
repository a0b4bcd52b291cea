import { bankRails } from './bank-rails.ts'
import { cryptoRails } from './crypto-rails.ts'
import type { Rail } from './rail.ts'

/** What payments travel on. The list is the order of documentation, not of preference. */
export const rails = [...bankRails, ...cryptoRails]

/** A rail that a bank or mobile-money account can be reached over. Wallets are reached on their network. */
export type PaymentRail = (typeof bankRails)[number]['id']
export const paymentRails: readonly PaymentRail[] = bankRails.map(({ id }) => id).sort()

/** The id under which adapters, accounts, transactions and documentation name a rail. */
export type RailId = (typeof rails)[number]['id']

const railById = new Map<string, Rail>(rails.map((rail) => [rail.id, rail]))

export function isRailId(text: string): text is RailId {
  return railById.has(text)
}

export function railOf(id: RailId): Rail {
  return railById.get(id)!
}

/**
 * Whether payments of this rail belong to the bank family, whose transactions may be cancelled while
 * they are under way. UMA, Lightning and chains never can (accounts 10.4).
 */
export function isBankRail(rail: Rail): boolean {
  return rail.kind === 'BANK' || rail.kind === 'MOBILE_MONEY'
}

export function isInstant(rail: Rail): boolean {
  return rail.settlement.kind === 'INSTANT'
}
