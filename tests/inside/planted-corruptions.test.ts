import { auditEverything, findContradictions } from '@corridor/engine/mechanisms/audit/audit.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cardApi } from '../e2e/card-api.ts'

// What a database lost, doubled or was told by hand: each is found, and the message names the row.

const server = await openTestServer({ stepMs: 1_000 })
const forged = 'Transaction:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'

let scene: Awaited<ReturnType<typeof play>>
beforeAll(async () => {
  scene = await play()
}, 120_000)
afterAll(() => server.expectSoundRecords())

/** One platform: a deposit, a payout, a refund, one payment under way, money in suspense, and a card with a hold. */
async function play() {
  const cards = await cardApi(server, { balance: 100_000 })
  const { api, platform, customer, usd } = cards
  const other = await createCustomer(api)
  const pay = async (ending: string) => {
    const payee = await createPayee(api, 'MXN', `646180110400000${ending}`, { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, quote.id)
    return quote
  }
  const paid = await pay('891')
  const refunded = await pay('004')
  for (let step = 0; step < 8; step++) await server.pass(1_000)
  const { fundingPaymentInstructions } = await internalAccountOf(api, customer.id, 'USD')
  const { reference } = fundingPaymentInstructions[0]!.accountOrWalletInfo as { reference: string }
  const arrive = (body: object) =>
    must(api.POST('/sandbox/inbound-payments', { body: { currency: 'USD', ...body } as never }))
  const received = await arrive({ reference, amount: 2_500, railReference: 'fed-1' })
  await arrive({ reference: 'NOBODY', amount: 700, railReference: 'fed-2' })
  const eur = await internalAccountOf(api, other.id, 'EUR')
  await fund(api, eur.id, 900)
  const given = await createQuote(api, quoteBody(usd, eur, 5_000, { immediatelyExecute: true }))
  const [record] = await query(
    `select id from transactions where flow ->> 'recordOf' = '${given.transactionId}'`,
  )
  const card = await cards.activeCard()
  const purchase = await cards.authorize(card.id, 3_000)
  const underWay = await pay('892')
  const [item] = await query(`select id from suspense_items where platform_id = '${platform.platformId}'`)
  const transactionOf = ({ transactionId }: { transactionId?: string | undefined }) => transactionId as string
  return {
    platformId: platform.platformId,
    environment: platform.environment,
    usd: usd.id,
    customer: customer.id,
    other: other.id,
    eur: eur.id,
    paid: transactionOf(paid),
    quote: paid.id,
    refunded: transactionOf(refunded),
    underWay: transactionOf(underWay),
    received: transactionOf(received),
    item: item!.id,
    purchase: purchase.id as string,
    given: transactionOf(given),
    record: record!.id,
  }
}

type Row = { id: string }
const query = (text: string) => server.rows<Row>(text)

/** What is found of a corruption that is planted and taken back. */
async function findingsOf(text: string) {
  return server.engine.database.asLogin(async (connection) => {
    await connection.script('begin')
    try {
      await connection.script(text)
      return await findContradictions(connection)
    } finally {
      await connection.script('rollback')
    }
  })
}

type Scene = typeof scene
const book = ({ platformId, environment }: Scene) =>
  `platform_id = '${platformId}' and environment = '${environment}'`
const copy = (it: Scene, id: string, kind: string, amount: number) =>
  `insert into ledger_transfers (platform_id, environment, id, kind, debit_account, credit_account, currency, amount,
     created_at) values ('${it.platformId}', '${it.environment}', '${id}', '${kind}', 'avail:${it.usd}',
     'rail:sandbox:USD', 'USD', ${amount}, '2025-01-01Z');`
const sums = (it: Scene, id: string, change: string) =>
  `update ledger_accounts set ${change} where ${book(it)} and id = '${id}';`
const change = (it: Scene, table: string, id: string, set: string) =>
  `update ${table} set ${set} where ${book(it)} and id = '${id}';`
const remove = (it: Scene, table: string, id: string) =>
  `delete from ${table} where ${book(it)} and id = '${id}';`

const corruptions: readonly [
  what: string,
  rule: string,
  row: (it: Scene) => string,
  sql: (it: Scene) => string,
][] = [
  [
    'a forged transfer with consistent sums',
    'POSTING_WITHOUT_RECORD',
    () => `${forged}/execute/0`,
    (it) =>
      copy(it, `${forged}/execute/0`, 'POSTED', 7) +
      sums(it, `avail:${it.usd}`, 'debits_posted = debits_posted + 7') +
      sums(it, 'rail:sandbox:USD', 'credits_posted = credits_posted + 7'),
  ],
  [
    'the amount of a transaction changed',
    'AMOUNT_DIFFERS_FROM_POSTINGS',
    (it) => it.paid,
    (it) => change(it, 'transactions', it.paid, 'sent_amount = sent_amount - 1'),
  ],
  [
    'the amount that a receiver is shown changed',
    'RECORD_DIFFERS_FROM_PAYMENT',
    (it) => it.record,
    (it) => change(it, 'transactions', it.record, 'received_amount = received_amount + 1'),
  ],
  [
    'the record of a receiver deleted',
    'OWNER_WITHOUT_RECORD',
    (it) => `${it.given}/deliver/`,
    (it) => remove(it, 'transactions', it.record),
  ],
  [
    'the owner of a transaction changed',
    'OWNER_DIFFERS_FROM_ACCOUNTS',
    (it) => it.paid,
    (it) => change(it, 'transactions', it.paid, `owner_id = '${it.other}'`),
  ],
  [
    'the row of a payment under way deleted',
    'MONEY_WITHOUT_TRANSACTION',
    (it) => `txn:${it.underWay}:USD`,
    (it) => remove(it, 'transactions', it.underWay),
  ],
  [
    'an item in suspense deleted',
    'SUSPENSE_DIFFERS_FROM_ITEMS',
    () => 'susp:USD',
    (it) => remove(it, 'suspense_items', it.item),
  ],
  [
    'an item in suspense doubled',
    'SUSPENSE_DIFFERS_FROM_ITEMS',
    () => forged,
    (it) =>
      `insert into suspense_items (platform_id, environment, id, kind, status, currency, amount, created_at)
         select platform_id, environment, '${forged}', kind, status, currency, amount, created_at
         from suspense_items where ${book(it)} and id = '${it.item}'`,
  ],
  [
    'a hold without a payment',
    'HOLD_WITHOUT_PAYMENT',
    () => `${forged}/hold/0`,
    (it) =>
      copy(it, `${forged}/hold/0`, 'PENDING', 9) +
      sums(it, `avail:${it.usd}`, 'debits_pending = debits_pending + 9') +
      sums(it, 'rail:sandbox:USD', 'credits_pending = credits_pending + 9'),
  ],
  [
    'the currency of an account changed',
    'ACCOUNT_DIFFERS_FROM_LEDGER',
    (it) => it.eur,
    (it) => change(it, 'internal_accounts', it.eur, "currency = 'ZAR'"),
  ],
  [
    'the owner of an account changed',
    'OWNER_DIFFERS_FROM_ACCOUNTS',
    (it) => it.eur,
    (it) => change(it, 'internal_accounts', it.eur, `owner_id = '${it.customer}', currency = 'ZAR'`),
  ],
  [
    'a refund faked as completed',
    'REFUND_WITHOUT_POSTING',
    (it) => it.paid,
    (it) => change(it, 'transactions', it.paid, `refund = '{"status": "COMPLETED", "reference": "RFD-X"}'`),
  ],
  [
    'the job of a running payment deleted',
    'PAYMENT_WITHOUT_JOB',
    (it) => it.underWay,
    (it) => `delete from jobs where ${book(it)} and key = '${it.underWay}'`,
  ],
  [
    'the volume of a corridor changed',
    'VOLUME_DIFFERS_FROM_PAYMENTS',
    () => '/USD-MXN',
    (it) => `update volume_counters set used = used + 1 where ${book(it)}`,
  ],
  [
    'a balance raised by hand',
    'BALANCE_DIFFERS_FROM_TRANSFERS',
    (it) => `avail:${it.usd}`,
    (it) => sums(it, `avail:${it.usd}`, 'credits_posted = credits_posted + 500'),
  ],
  [
    'a transfer lost together with its sums',
    'AMOUNT_DIFFERS_FROM_POSTINGS',
    (it) => it.received,
    (it) =>
      remove(it, 'ledger_transfers', `${it.received}/deposit/0`) +
      sums(it, `avail:${it.usd}`, 'credits_posted = credits_posted - 2500') +
      sums(it, 'rail:sandbox:USD', 'debits_posted = debits_posted - 2500'),
  ],
  [
    'an internal account deleted',
    'ACCOUNT_DIFFERS_FROM_LEDGER',
    (it) => `avail:${it.eur}`,
    (it) => remove(it, 'internal_accounts', it.eur),
  ],
  [
    'the record of a deposit deleted',
    'RECEIPT_WITHOUT_TRANSACTION',
    () => 'sandbox/fed-1',
    (it) => remove(it, 'transactions', it.received),
  ],
  [
    'the amount held for a card raised',
    'CARD_DIFFERS_FROM_HOLDS',
    (it) => it.purchase,
    (it) => change(it, 'card_transactions', it.purchase, 'held = held + 1'),
  ],
  [
    'a receivable that nothing was posted for',
    'RECEIVABLES_DIFFER',
    (it) => `recv:${it.customer}:USD`,
    (it) =>
      `insert into receivables (platform_id, environment, id, owner_id, currency, status, cause, transaction_id, amount,
         remaining, created_at, updated_at) values ('${it.platformId}', '${it.environment}', 'Receivable:forged',
         '${it.customer}', 'USD', 'OPEN', 'COLLECTION_RETURNED', '${it.paid}', 40, 40, '2025-01-01Z', '2025-01-01Z')`,
  ],
  [
    'a debt written into a card transaction',
    'CARD_EXCEPTIONS_DIFFER',
    (it) => it.purchase,
    (it) => change(it, 'card_transactions', it.purchase, 'owed = 40'),
  ],
  [
    'a payment under way faked as completed',
    'TRANSACTION_NOT_EMPTIED',
    (it) => `txn:${it.underWay}:USD`,
    (it) => change(it, 'transactions', it.underWay, `status = 'COMPLETED'`),
  ],
  [
    'the transaction of an executed quote deleted',
    'QUOTE_WITHOUT_TRANSACTION',
    (it) => it.quote,
    (it) => remove(it, 'transactions', it.paid),
  ],
]

it('finds nothing while payments are under way and money waits', async () => {
  const { problems } = await auditEverything(server.engine.database)
  expect(problems).toEqual([])
})

it.each(corruptions)('finds %s', async (_what, rule, rowOf, sqlOf) => {
  const found = await findingsOf(sqlOf(scene))
  const named = found.filter((problem) => problem.rule === rule)
  expect(named.map(({ message }) => message).join('\n')).toContain(rowOf(scene))
  for (const { message, found, expected } of named) {
    expect(message).toContain(`of platform ${scene.platformId} (${scene.environment})`)
    expect(message).toContain(`found ${found}, expected ${expected}`)
  }
})

it('finds nothing once everything is over', async () => {
  for (let step = 0; step < 8; step++) await server.pass(1_000)
  await server.pass(8 * 24 * 60 * 60_000)
  const { problems } = await auditEverything(server.engine.database)
  expect(problems).toEqual([])
})
