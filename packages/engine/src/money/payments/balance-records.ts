import type { JournalStep } from './postings.ts'

/** A cause that changes the available balance of an internal account, and the record that its owner can list. */
export interface BalanceRecord {
  readonly moves: string
  readonly balance: 'increase' | 'decrease' | 'reserve' | 'release'
  /** Owner and type of the record, as lists show it. */
  readonly record: string
  readonly event: string
}

const outgoing = "the payer's payment (`OUTGOING`, `DEBIT`)"
const incoming = 'the payment (`INCOMING`, `CREDIT`)'
const completed = '`INCOMING_PAYMENT.COMPLETED`'

const delivery: readonly BalanceRecord[] = [
  {
    moves: 'a payment to an account of another owner, from any source',
    balance: 'increase',
    record: 'a record of the receiver (`INCOMING`, `CREDIT`) with the received amount',
    event: completed,
  },
  {
    moves: 'a payment between two accounts of one owner',
    balance: 'increase',
    record: `${outgoing}, which names both accounts`,
    event: '`OUTGOING_PAYMENT.COMPLETED`',
  },
  {
    moves: 'a quote with realtime funding whose destination account belongs to the owner of the quote',
    balance: 'increase',
    record: 'a separate record (`INCOMING`, `CREDIT`) in addition to the record of the quote',
    event: completed,
  },
  {
    moves: 'the platform fee of a delivered payment',
    balance: 'increase',
    record: 'a record of the platform (`INCOMING`, `CREDIT`) with only the fee',
    event: completed,
  },
]

/**
 * All changes, by the step whose postings cause them. docs/reference/balances.md is generated from this table. A step that touches
 * no such balance has none. Fees and credits for an unusable account wait in suspense, which belongs to no owner.
 */
export const balanceRecords: Readonly<Record<JournalStep | 'card', readonly BalanceRecord[]>> = {
  hold: [
    {
      moves: 'a payment that the customer has to authorize',
      balance: 'reserve',
      record: outgoing,
      event: '`OUTGOING_PAYMENT.PENDING_AUTHORIZATION`',
    },
  ],
  capture: [
    {
      moves: 'an authorized payment',
      balance: 'decrease',
      record: outgoing,
      event: '`OUTGOING_PAYMENT.PROCESSING`',
    },
  ],
  release: [
    {
      moves: 'a payment that the customer did not authorize',
      balance: 'release',
      record: outgoing,
      event: '`OUTGOING_PAYMENT.FAILED`',
    },
  ],
  execute: [
    {
      moves: 'the execution of a quote or a `POST /transfer-out`',
      balance: 'decrease',
      record: `${outgoing}. The record belongs to the owner of the account, for example the platform if it pays for a customer`,
      event: '`OUTGOING_PAYMENT.PENDING`',
    },
  ],
  fund: [],
  late: [],
  collect: [
    {
      moves: 'a pull or a `POST /transfer-in` into an account whose owner also owns the bank account',
      balance: 'increase',
      record: incoming,
      event: completed,
    },
    ...delivery,
    {
      moves: 'the collection of a receivable, on request or from later credits',
      balance: 'decrease',
      record: 'a separate record (`OUTGOING`, `DEBIT`) with the collected amount',
      event: '`OUTGOING_PAYMENT.COMPLETED`',
    },
  ],
  deposit: [
    {
      moves:
        'a deposit, simulated money in the sandbox, the mint of a stablecoin, or a deposit, fee or card return that leaves suspense',
      balance: 'increase',
      record: 'the deposit (`INCOMING`, `CREDIT`)',
      event: completed,
    },
  ],
  receive: [{ moves: 'a UMA payment', balance: 'increase', record: incoming, event: completed }],
  refuse: [],
  suspense: [],
  resolve: [
    {
      moves: 'a refund that leaves suspense',
      balance: 'increase',
      record: 'the refunded payment with its `refund`',
      event: 'only `INTERNAL_ACCOUNT.BALANCE_UPDATED`',
    },
  ],
  convert: [],
  deliver: delivery,
  credit: [
    {
      moves: 'a pull that leaves suspense',
      balance: 'increase',
      record: incoming,
      event: completed,
    },
    ...delivery,
  ],
  unwind: [],
  clawback: [
    {
      moves: 'a collection that the bank returned after the payment was refunded to the account',
      balance: 'decrease',
      record: 'a separate record (`OUTGOING`, `DEBIT`) with the debited amount',
      event: '`OUTGOING_PAYMENT.COMPLETED`',
    },
  ],
  return: [
    {
      moves: 'a returned collection that was credited to an account of the same owner',
      balance: 'decrease',
      record:
        'the payment, now `FAILED`. If the account has too little money, the missing amount is a separate record (`INCOMING`, `CREDIT`) and becomes a receivable',
      event: '`INCOMING_PAYMENT.FAILED`, and `INCOMING_PAYMENT.COMPLETED` for the missing amount',
    },
    {
      moves:
        'a returned collection that was credited to an account of another owner, or the platform fee of a returned collection or payout',
      balance: 'decrease',
      record: 'a separate record (`OUTGOING`, `DEBIT`) with the debited amount',
      event: '`OUTGOING_PAYMENT.COMPLETED`',
    },
  ],
  refund: [
    {
      moves: 'a refund',
      balance: 'increase',
      record: 'the refunded payment with its `refund`',
      event: '`OUTGOING_PAYMENT.REFUND_COMPLETED`',
    },
  ],
  writeOff: [],
  card: [
    {
      moves: 'a card authorization, or the reversal of a card return until it is confirmed',
      balance: 'reserve',
      record: 'the card transaction (`CARD`)',
      event: '`CARD_TRANSACTION.AUTHORIZED`',
    },
    {
      moves: 'a clearing, including any amount above the authorization',
      balance: 'decrease',
      record: 'the card transaction (`CARD`)',
      event: '`CARD_TRANSACTION.SETTLED` or `CARD_TRANSACTION.PARTIALLY_SETTLED`',
    },
    {
      moves: 'a card return or a card credit',
      balance: 'increase',
      record: 'the card transaction (`CARD`)',
      event: '`CARD_TRANSACTION.REFUNDED` or `CARD_TRANSACTION.SETTLED`',
    },
    {
      moves: 'a cancelled or expired card authorization',
      balance: 'release',
      record: 'the card transaction (`CARD`)',
      event: 'the event of the card transaction, if its status changes',
    },
  ],
}
