import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditLedger } from './audit.ts'
import { findUnrecorded } from './owner-records.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
// These tests damage records on purpose.
afterEach(() => server.close({ audited: false }))

const tamper = (text: string) => server.engine.database.asLogin((connection) => connection.script(text))

/** A payment from one customer to another, with a fee of the platform; each of the three accounts moves. */
async function pay() {
  const api = server.client(await server.platform())
  const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 30 } as const
  const feeConfigs = [{ ...fee, fixedFee: { amount: 50, currency: 'USD' } }]
  await must(api.PATCH('/config', { body: { feeConfigs } }))
  const [payer, payee] = [await createCustomer(api), await createCustomer(api, { fullName: 'Ben Okafor' })]
  const usd = await internalAccountOf(api, payer.id, 'USD')
  const eur = await internalAccountOf(api, payee.id, 'EUR')
  await fund(api, usd.id, 20_000)
  const body = quoteBody(usd, eur, 10_000, { immediatelyExecute: true })
  const { transactionId } = await createQuote(api, body)
  return { api, payer, payee, usd, eur, transactionId }
}

const found = async () =>
  (await auditLedger(server.engine.database)).problems.map((problem) => Object.values(problem).slice(0, 6))

describe('the audit of owners', () => {
  it('finds a record of each owner whose account moved', async () => {
    await pay()
    expect(await found()).toEqual([])
  })

  it.each([
    ['was deleted', (id: string) => `delete from transactions where owner_id = '${id}'`],
    ['has another owner', (id: string) => `update transactions set owner_id = 'x' where owner_id = '${id}'`],
    [
      'has another account',
      (id: string) => `update transactions set receiver_identifiers = '{x}' where owner_id = '${id}'`,
    ],
  ])('names the posting whose record %s', async (_, damage) => {
    const { payee, eur, transactionId } = await pay()
    await tamper(damage(payee.id))
    expect(await found()).toMatchObject([
      [
        'OWNER_WITHOUT_RECORD',
        expect.anything(),
        'SANDBOX',
        expect.stringMatching(`^${transactionId}/deliver/`),
        `avail:${eur.id}`,
        `a record of ${payee.id}`,
      ],
    ])
  })

  it('names the fee that the platform has no record of', async () => {
    const { transactionId } = await pay()
    await tamper(`delete from transactions where owner_id = 'platform'`)
    const [first, ...others] = await found()
    expect([first?.[0], first?.[3], first?.[5]]).toEqual([
      'OWNER_WITHOUT_RECORD',
      `${transactionId}/deliver/1`,
      'a record of platform',
    ])
    expect(others).toEqual([])
  })

  it('takes a refund for what its payment says', async () => {
    const { api, payer, usd } = await pay()
    const bad = await createPayee(api, 'MXN', '123456789012345004', { customerId: payer.id })
    const quote = await createQuote(api, quoteBody(usd, bad, 5_000))
    await execute(api, quote.id)
    await server.settle()
    expect((await internalAccountOf(api, payer.id, 'USD')).balance.amount).toBe(10_000)
    expect(await found()).toEqual([])
  })

  it('looks at all postings, in as many batches as it takes, and at those of one book alone', async () => {
    const { payee, payer } = await pay()
    const other = await pay()
    for (const { id } of [payee, other.payee])
      await tamper(`delete from transactions where owner_id = '${id}'`)
    const looked = (book: string[], batchSize: number) =>
      server.engine.database.maintenance((connection) => findUnrecorded(connection, 100, book, batchSize))
    const all = await looked([], 5_000)
    expect(all).toHaveLength(2)
    expect(await looked([], 1)).toEqual(all)
    expect(await looked([], 3)).toEqual(all)
    const [{ platformId, environment }] = all as [(typeof all)[number]]
    expect(await looked([platformId, environment], 2)).toEqual([all[0]])
    expect(payer.id).not.toBe(other.payer.id)
  })
})
