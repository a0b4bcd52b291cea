import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { clabe, paymentApi } from '../e2e/payment-api.ts'

const server = await openTestServer()

it('a payment whose step was given up is stuck at once, until its job is done again', async () => {
  const { api, customer, usd, platform } = await paymentApi(server)
  await fund(api, usd.id, 100_000)
  const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
  await must(api.POST('/sandbox/faults', { body: { target: 'RAIL', kind: 'SILENCE' } as never }))
  const quote = await createQuote(api, quoteBody(usd, payee, 10_000))
  await execute(api, quote.id)
  await server.settle()
  const giveUp = (dead: boolean) =>
    server.engine.database.asLogin((connection) =>
      connection.script(
        `update jobs set dead_at = ${dead ? 'now()' : 'null'}
         where kind = 'payments.advance' and platform_id = '${platform.platformId}'`,
      ),
    )
  const stuck = async () =>
    (await operate(server, 'GET', '/stuck')).body.data.filter(
      ({ platformId }: { platformId: string }) => platformId === platform.platformId,
    )
  expect(await stuck()).toEqual([])
  await giveUp(true)
  expect(await stuck()).toMatchObject([
    {
      rail: 'SPEI',
      count: 1,
      payments: [{ id: quote.transactionId, reason: 'GIVEN_UP', lateSeconds: 0 }],
    },
  ])
  await giveUp(false)
  expect(await stuck()).toEqual([])
})
