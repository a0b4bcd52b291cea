import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'

const server = await openTestServer()

/** A platform that has paid from dollars to a bank that takes euros, or gives them back (its account ends in 004). */
async function paid(iban: string) {
  const platform = await server.platform()
  const api = server.client(platform)
  const customer = await createCustomer(api)
  const source = await internalAccountOf(api, customer.id, 'USD')
  await fund(api, source.id, 1_000_00)
  const payee = await createPayee(api, 'EUR', iban, { customerId: customer.id })
  const { data: quote } = await api.POST('/quotes', {
    body: quoteBody(source, payee, 100_00, { immediatelyExecute: true }) as never,
  })
  await server.settle()
  await server.pass(60_000)
  await server.settle()
  const read = async (...subjectId: string[]) =>
    (await api.GET('/ledger/journals', { params: { query: { subjectId: subjectId as never } } })).data!.data
  return { platform, api, customer, source, transactionId: quote!.transactionId as string, read }
}

it('tells what moved the money of a payment, journal by journal, in which every currency adds up', async () => {
  const { api, source, transactionId, read } = await paid('DE89370400440532013000')
  const journals = await read(transactionId)
  expect(journals.map(({ step }) => step)).toEqual(['execute', 'convert', 'deliver'])
  expect(journals[0]).toMatchObject({
    id: `${transactionId}/execute`,
    subjectId: transactionId,
    reverses: null,
    reversedBy: null,
    postings: [
      {
        id: `${transactionId}/execute/0`,
        kind: 'POSTED',
        from: `avail:${source.id}`,
        to: `txn:${transactionId}:USD`,
        amount: '10000',
        currency: { code: 'USD', decimals: 2 },
        ends: null,
        endedBy: null,
      },
    ],
  })
  // What came to the clearing account of either currency has left it.
  for (const currency of ['USD', 'EUR']) {
    const clearing = `txn:${transactionId}:${currency}`
    const moved = journals.flatMap(({ postings }) => postings)
    const left = moved.reduce(
      (sum, { from, to, amount }) =>
        sum + (to === clearing ? BigInt(amount) : 0n) - (from === clearing ? BigInt(amount) : 0n),
      0n,
    )
    expect(left, currency).toBe(0n)
  }
  const journalId = `${transactionId}/convert`
  const one = await api.GET('/ledger/journals/{journalId}', { params: { path: { journalId } } })
  expect(one.data).toEqual(journals[1])
})

it('says which journal takes back which', async () => {
  const { transactionId, read } = await paid('DE12500105170648489004')
  const journals = await read(transactionId)
  const convert = journals.find(({ step }) => step === 'convert')!
  const unwind = journals.find(({ step }) => step === 'unwind')!
  expect(convert).toMatchObject({ reverses: null, reversedBy: unwind.id })
  expect(unwind).toMatchObject({ reverses: convert.id, reversedBy: null })
  expect(journals.map(({ step }) => step)).toContain('refund')
})

it('reads several, bounded, and none of anybody else', async () => {
  const { api, transactionId, read } = await paid('DE89370400440532013000')
  expect(await read(transactionId, 'Transaction:nothing')).toHaveLength(3)
  const other = server.client(await server.platform())
  const query = { subjectId: [transactionId] as never }
  expect((await other.GET('/ledger/journals', { params: { query } })).data).toEqual({ data: [] })
  const journalId = `${transactionId}/convert`
  for (const [who, id] of [
    [other, journalId],
    [api, `${transactionId}/nothing`],
    [api, '/'],
    [api, 'x'],
    [api, `${'x'.repeat(3_000)}/convert`],
  ] as const) {
    const answer = await who.GET('/ledger/journals/{journalId}', { params: { path: { journalId: id } } })
    expect(answer.response.status, id.slice(0, 60)).toBe(404)
  }
  const many = Array.from({ length: 51 }, (_, index) => `Transaction:${index}`)
  const refused = await api.GET('/ledger/journals', { params: { query: { subjectId: many as never } } })
  expect(refused.error).toMatchObject({
    status: 400,
    details: { errors: [{ field: 'subjectId', message: 'must not be given more than 50 times' }] },
  })
  expect((await api.GET('/ledger/journals', { params: { query: {} as never } })).response.status).toBe(400)
})

it('finds accounts of the ledger by whose they are', async () => {
  const { api, customer, source } = await paid('DE89370400440532013000')
  const of = async (owner: string, more: object = {}) =>
    (await api.GET('/ledger/accounts', { params: { query: { owner, ...more } as never } })).data!
  expect((await of(source.id)).data).toMatchObject([{ id: `avail:${source.id}`, owner: source.id }])
  const ofCustomer = await of(customer.id, { limit: 1 })
  expect(ofCustomer.data.map(({ owner }) => owner)).toEqual([source.id])
  expect((await of(customer.id, { kind: 'avail', currency: 'USD' })).totalCount).toBe(1)
  expect((await of(customer.id, { kind: 'fx' })).data).toEqual([])
  expect(
    (await api.GET('/ledger/accounts/{ledgerAccountId}', { params: { path: { ledgerAccountId: 'fx:USD' } } }))
      .data,
  ).toMatchObject({ owner: null })
})
