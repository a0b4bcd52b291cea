import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'

// Wallets 2: a wallet has its words and its first credential once, from whichever side it is opened.

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('that is opened between the two looks of a job at its customer comes with one credential', async () => {
  const api = server.client(await server.platform())
  const config = (await api.GET('/config')).data!
  const others = config.supportedCurrencies.filter(({ currencyCode }) => currencyCode !== 'USDB')
  await api.PATCH('/config', { body: { supportedCurrencies: others } })
  const made = await api.POST('/customers', {
    body: { customerType: 'INDIVIDUAL', email: 'elm@larch.example', currencies: ['USD'] } as never,
  })
  const { id: customerId } = made.data as { id: string }
  await api.PATCH('/config', { body: { supportedCurrencies: config.supportedCurrencies } })

  const { database } = server.engine
  const read = database.read.bind(database)
  let isAsked = false
  Object.assign(database, {
    async read(...[book, statement, parameters]: Parameters<typeof read>) {
      const rows = await read(book, statement, parameters)
      if (isAsked || statement.name !== 'internalAccounts.loadOwned') return rows
      isAsked = true
      const { response } = await api.PATCH('/customers/{customerId}', {
        params: { path: { customerId } },
        body: { customerType: 'INDIVIDUAL', currencies: ['USD', 'USDB'] } as never,
      })
      expect(response.status).toBe(200)
      return rows
    },
  })
  await server.settle()
  Object.assign(database, { read })
  expect(isAsked).toBe(true)

  for (const table of ['auth_methods', 'wallet_secrets']) {
    const text = `select count(*) from ${table} where owner_id = $1`
    expect([table, await server.rows(text, [customerId])]).toEqual([table, [{ count: 1n }]])
  }
})
