import { createPayee, must, openTestServer, recordWebhooks } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'
import { webhookEndpoints } from '../e2e/webhook-endpoints.ts'

/** An incoming UMA payment that is paid on to another account, where the volume of the day is used up. */

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })
const { setEndpoint } = webhookEndpoints(() => server, receiver)
const hour = 3_600_000

it('leaves the money in the internal account for good', async () => {
  const payments = await paymentApi(server, { settings: { maxDailyUsdAmount: 4_000 } })
  const { platform, api, customer, balance } = payments
  const inbox = receiver.inbox()
  await setEndpoint(platform, inbox.url)
  await createPayee(api, 'USD', '000123456700', { customerId: customer.id, defaultUmaDepositAccount: true })
  // An hour before midnight, where the simulated day begins at nine.
  const midnight = (Math.floor((await server.now(platform)) / (24 * hour)) + 1) * 24 * hour
  await server.pass(midnight - hour - (await server.now(platform)))
  await must(
    api.POST('/sandbox/uma/receive', {
      body: {
        senderUmaAddress: '$success.usd@sandbox.uma.money',
        receiverUmaAddress: customer.umaAddress,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 3_000,
      },
    }),
  )
  await server.settle()
  expect(await balance()).toBe(0)
  await must(
    api.POST('/sandbox/uma/receive', {
      body: {
        senderUmaAddress: '$success.usd@sandbox.uma.money',
        receiverUmaAddress: customer.umaAddress,
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 3_000,
      },
    }),
  )
  await server.settle()
  expect(await balance()).toBe(3_000)
  for (let step = 0; step < 12; step++) await server.pass(hour / 4)
  expect(await balance()).toBe(3_000)
})
