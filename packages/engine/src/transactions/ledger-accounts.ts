import { assert } from '@corridor/kernel'

/**
 * Ledger accounts by key (accounts 2.1). A positive balance is owed to the holder, a negative one is an
 * asset held outside. Keys of holders' accounts carry no currency: the internal account has one.
 */
export const ledgerAccount = {
  available: (internalAccountId: string) => `avail:${internalAccountId}`,
  held: (internalAccountId: string) => `held:${internalAccountId}`,
  pending: (internalAccountId: string) => `pend:${internalAccountId}`,
  clearing: (transactionId: string, currency: string) => `txn:${transactionId}:${currency}`,
  refund: (transactionId: string, currency: string) => `refund:${transactionId}:${currency}`,
  platformFee: (transactionId: string, currency: string) => `pfee:${transactionId}:${currency}`,
  fx: (currency: string) => `fx:${currency}`,
  serviceFee: (currency: string) => `fee:${currency}`,
  counterpartyFee: (currency: string) => `cpfee:${currency}`,
  networkFee: (currency: string) => `netfee:${currency}`,
  rail: (rail: string, currency: string) => `rail:${rail}:${currency}`,
  suspense: (currency: string) => `susp:${currency}`,
  receivable: (owner: string, currency: string) => `recv:${owner}:${currency}`,
  loss: (currency: string) => `loss:${currency}`,
} as const

export type LedgerAccountKind = keyof typeof ledgerAccount

export interface LedgerAccountRule {
  readonly kind: LedgerAccountKind
  /** Absent for the accounts of an internal account, whose currency is the internal account's. */
  readonly currency?: string
  /**
   * Whether the database refuses a balance below zero. True for what belongs to someone or must be
   * empty in the end; the fee account is positive in aggregate but not by constraint.
   */
  readonly mustNotGoNegative: boolean
  /** Whether a finished transaction must leave it at zero. */
  readonly mustEndEmpty: boolean
}

type Row = readonly [kind: LedgerAccountKind, mustNotGoNegative: boolean, mustEndEmpty: boolean]

const rules: Readonly<Record<string, Row>> = {
  avail: ['available', true, false],
  held: ['held', true, false],
  pend: ['pending', true, false],
  txn: ['clearing', true, true],
  refund: ['refund', true, true],
  pfee: ['platformFee', true, true],
  fx: ['fx', false, false],
  fee: ['serviceFee', false, false],
  cpfee: ['counterpartyFee', false, false],
  netfee: ['networkFee', false, false],
  rail: ['rail', false, false],
  susp: ['suspense', true, false],
  recv: ['receivable', false, false],
  loss: ['loss', false, false],
}

const holderKinds: readonly LedgerAccountKind[] = ['available', 'held', 'pending']

/** The rule of a key this module made; another key is a bug. */
export function ledgerAccountRule(key: string): LedgerAccountRule {
  const [prefix = '', ...rest] = key.split(':')
  const row = Object.hasOwn(rules, prefix) ? rules[prefix] : undefined
  const last = rest.at(-1)
  assert(row && last, `${key} is a ledger account key`)
  const [kind, mustNotGoNegative, mustEndEmpty] = row
  const rule = { kind, mustNotGoNegative, mustEndEmpty }
  return holderKinds.includes(kind) ? rule : { ...rule, currency: last }
}
