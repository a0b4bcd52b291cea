import { assert } from '@corridor/kernel'

/**
 * The chart of accounts (accounts 2.1). A ledger account is named by what it is for, so a journal can be
 * read without a look-up; its prefix says which rule holds for it. Credit balances are what the service
 * owes; debit balances are what it holds outside. Those of the service are its own business in production.
 */
export const ledgerAccountKinds = {
  avail: {
    mustNotGoNegative: true,
    isOfService: false,
    meaning: 'money of an internal account; pending debits are reserved',
  },
  pend: { mustNotGoNegative: true, isOfService: false, meaning: 'money received and in compliance review' },
  txn: {
    mustNotGoNegative: true,
    isOfService: false,
    meaning: 'clearing of one transaction; zero once the transaction is finished',
  },
  refund: {
    mustNotGoNegative: true,
    isOfService: false,
    meaning: 'refund payable of one transaction; zero once the refund is decided',
  },
  pfee: {
    mustNotGoNegative: true,
    isOfService: false,
    meaning: 'platform fee of one transaction, in escrow until it completes',
  },
  fx: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'currency position, whose value at the mid rate is the trading result',
  },
  fee: { mustNotGoNegative: false, isOfService: true, meaning: 'fee revenue of the service' },
  cpfee: { mustNotGoNegative: false, isOfService: true, meaning: 'fees passed on to receiving institutions' },
  netfee: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'network costs collected from senders and paid to the blockchain',
  },
  rail: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'money of the service at a bank or on a blockchain',
  },
  susp: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'money whose owner or destination is unknown',
  },
  recv: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'amount owed to the service because a clawback found too little money',
  },
  cpty: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'amount owed to an institution that settles bilaterally, in millisatoshi',
  },
  ln: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'money of the service at the Lightning node, in millisatoshi',
  },
  cardres: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'amount charged to cardholders and not yet owed to the card network',
  },
  cardnet: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'amount owed to the card network for clearings, or due from it for returns',
  },
  cardexc: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'amount paid to the card network but not charged to the cardholder',
  },
  coinres: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'reserve of a stablecoin issuer (minted minus burned units)',
  },
  coinout: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'units of a stablecoin outside the service',
  },
  loss: { mustNotGoNegative: false, isOfService: true, meaning: 'written off' },
} as const

export type LedgerAccountKind = keyof typeof ledgerAccountKinds

export function ledgerAccountKind(id: string): LedgerAccountKind {
  const kind = id.slice(0, id.indexOf(':'))
  assert(kind in ledgerAccountKinds, `a ledger account starts with its kind: ${id}`)
  return kind as LedgerAccountKind
}

/** Whether it is a part of what an internal account shows: what can be spent of it, and what is under review. */
export function isOfHolder(id: string): boolean {
  const kind = ledgerAccountKind(id)
  return kind === 'avail' || kind === 'pend'
}

/** The ledger account whose row counts the changes of an internal account: what can be spent of it. */
export function availableOf(internalAccountId: string): string {
  return `avail:${internalAccountId}`
}

/** Whether the balance of this account may never fall below zero. */
export function mustNotGoNegative(id: string): boolean {
  return ledgerAccountKinds[ledgerAccountKind(id)].mustNotGoNegative
}
