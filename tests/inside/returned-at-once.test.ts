import { advancePayment } from '@corridor/engine/money/payments/jobs.ts'
import type { PayoutOutcome, RailClient } from '@corridor/engine/ports/rail.ts'
import { createPayee, createQuote, fund, must, openTestServer, quoteBody } from '@corridor/testkit/index.ts'
import { expect, it, vi } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

const server = await openTestServer()

it('shows what is owed in the last event where a return and its refund are one decision', async () => {
  const { SANDBOX } = server.engine.adapters
  const rail = SANDBOX.rail('ACH')!
  let payout: (now: number) => PayoutOutcome = (now) => ({ status: 'SETTLED', checkAt: now + 600_000 })
  const client: RailClient = {
    ...rail,
    submitPayout: async (_payout, now) => ({ status: 'ACCEPTED', checkAt: now }),
    fetchPayout: async (_payout, now) => payout(now),
  }
  vi.spyOn(SANDBOX, 'rail').mockReturnValue(client)
  const { api, platform } = await paymentApi(server)
  const own = async () =>
    (await must(api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))).data[0]!
  const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 0 } as const
  await must(
    api.PATCH('/config', { body: { feeConfigs: [{ ...fee, fixedFee: { amount: 100, currency: 'USD' } }] } }),
  )
  const usd = await own()
  await fund(api, usd.id, 20_000)
  const payee = await createPayee(api, 'MXN', '123456789012345678')
  const q = await createQuote(api, quoteBody(usd, payee, 20_000, { immediatelyExecute: true }))
  await server.settle()
  expect((await own()).balance.amount).toBe(100)
  // The platform spends its fee.
  const to = await createPayee(api, 'USD', '000987654891')
  await must(
    api.POST('/transfer-out', {
      body: { source: { accountId: usd.id }, destination: { accountId: to.id }, amount: 100 } as never,
    }),
  )
  await server.settle()
  expect((await own()).balance.amount).toBe(0)
  payout = () => ({ status: 'RETURNED' })
  const { engine } = server
  const scope = await engine.clock.scope(platform, { id: 'job', permissions: [] })
  // As the loop of a server runs it.
  const step = await advancePayment.run(engine, scope, { transactionId: q.transactionId } as never, {
    isFirst: async () => true,
    mayGoOn: true,
  })
  if (!step.ok) throw new Error('a step is decided')
  expect(await engine.applier.apply<unknown>(scope, step.value)).toMatchObject({ ok: true })
  const after = await own()
  const told = (await server.events(platform, usd.id)).map(
    ({ data }) => data as { version: string; receivable?: unknown },
  )
  const last = told.sort((a, b) => Number(a.version) - Number(b.version)).at(-1)!
  expect(last.version).toBe(after.version)
  expect(last.receivable ?? null).toEqual(after.receivable ?? null)
})
