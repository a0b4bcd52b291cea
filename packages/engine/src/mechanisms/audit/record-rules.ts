import {
  amountDiffers,
  holdWithoutPayment,
  limited,
  moneyWithoutTransaction,
  ownerDiffers,
  paymentWithoutJob,
  postingWithoutRecord,
  quoteWithoutTransaction,
  receiptWithoutTransaction,
  recordDiffers,
  refundWithoutPosting,
  row,
  sameBook,
} from './payment-rules.ts'

/** One comparison of records with postings. It returns platformId, environment, subject, found and expected. */
export interface RecordRule {
  readonly code: RecordRuleCode
  /** Table of the row in a finding. */
  readonly table: string
  /** Sentence of the finding, about the row. */
  readonly says: string
  /** Statement over all books. */
  readonly text: string
}

export type RecordRuleCode =
  | 'POSTING_WITHOUT_RECORD'
  | 'HOLD_WITHOUT_PAYMENT'
  | 'MONEY_WITHOUT_TRANSACTION'
  | 'AMOUNT_DIFFERS_FROM_POSTINGS'
  | 'RECORD_DIFFERS_FROM_PAYMENT'
  | 'OWNER_DIFFERS_FROM_ACCOUNTS'
  | 'REFUND_WITHOUT_POSTING'
  | 'PAYMENT_WITHOUT_JOB'
  | 'QUOTE_WITHOUT_TRANSACTION'
  | 'RECEIPT_WITHOUT_TRANSACTION'
  | 'SUSPENSE_DIFFERS_FROM_ITEMS'
  | 'RECEIVABLES_DIFFER'
  | 'ACCOUNT_DIFFERS_FROM_LEDGER'
  | 'OWNER_MISSING'
  | 'CARD_DIFFERS_FROM_HOLDS'
  | 'CARD_EXCEPTIONS_DIFFER'
  | 'VOLUME_DIFFERS_FROM_PAYMENTS'

const suspenseDiffers = `with waiting as (
     select platform_id, environment, currency, sum(amount) as amount, count(*) as items
     from suspense_items s where s.status = 'WAITING' group by 1, 2, 3
   ), held as (
     select platform_id, environment, currency, credits_posted - debits_posted as amount
     from ledger_accounts a where split_part(a.id, ':', 1) = 'susp'
   )
   select coalesce(w.platform_id, h.platform_id) as "platformId", coalesce(w.environment, h.environment) as environment,
     'susp:' || coalesce(w.currency, h.currency) as subject, coalesce(h.amount, 0)::text as found,
     coalesce(w.amount, 0) || ' in ' || coalesce(w.items, 0) || ' waiting suspense_items'
       || coalesce((select ': ' || string_agg(id, ', ') from (select s.id from suspense_items s
         where ${sameBook('s', 'w')} and s.status = 'WAITING' and s.currency = w.currency order by s.id limit 20) s), '')
       as expected
   from waiting w full join held h on ${sameBook('h', 'w')} and h.currency = w.currency
   where coalesce(w.amount, 0) <> coalesce(h.amount, 0) ${limited}`

/** The debt of an owner in a currency equals the outstanding amounts of its receivables. */
const receivablesDiffer = `with owed as (
     select platform_id, environment, 'recv:' || owner_id || ':' || currency as id, sum(remaining) as amount,
       (array_agg(r.id order by r.id) filter (where remaining > 0))[1:20] as ids
     from receivables r group by 1, 2, 3
   ), held as (
     select platform_id, environment, id, debits_posted - credits_posted as amount
     from ledger_accounts a where split_part(a.id, ':', 1) = 'recv'
   )
   select coalesce(o.platform_id, h.platform_id) as "platformId", coalesce(o.environment, h.environment) as environment,
     coalesce(o.id, h.id) as subject, coalesce(h.amount, 0)::text as found,
     coalesce(o.amount, 0) || ' left of receivables' || coalesce(': ' || array_to_string(o.ids, ', '), '') as expected
   from owed o full join held h on ${sameBook('h', 'o')} and h.id = o.id
   where coalesce(o.amount, 0) <> coalesce(h.amount, 0) ${limited}`

const accountDiffers = `select ${row('a')}, a.id as subject,
     coalesce('internal account in ' || i.currency, 'no internal account') as found,
     'an internal account in ' || a.currency as expected
   from ledger_accounts a
   left join internal_accounts i on ${sameBook('i', 'a')}
     and i.id = split_part(a.id, ':', 2) || ':' || split_part(a.id, ':', 3)
   where split_part(a.id, ':', 1) in ('avail', 'pend') and i.currency is distinct from a.currency ${limited}`

const ownerMissing = `select ${row('i')}, i.id as subject, i.owner_id as found,
     'a customer or the platform' as expected
   from internal_accounts i
   where i.owner_id <> 'platform'
     and not exists (select from customers c where ${sameBook('c', 'i')} and c.id = i.owner_id) ${limited}`

/** The amount held for a purchase is the sum of its holds, and each of them is an open pending posting. */
const cardDiffers = `select ${row('c')}, c.id as subject,
     'held ' || c.held || ' ' || c.currency as found,
     'open holds of ' || coalesce(sum((h.hold ->> 'amount')::bigint)
       filter (where x.id is not null and r.id is null and not coalesce((h.hold ->> 'isReversal')::boolean, false)), 0)
       as expected
   from card_transactions c
   left join lateral (select hold from jsonb_array_elements(c.holds) as e(hold)) h on true
   left join ledger_transfers x on ${sameBook('x', 'c')} and x.id = h.hold ->> 'id' and x.kind = 'PENDING'
   left join ledger_transfers r on ${sameBook('r', 'c')} and r.pending_id = x.id
   group by c.platform_id, c.environment, c.id, c.held, c.currency
   having c.held <> coalesce(sum((h.hold ->> 'amount')::bigint)
     filter (where x.id is not null and r.id is null and not coalesce((h.hold ->> 'isReversal')::boolean, false)), 0)
   ${limited}`

/** Cards are in cents; a funding currency with more decimals has 10,000 units in each. */
const units = `case when c.funding_currency = c.currency then 1 else 10000 end`

const cardExceptionsDiffer = `with owed as (
     select platform_id, environment, funding_currency as currency, sum((owed + owed_returns) * ${units}) as amount,
       (array_agg(id order by id) filter (where owed + owed_returns > 0))[1:20] as ids
     from card_transactions c group by 1, 2, 3
   ), held as (
     select platform_id, environment, currency, debits_posted - credits_posted as amount
     from ledger_accounts a where a.id = 'cardexc:' || a.currency
   )
   select coalesce(o.platform_id, h.platform_id) as "platformId", coalesce(o.environment, h.environment) as environment,
     'cardexc:' || coalesce(o.currency, h.currency) as subject, coalesce(h.amount, 0)::text as found,
     coalesce(o.amount, 0) || ' owed by card_transactions' || coalesce(': ' || array_to_string(o.ids, ', '), '') as expected
   from owed o full join held h on ${sameBook('h', 'o')} and h.currency = o.currency
   where coalesce(o.amount, 0) <> coalesce(h.amount, 0) ${limited}`

/** A payment counts from its execution until it fails or is cancelled. A receiver's own record does not. */
const volumeDiffers = `with counted as (
     select platform_id, environment, t.flow -> 'volume' ->> 'counter' as id,
       sum((t.flow -> 'volume' ->> 'usdMinor')::numeric) filter (where t.status not in ('FAILED', 'REJECTED', 'EXPIRED')
         and coalesce(t.refund ->> 'reason', '') <> 'USER_CANCELLATION') as used
     from transactions t
     where t.flow ? 'volume'
       and not (t.type = 'INCOMING' and t.flow -> 'funding' ->> 'kind' = 'INTERNAL')
     group by 1, 2, 3
   )
   select coalesce(c.platform_id, v.platform_id) as "platformId", coalesce(c.environment, v.environment) as environment,
     coalesce(c.id, v.id) as subject, coalesce(v.used, 0)::text as found, coalesce(c.used, 0)::text as expected
   from counted c
   full join (select * from volume_counters v where v.id ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}/') v
     on ${sameBook('v', 'c')} and v.id = c.id
   where coalesce(c.used, 0) <> coalesce(v.used, 0) ${limited}`

const rule = (code: RecordRuleCode, table: string, says: string, text: RecordRule['text']): RecordRule => ({
  code,
  table,
  says,
  text,
})

export const recordRules: readonly RecordRule[] = [
  rule('POSTING_WITHOUT_RECORD', 'ledger_transfers', 'does not belong to a record', postingWithoutRecord),
  rule('HOLD_WITHOUT_PAYMENT', 'ledger_transfers', 'is reserved without a payment', holdWithoutPayment),
  rule(
    'MONEY_WITHOUT_TRANSACTION',
    'ledger_accounts',
    'holds money without a transaction',
    moneyWithoutTransaction,
  ),
  rule(
    'AMOUNT_DIFFERS_FROM_POSTINGS',
    'transactions',
    'has amounts that differ from its postings',
    amountDiffers,
  ),
  rule(
    'RECORD_DIFFERS_FROM_PAYMENT',
    'transactions',
    'differs from the amount that its payment moved',
    recordDiffers,
  ),
  rule(
    'OWNER_DIFFERS_FROM_ACCOUNTS',
    'transactions',
    'does not belong to an owner of its accounts',
    ownerDiffers,
  ),
  rule('REFUND_WITHOUT_POSTING', 'transactions', 'has a refund that was not made', refundWithoutPosting),
  rule('PAYMENT_WITHOUT_JOB', 'transactions', 'is in progress, but no job continues it', paymentWithoutJob),
  rule('QUOTE_WITHOUT_TRANSACTION', 'quotes', 'was executed without a transaction', quoteWithoutTransaction),
  rule(
    'RECEIPT_WITHOUT_TRANSACTION',
    'inbound_payments',
    'arrived without a transaction',
    receiptWithoutTransaction,
  ),
  rule('SUSPENSE_DIFFERS_FROM_ITEMS', 'ledger_accounts', 'differs from the waiting items', suspenseDiffers),
  rule(
    'RECEIVABLES_DIFFER',
    'ledger_accounts',
    'differs from the amount that its owner owes',
    receivablesDiffer,
  ),
  rule('ACCOUNT_DIFFERS_FROM_LEDGER', 'ledger_accounts', 'differs from its internal account', accountDiffers),
  rule('OWNER_MISSING', 'internal_accounts', 'has no owner', ownerMissing),
  rule(
    'CARD_DIFFERS_FROM_HOLDS',
    'card_transactions',
    'has an amount that differs from the ledger',
    cardDiffers,
  ),
  rule(
    'CARD_EXCEPTIONS_DIFFER',
    'ledger_accounts',
    'differs from the amounts that cards owe',
    cardExceptionsDiffer,
  ),
  rule('VOLUME_DIFFERS_FROM_PAYMENTS', 'volume_counters', 'differs from its payments', volumeDiffers),
]
