import { assert } from '@corridor/kernel'
import { availableOf, type LedgerAccountKind, ledgerAccountKind, mustNotGoNegative } from './chart.ts'

/**
 * Ledger accounts by key (accounts 2.1). A positive balance is owed to the holder, a negative one is an
 * asset held outside. Keys of holders' accounts carry no currency: the internal account has one.
 */
export const ledgerAccount = {
  available: availableOf,
  pending: (internalAccountId: string) => `pend:${internalAccountId}`,
  clearing: (transactionId: string, currency: string) => `txn:${transactionId}:${currency}`,
  refund: (transactionId: string, currency: string) => `refund:${transactionId}:${currency}`,
  platformFee: (transactionId: string, currency: string) => `pfee:${transactionId}:${currency}`,
  fx: (currency: string) => `fx:${currency}`,
  serviceFee: (currency: string) => `fee:${currency}`,
  counterpartyFee: (currency: string) => `cpfee:${currency}`,
  networkFee: (currency: string) => `netfee:${currency}`,
  rail: (rail: string, currency: string) => `rail:${rail}:${currency}`,
  counterparty: (domain: string, currency: string) => `cpty:${domain}:${currency}`,
  lightning: (currency: string) => `ln:${currency}`,
  suspense: (currency: string) => `susp:${currency}`,
  receivable: (owner: string, currency: string) => `recv:${owner}:${currency}`,
  cardReserve: (currency: string) => `cardres:${currency}`,
  cardNetwork: (currency: string) => `cardnet:${currency}`,
  cardException: (currency: string) => `cardexc:${currency}`,
  coinReserve: (coinId: string, currency: string) => `coinres:${coinId}:${currency}`,
  coinOutstanding: (coinId: string, currency: string) => `coinout:${coinId}:${currency}`,
  loss: (currency: string) => `loss:${currency}`,
} as const

export interface LedgerAccountRule {
  readonly kind: LedgerAccountKind
  /** Absent for the accounts of an internal account, whose currency is the internal account's. */
  readonly currency?: string
  /** Whether the ledger refuses a balance below zero: the chart of accounts says. */
  readonly mustNotGoNegative: boolean
  /** Whether a finished transaction must leave it at zero. */
  readonly mustEndEmpty: boolean
}

const holderKinds: readonly LedgerAccountKind[] = ['avail', 'pend']
const kindsThatEndEmpty: readonly LedgerAccountKind[] = ['txn', 'refund', 'pfee']

/** The rule of a key this module made; another key is a bug. */
export function ledgerAccountRule(key: string): LedgerAccountRule {
  const kind = ledgerAccountKind(key)
  const last = key.slice(key.lastIndexOf(':') + 1)
  assert(last !== '', `${key} names what the account is for`)
  const rule = {
    kind,
    mustNotGoNegative: mustNotGoNegative(key),
    mustEndEmpty: kindsThatEndEmpty.includes(kind),
  }
  return holderKinds.includes(kind) ? rule : { ...rule, currency: last }
}
