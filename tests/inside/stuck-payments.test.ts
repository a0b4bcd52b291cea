import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { expect, it, vi } from 'vitest'
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

it('a delivered payout is stuck while its bank cannot be asked whether it came back', async () => {
  const { SANDBOX } = server.engine.adapters
  const rail = SANDBOX.rail('SPEI')
  if (!rail) throw new Error('the sandbox has this rail')
  let isSilent = false
  const minuteMs = 60_000
  vi.spyOn(SANDBOX, 'rail').mockReturnValue({
    ...rail,
    submitPayout: async (_payout, now) => ({ status: 'ACCEPTED', checkAt: now + 1 }),
    fetchPayout: async (_payout, now) => {
      if (isSilent) throw new Error('the bank does not answer')
      return { status: 'SETTLED', checkAt: now + minuteMs }
    },
  })
  const { api, customer, usd, platform, transaction } = await paymentApi(server)
  await fund(api, usd.id, 100_000)
  const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: customer.id })
  const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 10_000))
  await execute(api, id)
  for (let step = 0; step < 3; step++) await server.pass(1_000)
  const stuck = async () =>
    (await operate(server, 'GET', '/stuck')).body.data.filter(
      ({ platformId }: { platformId: string }) => platformId === platform.platformId,
    )
  expect([(await transaction(transactionId)).status, await stuck()]).toEqual(['COMPLETED', []])
  isSilent = true
  const heardAt = server.world.now()
  for (let round = 0; round < 80; round++) await server.pass(40 * minuteMs)
  expect(await stuck()).toMatchObject([
    { rail: 'SPEI', count: 1, payments: [{ id: transactionId, status: 'COMPLETED', reason: 'UNWATCHED' }] },
  ])
  const [{ expectedAt }] = (await stuck())[0].payments
  expect(Date.parse(expectedAt) - heardAt).toBeLessThanOrEqual(minuteMs)
  isSilent = false
  await server.pass(40 * minuteMs)
  expect(await stuck()).toEqual([])
  vi.restoreAllMocks()
})
