import {
  createPayee,
  createQuote,
  execute,
  fund,
  quoteBody,
  startTestServer,
} from '@corridor/testkit/index.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { paymentApi } from './payment-api.ts'

afterEach(() => void vi.restoreAllMocks())

it('sends the text of a payment in the characters and the length of its rail (accounts 7.2)', async () => {
  const server = await startTestServer()
  const { SANDBOX } = server.thirdParties
  const submitPayout = vi.fn(async (_payout: object, now: number) => ({
    status: 'ACCEPTED' as const,
    checkAt: now + 60_000,
  }))
  const rail = SANDBOX.rail('FASTER_PAYMENTS')!
  vi.spyOn(SANDBOX, 'rail').mockReturnValue({ ...rail, submitPayout })
  const { api, customer, usd } = await paymentApi(server)
  await fund(api, usd.id, 50_000)
  const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
  const remittanceInformation = 'Invoice #42; für Möbel & Lampen'
  const { id } = await createQuote(api, { ...quoteBody(usd, payee, 50_000), remittanceInformation })
  await execute(api, id)
  await server.pass(1_000)
  expect(submitPayout.mock.calls[0]?.[0]).toMatchObject({ remittanceInformation: 'Invoice  42  f r M' })
  await server.close()
})
