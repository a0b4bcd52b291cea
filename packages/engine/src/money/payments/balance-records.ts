import type { JournalStep } from './postings.ts'

/** A cause that changes the available balance of an internal account, and the record that its owner can list. */
export interface BalanceRecord {
  readonly moves: string
  readonly balance: 'rises' | 'falls' | 'is held' | 'is freed'
  /** Owner and type of the record, as lists show it. */
  readonly record: string
  readonly event: string
}

const outgoing = 'the payment of the payer: `OUTGOING`, `DEBIT`'
const incoming = 'the payment: `INCOMING`, `CREDIT`'
const completed = '`INCOMING_PAYMENT.COMPLETED`'

const delivery: readonly BalanceRecord[] = [
  {
    moves: 'a payment to an account of another owner, from any source',
    balance: 'rises',
    record: 'a record of the receiver: `INCOMING`, `CREDIT`, with the received amount',
    event: completed,
  },
  {
    moves: 'a payment between two accounts of one owner',
    balance: 'rises',
    record: `${outgoing}; it names both accounts`,
    event: '`OUTGOING_PAYMENT.COMPLETED`',
  },
  {
    moves: 'a quote that is paid in from outside, to an account of its owner',
    balance: 'rises',
    record: 'a separate record beside the one of the quote: `INCOMING`, `CREDIT`',
    event: completed,
  },
  {
    moves: 'the fee of the platform, once the payment is delivered',
    balance: 'rises',
    record: 'a record of the platform: `INCOMING`, `CREDIT`, with the fee alone',
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
      moves: 'a payment that its customer has to authorize',
      balance: 'is held',
      record: outgoing,
      event: '`OUTGOING_PAYMENT.PENDING_AUTHORIZATION`',
    },
  ],
  capture: [
    {
      moves: 'a payment that was authorized',
      balance: 'falls',
      record: outgoing,
      event: '`OUTGOING_PAYMENT.PROCESSING`',
    },
  ],
  release: [
    {
      moves: 'a payment that was not authorized',
      balance: 'is freed',
      record: outgoing,
      event: '`OUTGOING_PAYMENT.FAILED`',
    },
  ],
  execute: [
    {
      moves:
        'the execution of a quote, or `POST /transfer-out`, requested by the platform, the customer or an agent',
      balance: 'falls',
      record: `${outgoing}. It belongs to the owner of the account: the platform, if the platform pays for a customer`,
      event: '`OUTGOING_PAYMENT.PENDING`',
    },
  ],
  fund: [],
  late: [],
  collect: [
    {
      moves: 'a pull into an account of the owner of the bank account, and `POST /transfer-in`',
      balance: 'rises',
      record: incoming,
      event: completed,
    },
    ...delivery,
    {
      moves: 'the collection of a receivable, on request or from later credits',
      balance: 'falls',
      record: 'a separate record: `OUTGOING`, `DEBIT`, with the collected amount',
      event: '`OUTGOING_PAYMENT.COMPLETED`',
    },
  ],
  deposit: [
    {
      moves:
        'a deposit, money of the sandbox, a mint of a stablecoin, and a deposit, fee or card return that leaves suspense',
      balance: 'rises',
      record: 'the deposit: `INCOMING`, `CREDIT`',
      event: completed,
    },
  ],
  receive: [{ moves: 'a UMA payment', balance: 'rises', record: incoming, event: completed }],
  refuse: [],
  suspense: [],
  resolve: [
    {
      moves: 'a refund that leaves suspense',
      balance: 'rises',
      record: 'the payment that is refunded, with its `refund`',
      event: 'only `INTERNAL_ACCOUNT.BALANCE_UPDATED`',
    },
  ],
  convert: [],
  deliver: delivery,
  credit: [
    {
      moves: 'a pull that leaves suspense',
      balance: 'rises',
      record: incoming,
      event: completed,
    },
    ...delivery,
  ],
  unwind: [],
  clawback: [
    {
      moves: 'a collection that the bank returns after its payment was refunded to the account',
      balance: 'falls',
      record: 'a separate record: `OUTGOING`, `DEBIT`, with the debited amount',
      event: '`OUTGOING_PAYMENT.COMPLETED`',
    },
  ],
  return: [
    {
      moves: 'a returned collection that was credited to an account of the same owner',
      balance: 'falls',
      record:
        'the payment, now `FAILED`. The part that the account lacks is a separate record (`INCOMING`, `CREDIT`) and becomes a receivable',
      event: '`INCOMING_PAYMENT.FAILED`, and `INCOMING_PAYMENT.COMPLETED` for that part',
    },
    {
      moves:
        'a returned collection that was credited to an account of another owner, and the platform fee of a returned collection or payout',
      balance: 'falls',
      record: 'a separate record: `OUTGOING`, `DEBIT`, with the debited amount',
      event: '`OUTGOING_PAYMENT.COMPLETED`',
    },
  ],
  refund: [
    {
      moves: 'a refund',
      balance: 'rises',
      record: 'the payment that is refunded, with its `refund`',
      event: '`OUTGOING_PAYMENT.REFUND_COMPLETED`',
    },
  ],
  writeOff: [],
  card: [
    {
      moves: 'a card authorization, or the reversal of a card return, until it is confirmed',
      balance: 'is held',
      record: 'the card transaction: `CARD`',
      event: '`CARD_TRANSACTION.AUTHORIZED`',
    },
    {
      moves: 'a clearing, including the part above its authorization',
      balance: 'falls',
      record: 'the card transaction: `CARD`',
      event: '`CARD_TRANSACTION.SETTLED` or `CARD_TRANSACTION.PARTIALLY_SETTLED`',
    },
    {
      moves: 'a return, or a credit',
      balance: 'rises',
      record: 'the card transaction: `CARD`',
      event: '`CARD_TRANSACTION.REFUNDED` or `CARD_TRANSACTION.SETTLED`',
    },
    {
      moves: 'an authorization that is cancelled or has expired',
      balance: 'is freed',
      record: 'the card transaction: `CARD`',
      event: 'the event of the card transaction, if its status changes',
    },
  ],
}
