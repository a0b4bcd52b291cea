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
    meaning: 'the money of the holder of an internal account; what is pending is held',
  },
  pend: { mustNotGoNegative: true, isOfService: false, meaning: 'arrived, under compliance review' },
  txn: {
    mustNotGoNegative: true,
    isOfService: false,
    meaning: 'clearing of one transaction; zero once it is finished',
  },
  refund: {
    mustNotGoNegative: true,
    isOfService: false,
    meaning: 'refund payable of one transaction; zero once it is decided',
  },
  pfee: {
    mustNotGoNegative: true,
    isOfService: false,
    meaning: 'platform fee of one transaction, in escrow until it completes',
  },
  fx: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'currency position; valued at mid it is the trading result',
  },
  fee: { mustNotGoNegative: false, isOfService: true, meaning: 'fee revenue of the service' },
  cpfee: { mustNotGoNegative: false, isOfService: true, meaning: 'fees that pass to receiving institutions' },
  netfee: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'network costs collected and paid out to the chain',
  },
  rail: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'mirror of a bank or chain: what the service holds there',
  },
  susp: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'money whose owner or destination is not known yet',
  },
  recv: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'owed to the service after a clawback found too little',
  },
  cpty: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'institution that settles bilaterally, in millisatoshi: what is owed to it',
  },
  ln: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'mirror of the Lightning node, in millisatoshi: what the service holds there',
  },
  cardres: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'charged to cardholders, not yet owed to the network',
  },
  cardnet: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'card network: owed on claims, due on returns',
  },
  cardexc: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'the network was paid and a cardholder could not be charged',
  },
  coinres: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'what the issuer holds for a stablecoin: minted less burned',
  },
  coinout: {
    mustNotGoNegative: false,
    isOfService: true,
    meaning: 'units of a stablecoin outstanding outside the service',
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
