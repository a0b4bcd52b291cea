import type { ledgerAccountKinds } from '../ledger/chart.ts'

/** Compares payments with their postings. */

export const row = (alias: string) => `${alias}.platform_id as "platformId", ${alias}.environment`
export const sameBook = (a: string, b: string) =>
  `${a}.platform_id = ${b}.platform_id and ${a}.environment = ${b}.environment`
export const limited = 'order by 1, 2, 3 limit $1'

/** The postings of payments, with the payment and the step that their ids name. */
const postings = `select x.platform_id, x.environment, x.id, x.kind,
     x.debit_account, x.credit_account, x.currency, x.amount,
     split_part(x.id, '/', 1) as payment, split_part(x.id, '/', 2) as step
   from ledger_transfers x
   where x.kind in ('POSTED', 'POST_PENDING')`

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
     when x.id like 'Receivable:%' then exists (select from receivables r
       where ${sameBook('r', 'x')} and r.id = split_part(x.id, '/', 1) and r.written_off = x.amount
         and r.currency = x.currency)
     when x.id like 'uma-settlement/%' then
       'cpty' in (split_part(x.debit_account, ':', 1), split_part(x.credit_account, ':', 1))
     else false end`

export const postingWithoutRecord = `select ${row('x')}, x.id as subject,
     x.amount || ' ' || x.currency || ' from ' || x.debit_account || ' to ' || x.credit_account as found,
     'a record that its id names' as expected
   from ledger_transfers x where not (${namedRecord}) ${limited}`

/** Every hold belongs to a payment that waits for its customer's authorization, or to a card charge. */
export const holdWithoutPayment = `select ${row('x')}, x.id as subject,
     x.amount || ' ' || x.currency || ' held on ' || x.debit_account as found,
     'a payment or a card transaction that holds it' as expected
   from ledger_transfers x
   left join ledger_transfers r on ${sameBook('r', 'x')} and r.pending_id = x.id
   where x.kind = 'PENDING' and r.id is null
     and not exists (select from transactions t where ${sameBook('t', 'x')} and t.id = split_part(x.id, '/', 1)
       and t.flow ->> 'stage' = 'AUTHORIZE')
     and not exists (select from card_transactions c where ${sameBook('c', 'x')}
       and c.id = split_part(x.id, ':', 1) || ':' || split_part(x.id, ':', 2)
       and c.holds @> jsonb_build_array(jsonb_build_object('id', x.id))) ${limited}`

const paymentOfAccount = "split_part(a.id, ':', 2) || ':' || split_part(a.id, ':', 3)"

/** Clearing, fee and refund accounts with money whose payment no longer exists. */
export const moneyWithoutTransaction = `select ${row('a')}, a.id as subject,
     (a.credits_posted - a.debits_posted) || ' ' || a.currency as found,
     'the transaction ' || ${paymentOfAccount} as expected
   from ledger_accounts a
   left join transactions t on ${sameBook('t', 'a')} and t.id = ${paymentOfAccount}
   where t.id is null
     and split_part(a.id, ':', 1) in (${kindsThatEndEmpty()})
     and (a.credits_posted <> a.debits_posted or a.debits_pending <> 0 or a.credits_pending <> 0) ${limited}`

function kindsThatEndEmpty(): string {
  const kinds: readonly (keyof typeof ledgerAccountKinds)[] = ['txn', 'refund', 'pfee']
  return kinds.map((kind) => `'${kind}'`).join(', ')
}

/** Record of a debit without a clearing account: the payment of a receivable. */
const paidOff = `t.type = 'OUTGOING' and t.flow ->> 'kind' = 'TRANSFER' and t.flow -> 'funding' ->> 'kind' = 'INTERNAL'
     and m.paid_off = t.sent_amount`

/**
 * A side record of a payment shows the amount and the account of one of its postings. The record of what an account keeps of a
 * returned credit shows the credit less what the payment took back; a fee that the account earned has a record of its own.
 */
export const recordDiffers = `with p as (${postings}), r as (
     select platform_id, environment, id, direction, sent_amount, sent_currency, received_amount, received_currency,
       flow ->> 'recordOf' as payment, 'avail:' || (flow -> 'delivery' ->> 'accountId') as credited,
       'avail:' || (flow -> 'funding' ->> 'accountId') as debited
     from transactions where flow ? 'recordOf'
   ), compared as (
     select r.platform_id, r.environment, r.id, bool_or(case r.direction
         when 'CREDIT' then p.credit_account = r.credited and p.currency = r.received_currency and p.amount = r.received_amount
         else p.debit_account = r.debited and p.currency = r.sent_currency and p.amount = r.sent_amount end) as is_shown,
       sum(case when p.credit_account = r.credited then p.amount else -p.amount end)
         filter (where p.currency = r.received_currency and r.credited in (p.credit_account, p.debit_account)
           and split_part(p.debit_account, ':', 1) <> 'pfee') as kept
     from r left join p on ${sameBook('p', 'r')} and p.payment = r.payment group by 1, 2, 3
   )
   select ${row('r')}, r.id as subject,
     case r.direction when 'CREDIT' then 'received ' || r.received_amount || ' ' || r.received_currency
       else 'sent ' || r.sent_amount || ' ' || r.sent_currency end as found,
     'a posting of that amount in ' || r.payment as expected
   from r
   join compared c on ${sameBook('c', 'r')} and c.id = r.id
   left join transactions t on ${sameBook('t', 'r')} and t.id = r.payment and t.status = 'FAILED'
   where c.is_shown is not true
     and not (r.direction = 'CREDIT' and r.received_amount is not distinct from case when t.id is not null then c.kept end)
     ${limited}`

/**
 * The incoming postings of a payment equal its sent amount, and the outgoing ones its received amount. The record of another
 * owner has no postings of its own.
 */
export const amountDiffers = `with p as (${postings}), moved as (
     select t.platform_id, t.environment, t.id,
       sum(p.amount) filter (where p.step in ('execute', 'capture', 'fund', 'collect') and p.currency = t.sent_currency
         and p.credit_account = 'txn:' || t.id || ':' || t.sent_currency) as came,
       sum(p.amount) filter (where p.step in ('deliver', 'collect', 'credit', 'convert')
         and p.debit_account = 'txn:' || t.id || ':' || t.received_currency
         and split_part(p.credit_account, ':', 1) in ('avail', 'rail')) as went,
       sum(p.amount) filter (where p.step in ('deposit', 'receive')
         and split_part(p.credit_account, ':', 1) = 'avail') as credited,
       sum(p.amount) filter (where p.step = 'collect' and split_part(p.credit_account, ':', 1) = 'recv') as paid_off
     from transactions t left join p on ${sameBook('p', 't')} and p.payment = t.id group by 1, 2, 3
   ), judged as (
     select t.*, m.came, m.went, m.credited, t.flow ->> 'kind' in ('DEPOSIT', 'UMA') and t.type = 'INCOMING' as is_credit,
       t.status = 'COMPLETED' and t.refund is null as is_delivered
     from moved m join transactions t on ${sameBook('t', 'm')} and t.id = m.id
     where not t.flow ? 'recordOf'
       and not (t.type = 'INCOMING' and t.flow -> 'funding' ->> 'kind' = 'INTERNAL')
       and not (m.came is null and ${paidOff})
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
export const ownerDiffers = `with named as materialized (
     select platform_id, environment, id, owner_id,
       unnest(array[flow -> 'funding' ->> 'accountId', flow -> 'delivery' ->> 'accountId']) as account
     from transactions
   ), accounts as materialized (
     select platform_id, environment, id, owner_id from internal_accounts
     union all select platform_id, environment, id, owner_id from external_accounts
   )
   select ${row('t')}, t.id as subject, t.owner_id as found,
     'the owner of ' || string_agg(a.id || ' (' || a.owner_id || ')', ' or ' order by a.id) as expected
   from named t
   join accounts a on ${sameBook('a', 't')} and a.id = t.account
   group by t.platform_id, t.environment, t.id, t.owner_id having not bool_or(a.owner_id = t.owner_id) ${limited}`

export const refundWithoutPosting = `with p as (${postings})
   select ${row('t')}, t.id as subject, 'refund COMPLETED' as found, 'a posting that gives the money back' as expected
   from transactions t
   where t.refund ->> 'status' = 'COMPLETED'
     and not exists (select from p where ${sameBook('p', 't')} and p.payment = t.id
       and split_part(p.debit_account, ':', 1) = 'refund' and p.step in ('refund', 'refuse', 'clawback')) ${limited}`

/**
 * A payment in progress has a job, unless a pause stops it. Dead jobs are listed elsewhere. The job that watches a collection
 * does not count, because it takes no step.
 */
export const paymentWithoutJob = `select ${row('t')}, t.id as subject,
     t.status || ' at ' || (t.flow ->> 'stage') || ' without a job' as found, 'a job for its next step' as expected
   from transactions t
   where (t.status in ('PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING')
     and t.flow ->> 'stage' in ('SUBMIT_PULL', 'POLL_PULL', 'SUBMIT_PAYOUT', 'POLL_PAYOUT', 'CONVERT_INTERNAL',
       'DELIVER_INTERNAL', 'REFUND')
     and not exists (select from jobs b where ${sameBook('b', 't')} and b.key = t.id
       and b.kind like 'payments.%' and b.kind <> 'payments.watchCollection')
     and not exists (select from held_payouts h where ${sameBook('h', 't')} and h.id = t.id) ${limited}`

/** Joins by a column: row-level policies keep functions out of joins, and PostgreSQL compared each quote with all transactions. */
export const quoteWithoutTransaction = `select ${row('q')}, q.id as subject,
     q.status as found, 'the transaction ' || q.transaction_id as expected
   from quotes q
   where q.status in ('PROCESSING', 'COMPLETED')
     and not exists (select from transactions t where ${sameBook('t', 'q')} and t.id = q.transaction_id) ${limited}`

export const receiptWithoutTransaction = `select ${row('i')}, i.id as subject,
     i.outcome || ' ' || i.amount || ' ' || i.currency as found,
     'the transaction ' || coalesce(i.transaction_id, 'that it became') as expected
   from inbound_payments i
   where i.outcome <> 'SUSPENSE'
     and not exists (select from transactions t where ${sameBook('t', 'i')} and t.id = i.transaction_id) ${limited}`
