import type { ledgerAccountKinds } from '../ledger/chart.ts'

/** Which rows of a table, by its alias in a statement. */
type Within = (alias: string) => string

/** What one audit looks at: the rows of some books and, where it does not look at everything, some payments. */
export interface Reach {
  readonly of: Within
  /** A condition on an expression that is the id of a payment or the id of a posting. */
  readonly payments: Within
  readonly postings: Within
  /** The same, for new postings alone. */
  readonly written: Within
}

/** One comparison of records with postings. It returns platformId, environment, subject, found and expected. */
export interface RecordRule {
  readonly code: RecordRuleCode
  /** The table of the row that a finding names. */
  readonly table: string
  /** The sentence of a finding, about the row. */
  readonly says: string
  readonly text: (reach: Reach) => string
  /** Whether it can be asked about some payments alone. A rule about sums needs all rows of the book. */
  readonly isOfPayments: boolean
}

export type RecordRuleCode =
  | 'POSTING_WITHOUT_RECORD'
  | 'HOLD_WITHOUT_PAYMENT'
  | 'MONEY_WITHOUT_TRANSACTION'
  | 'AMOUNT_DIFFERS_FROM_POSTINGS'
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

const row = (alias: string) => `${alias}.platform_id as "platformId", ${alias}.environment`
const sameBook = (a: string, b: string) =>
  `${a}.platform_id = ${b}.platform_id and ${a}.environment = ${b}.environment`
const limited = 'order by 1, 2, 3 limit $1'

/** The postings of payments, with the payment and the step that their ids name. */
const postingsOf = ({ of, postings }: Reach) => `select x.platform_id, x.environment, x.id, x.kind,
     x.debit_account, x.credit_account, x.currency, x.amount,
     split_part(x.id, '/', 1) as payment, split_part(x.id, '/', 2) as step
   from ledger_transfers x
   where ${of('x')} and ${postings('x.id')} and x.kind in ('POSTED', 'POST_PENDING')`

/** The record that a posting's id names, in one of its forms. */
const namedRecord = `case
     when x.id like 'Transaction:%' then
       exists (select from transactions t where ${sameBook('t', 'x')} and t.id = split_part(x.id, '/', 1))
       or exists (select from suspense_items s where ${sameBook('s', 'x')} and s.id = split_part(x.id, '/', 1))
     when x.id like 'CardTransaction:%' then exists (select from card_transactions c
       where ${sameBook('c', 'x')} and c.id = split_part(x.id, ':', 1) || ':' || split_part(x.id, ':', 2))
     when x.id like 'StablecoinOperation:%' then exists (select from stablecoin_operations o
       where ${sameBook('o', 'x')} and o.id = split_part(x.id, ':', 1) || ':' || split_part(x.id, ':', 2))
     when x.id like 'inbound:%' then exists (select from inbound_payments i
       where ${sameBook('i', 'x')} and i.id = regexp_replace(x.id, '^inbound:(.*)/suspense/[0-9]+$', '\\1'))
     when x.id like 'uma-settlement/%' then
       'cpty' in (split_part(x.debit_account, ':', 1), split_part(x.credit_account, ':', 1))
     else false end`

const postingWithoutRecord = ({ of, written }: Reach) => `select ${row('x')}, x.id as subject,
     x.amount || ' ' || x.currency || ' from ' || x.debit_account || ' to ' || x.credit_account as found,
     'a record that its id names' as expected
   from ledger_transfers x where ${of('x')} and ${written('x.id')} and not (${namedRecord}) ${limited}`

/** What is held is held for a payment that its customer is to authorize, or for a charge of a card. */
const holdWithoutPayment = ({ of, written }: Reach) => `select ${row('x')}, x.id as subject,
     x.amount || ' ' || x.currency || ' held on ' || x.debit_account as found,
     'a payment or a card transaction that holds it' as expected
   from ledger_transfers x
   left join ledger_transfers r on ${sameBook('r', 'x')} and r.pending_id = x.id
   where ${of('x')} and ${written('x.id')} and x.kind = 'PENDING' and r.id is null
     and not exists (select from transactions t where ${sameBook('t', 'x')} and t.id = split_part(x.id, '/', 1)
       and t.flow ->> 'stage' = 'AUTHORIZE')
     and not exists (select from card_transactions c where ${sameBook('c', 'x')}
       and c.id = split_part(x.id, ':', 1) || ':' || split_part(x.id, ':', 2)
       and c.holds @> jsonb_build_array(jsonb_build_object('id', x.id))) ${limited}`

const paymentOfAccount = "split_part(a.id, ':', 2) || ':' || split_part(a.id, ':', 3)"

/** Clearing, fees and refunds of a payment whose record is gone. */
const moneyWithoutTransaction = ({ of, payments }: Reach) => `select ${row('a')}, a.id as subject,
     (a.credits_posted - a.debits_posted) || ' ' || a.currency as found,
     'the transaction ' || ${paymentOfAccount} as expected
   from ledger_accounts a
   left join transactions t on ${sameBook('t', 'a')} and t.id = ${paymentOfAccount}
   where ${of('a')} and ${payments(paymentOfAccount)} and t.id is null
     and split_part(a.id, ':', 1) in (${kindsThatEndEmpty()})
     and (a.credits_posted <> a.debits_posted or a.debits_pending <> 0 or a.credits_pending <> 0) ${limited}`

function kindsThatEndEmpty(): string {
  const kinds: readonly (keyof typeof ledgerAccountKinds)[] = ['txn', 'refund', 'pfee']
  return kinds.map((kind) => `'${kind}'`).join(', ')
}

/**
 * The record of a debit that went through no clearing account: what was paid of a receivable, or what was taken back of another
 * payment, which has the posting.
 */
const plainDebit = `t.type = 'OUTGOING' and t.flow ->> 'kind' = 'TRANSFER' and t.flow -> 'funding' ->> 'kind' = 'INTERNAL'
     and (m.paid_off = t.sent_amount or exists (select from taken d where ${sameBook('d', 't')}
       and d.debit_account = 'avail:' || (t.flow -> 'funding' ->> 'accountId')
       and d.currency = t.sent_currency and d.amount = t.sent_amount))`

/**
 * What came in for a payment is what it says was sent, and what went out what it says was received. A receiver's own record
 * of a payment between two accounts has no postings.
 */
const amountDiffers = (reach: Reach) => `with p as (${postingsOf(reach)}), taken as (
     select * from p where p.step in ('clawback', 'return') and split_part(p.debit_account, ':', 1) = 'avail'
   ), moved as (
     select t.platform_id, t.environment, t.id,
       sum(p.amount) filter (where p.step in ('execute', 'capture', 'fund', 'collect') and p.currency = t.sent_currency
         and p.credit_account = 'txn:' || t.id || ':' || t.sent_currency) as came,
       sum(p.amount) filter (where p.step in ('deliver', 'collect', 'credit', 'convert')
         and p.debit_account = 'txn:' || t.id || ':' || t.received_currency
         and split_part(p.credit_account, ':', 1) in ('avail', 'rail')) as went,
       sum(p.amount) filter (where p.step in ('deposit', 'receive')
         and split_part(p.credit_account, ':', 1) = 'avail') as credited,
       sum(p.amount) filter (where p.step = 'collect' and split_part(p.credit_account, ':', 1) = 'recv') as paid_off
     from transactions t left join p on ${sameBook('p', 't')} and p.payment = t.id
     where ${reach.of('t')} and ${reach.payments('t.id')} group by 1, 2, 3
   ), judged as (
     select t.*, m.came, m.went, m.credited, t.flow ->> 'kind' in ('DEPOSIT', 'UMA') and t.type = 'INCOMING' as is_credit,
       t.status = 'COMPLETED' and t.refund is null as is_delivered
     from moved m join transactions t on ${sameBook('t', 'm')} and t.id = m.id
     where not (t.type = 'INCOMING' and t.flow -> 'funding' ->> 'kind' = 'INTERNAL')
       and not (m.came is null and ${plainDebit})
   )
   select ${row('j')}, j.id as subject,
     'sent ' || coalesce(j.sent_amount::text, '-') || ' ' || coalesce(j.sent_currency, '-') || ', received '
       || coalesce(j.received_amount::text, '-') || ' ' || coalesce(j.received_currency, '-') as found,
     case when j.is_credit then 'postings of ' || coalesce(j.credited, 0) || ' received'
       else 'postings of ' || coalesce(j.came, 0) || ' sent, ' || coalesce(j.went, 0) || ' received' end as expected
   from judged j
   where case when j.is_credit then j.is_delivered and j.received_amount is distinct from j.credited
     else not j.flow ? 'refunded' and j.came <> j.sent_amount
       or j.is_delivered and (j.came is distinct from j.sent_amount or j.went is distinct from j.received_amount) end
   ${limited}`

/** A payment belongs to the owner of one of its accounts. */
const ownerDiffers = ({ of, payments }: Reach) => `select ${row('t')}, t.id as subject, t.owner_id as found,
     'the owner of ' || string_agg(a.id || ' (' || a.owner_id || ')', ' or ' order by a.id) as expected
   from transactions t
   join lateral (
     select id, owner_id from internal_accounts i where ${sameBook('i', 't')}
       and i.id in (t.flow -> 'funding' ->> 'accountId', t.flow -> 'delivery' ->> 'accountId')
     union all
     select id, owner_id from external_accounts e where ${sameBook('e', 't')}
       and e.id in (t.flow -> 'funding' ->> 'accountId', t.flow -> 'delivery' ->> 'accountId')
   ) a on true
   where ${of('t')} and ${payments('t.id')}
   group by t.platform_id, t.environment, t.id, t.owner_id having not bool_or(a.owner_id = t.owner_id) ${limited}`

const refundWithoutPosting = (reach: Reach) => `with p as (${postingsOf(reach)})
   select ${row('t')}, t.id as subject, 'refund COMPLETED' as found, 'a posting that gives the money back' as expected
   from transactions t
   where ${reach.of('t')} and ${reach.payments('t.id')} and t.refund ->> 'status' = 'COMPLETED'
     and not exists (select from p where ${sameBook('p', 't')} and p.payment = t.id
       and split_part(p.debit_account, ':', 1) = 'refund' and p.step in ('refund', 'refuse', 'clawback')) ${limited}`

/**
 * A payment goes on by its job, unless the operator holds it back. A job that was given up is listed elsewhere. The one that
 * watches a collection takes no step.
 */
const paymentWithoutJob = ({ of, payments }: Reach) => `select ${row('t')}, t.id as subject,
     t.status || ' at ' || (t.flow ->> 'stage') || ' without a job' as found, 'a job for its next step' as expected
   from transactions t
   where ${of('t')} and ${payments('t.id')}
     and (t.status in ('PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING')
     and t.flow ->> 'stage' in ('SUBMIT_PULL', 'POLL_PULL', 'SUBMIT_PAYOUT', 'POLL_PAYOUT', 'CONVERT_INTERNAL',
       'DELIVER_INTERNAL', 'REFUND')
     and not exists (select from jobs b where ${sameBook('b', 't')} and b.key = t.id
       and b.kind like 'payments.%' and b.kind <> 'payments.watchCollection')
     and not exists (select from held_payouts h where ${sameBook('h', 't')} and h.id = t.id) ${limited}`

const quoteWithoutTransaction = ({ of, payments }: Reach) => `select ${row('q')}, q.id as subject,
     q.status as found, 'the transaction ' || replace(q.id, 'Quote:', 'Transaction:') as expected
   from quotes q
   where ${of('q')} and ${payments("replace(q.id, 'Quote:', 'Transaction:')")} and q.status in ('PROCESSING', 'COMPLETED')
     and not exists (select from transactions t where ${sameBook('t', 'q')}
       and t.id = replace(q.id, 'Quote:', 'Transaction:')) ${limited}`

const receiptWithoutTransaction = ({ of, payments }: Reach) => `select ${row('i')}, i.id as subject,
     i.outcome || ' ' || i.amount || ' ' || i.currency as found,
     'the transaction ' || coalesce(i.transaction_id, 'that it became') as expected
   from inbound_payments i
   where ${of('i')} and ${payments('i.transaction_id')} and i.outcome <> 'SUSPENSE'
     and not exists (select from transactions t where ${sameBook('t', 'i')} and t.id = i.transaction_id) ${limited}`

const suspenseDiffers = ({ of }: Reach) => `with waiting as (
     select platform_id, environment, currency, sum(amount) as amount, count(*) as items
     from suspense_items s where ${of('s')} and s.status = 'WAITING' group by 1, 2, 3
   ), held as (
     select platform_id, environment, currency, credits_posted - debits_posted as amount
     from ledger_accounts a where ${of('a')} and split_part(a.id, ':', 1) = 'susp'
   )
   select coalesce(w.platform_id, h.platform_id) as "platformId", coalesce(w.environment, h.environment) as environment,
     'susp:' || coalesce(w.currency, h.currency) as subject, coalesce(h.amount, 0)::text as found,
     coalesce(w.amount, 0) || ' in ' || coalesce(w.items, 0) || ' waiting suspense_items'
       || coalesce((select ': ' || string_agg(id, ', ') from (select s.id from suspense_items s
         where ${sameBook('s', 'w')} and s.status = 'WAITING' and s.currency = w.currency order by s.id limit 20) s), '')
       as expected
   from waiting w full join held h on ${sameBook('h', 'w')} and h.currency = w.currency
   where coalesce(w.amount, 0) <> coalesce(h.amount, 0) ${limited}`

/** What an owner owes in a currency is what is left of its receivables. */
const receivablesDiffer = ({ of }: Reach) => `with owed as (
     select platform_id, environment, 'recv:' || owner_id || ':' || currency as id, sum(remaining) as amount,
       (array_agg(r.id order by r.id) filter (where remaining > 0))[1:20] as ids
     from receivables r where ${of('r')} group by 1, 2, 3
   ), held as (
     select platform_id, environment, id, debits_posted - credits_posted as amount
     from ledger_accounts a where ${of('a')} and split_part(a.id, ':', 1) = 'recv'
   )
   select coalesce(o.platform_id, h.platform_id) as "platformId", coalesce(o.environment, h.environment) as environment,
     coalesce(o.id, h.id) as subject, coalesce(h.amount, 0)::text as found,
     coalesce(o.amount, 0) || ' left of receivables' || coalesce(': ' || array_to_string(o.ids, ', '), '') as expected
   from owed o full join held h on ${sameBook('h', 'o')} and h.id = o.id
   where coalesce(o.amount, 0) <> coalesce(h.amount, 0) ${limited}`

const accountDiffers = ({ of }: Reach) => `select ${row('a')}, a.id as subject,
     coalesce('internal account in ' || i.currency, 'no internal account') as found,
     'an internal account in ' || a.currency as expected
   from ledger_accounts a
   left join internal_accounts i on ${sameBook('i', 'a')}
     and i.id = split_part(a.id, ':', 2) || ':' || split_part(a.id, ':', 3)
   where ${of('a')} and split_part(a.id, ':', 1) in ('avail', 'pend') and i.currency is distinct from a.currency ${limited}`

const ownerMissing = ({ of }: Reach) => `select ${row('i')}, i.id as subject, i.owner_id as found,
     'a customer or the platform' as expected
   from internal_accounts i
   where ${of('i')} and i.owner_id <> 'platform'
     and not exists (select from customers c where ${sameBook('c', 'i')} and c.id = i.owner_id) ${limited}`

/** The amount held for a purchase is the sum of its holds, and each of them is an open pending posting. */
const cardDiffers = ({ of }: Reach) => `select ${row('c')}, c.id as subject,
     'held ' || c.held || ' ' || c.currency as found,
     'open holds of ' || coalesce(sum((h.hold ->> 'amount')::bigint)
       filter (where x.id is not null and r.id is null and not coalesce((h.hold ->> 'isReversal')::boolean, false)), 0)
       as expected
   from card_transactions c
   left join lateral (select hold from jsonb_array_elements(c.holds) as e(hold)) h on true
   left join ledger_transfers x on ${sameBook('x', 'c')} and x.id = h.hold ->> 'id' and x.kind = 'PENDING'
   left join ledger_transfers r on ${sameBook('r', 'c')} and r.pending_id = x.id
   where ${of('c')}
   group by c.platform_id, c.environment, c.id, c.held, c.currency
   having c.held <> coalesce(sum((h.hold ->> 'amount')::bigint)
     filter (where x.id is not null and r.id is null and not coalesce((h.hold ->> 'isReversal')::boolean, false)), 0)
   ${limited}`

/** Cards are in cents; a funding currency with more decimals has 10,000 units in each. */
const units = `case when c.funding_currency = c.currency then 1 else 10000 end`

const cardExceptionsDiffer = ({ of }: Reach) => `with owed as (
     select platform_id, environment, funding_currency as currency, sum((owed + owed_returns) * ${units}) as amount,
       (array_agg(id order by id) filter (where owed + owed_returns > 0))[1:20] as ids
     from card_transactions c where ${of('c')} group by 1, 2, 3
   ), held as (
     select platform_id, environment, currency, debits_posted - credits_posted as amount
     from ledger_accounts a where ${of('a')} and a.id = 'cardexc:' || a.currency
   )
   select coalesce(o.platform_id, h.platform_id) as "platformId", coalesce(o.environment, h.environment) as environment,
     'cardexc:' || coalesce(o.currency, h.currency) as subject, coalesce(h.amount, 0)::text as found,
     coalesce(o.amount, 0) || ' owed by card_transactions' || coalesce(': ' || array_to_string(o.ids, ', '), '') as expected
   from owed o full join held h on ${sameBook('h', 'o')} and h.currency = o.currency
   where coalesce(o.amount, 0) <> coalesce(h.amount, 0) ${limited}`

/** A payment counts from its execution until it fails or is cancelled. A receiver's own record does not. */
const volumeDiffers = ({ of }: Reach) => `with counted as (
     select platform_id, environment, t.flow -> 'volume' ->> 'counter' as id,
       sum((t.flow -> 'volume' ->> 'usdMinor')::numeric) filter (where t.status not in ('FAILED', 'REJECTED', 'EXPIRED')
         and coalesce(t.refund ->> 'reason', '') <> 'USER_CANCELLATION') as used
     from transactions t
     where ${of('t')} and t.flow ? 'volume'
       and not (t.type = 'INCOMING' and t.flow -> 'funding' ->> 'kind' = 'INTERNAL')
     group by 1, 2, 3
   )
   select coalesce(c.platform_id, v.platform_id) as "platformId", coalesce(c.environment, v.environment) as environment,
     coalesce(c.id, v.id) as subject, coalesce(v.used, 0)::text as found, coalesce(c.used, 0)::text as expected
   from counted c
   full join (select * from volume_counters v where ${of('v')} and v.id ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}/') v
     on ${sameBook('v', 'c')} and v.id = c.id
   where coalesce(c.used, 0) <> coalesce(v.used, 0) ${limited}`

const rule = (
  code: RecordRuleCode,
  table: string,
  says: string,
  text: RecordRule['text'],
  isOfPayments = false,
): RecordRule => ({ code, table, says, text, isOfPayments })

export const recordRules: readonly RecordRule[] = [
  rule('POSTING_WITHOUT_RECORD', 'ledger_transfers', 'belongs to no record', postingWithoutRecord, true),
  rule('HOLD_WITHOUT_PAYMENT', 'ledger_transfers', 'is held for no payment', holdWithoutPayment, true),
  rule(
    'MONEY_WITHOUT_TRANSACTION',
    'ledger_accounts',
    'holds money of no transaction',
    moneyWithoutTransaction,
    true,
  ),
  rule(
    'AMOUNT_DIFFERS_FROM_POSTINGS',
    'transactions',
    'shows other amounts than its postings',
    amountDiffers,
    true,
  ),
  rule(
    'OWNER_DIFFERS_FROM_ACCOUNTS',
    'transactions',
    'has another owner than its accounts',
    ownerDiffers,
    true,
  ),
  rule(
    'REFUND_WITHOUT_POSTING',
    'transactions',
    'shows a refund that was not made',
    refundWithoutPosting,
    true,
  ),
  rule(
    'PAYMENT_WITHOUT_JOB',
    'transactions',
    'is under way and nothing goes on with it',
    paymentWithoutJob,
    true,
  ),
  rule(
    'QUOTE_WITHOUT_TRANSACTION',
    'quotes',
    'was executed without a transaction',
    quoteWithoutTransaction,
    true,
  ),
  rule(
    'RECEIPT_WITHOUT_TRANSACTION',
    'inbound_payments',
    'arrived without a transaction',
    receiptWithoutTransaction,
    true,
  ),
  rule('SUSPENSE_DIFFERS_FROM_ITEMS', 'ledger_accounts', 'differs from the items that wait', suspenseDiffers),
  rule('RECEIVABLES_DIFFER', 'ledger_accounts', 'differs from what its owner owes', receivablesDiffer),
  rule('ACCOUNT_DIFFERS_FROM_LEDGER', 'ledger_accounts', 'differs from its internal account', accountDiffers),
  rule('OWNER_MISSING', 'internal_accounts', 'belongs to nobody', ownerMissing),
  rule('CARD_DIFFERS_FROM_HOLDS', 'card_transactions', 'holds another amount than the ledger', cardDiffers),
  rule('CARD_EXCEPTIONS_DIFFER', 'ledger_accounts', 'differs from what cards owe', cardExceptionsDiffer),
  rule('VOLUME_DIFFERS_FROM_PAYMENTS', 'volume_counters', 'differs from its payments', volumeDiffers),
]
