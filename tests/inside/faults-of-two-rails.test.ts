import { createPayee, createQuote, execute, openTestServer, quoteBody } from '@corridor/testkit/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { paymentApi } from '../e2e/payment-api.ts'

/** A payment that is collected over one rail and paid out over another: what lasts of a fault is of those that it was meant for. */

const server = await openTestServer()
beforeAll(async () => {
  await server.listen()
})

describe('a fault that decides about a payment for longer', () => {
  async function stage() {
    const payment = await paymentApi(server)
    const { api, customer } = payment
    const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
    const payee = await createPayee(api, 'BRL', 'lia.789@mail.example', { customerId: customer.id })
    return {
      ...payment,
      bank,
      payee,
      async fail(fault: object) {
        const body = { target: 'RAIL', ...fault } as never
        const { data, response } = await api.POST('/sandbox/faults', { body })
        expect(response.status).toBe(201)
        return data!.id
      },
      async activationsOf(faultId: string) {
        const { data } = await api.GET('/sandbox/faults/{faultId}/activations', {
          params: { path: { faultId } },
        })
        return data!.data.map(({ subject }) => subject)
      },
      async statusOf(transactionId: string) {
        const { data } = await api.GET('/transactions/{transactionId}', {
          params: { path: { transactionId } },
        })
        const { status, failureReason } = data as { status: string; failureReason?: string }
        return [status, failureReason]
      },
    }
  }

  it('leaves alone the rail that it was not meant for', async () => {
    const { api, bank, payee, fail, statusOf } = await stage()
    await fail({ kind: 'OUTCOME', match: { railId: 'ACH' }, params: { outcome: '005', seconds: 600 } })
    const { id, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
    await execute(api, id)
    await server.settle()
    await server.pass(30_000)
    expect(await statusOf(transactionId)).toEqual(['COMPLETED', undefined])
    await server.pass(3_600_000)
    expect(await statusOf(transactionId)).toEqual(['COMPLETED', undefined])
  })

  it('keeps none from the other rail that is meant for that', async () => {
    const { api, bank, payee, fail, statusOf } = await stage()
    await fail({ kind: 'DELAY', match: { railId: 'ACH' }, params: { seconds: 60 } })
    await fail({ kind: 'OUTCOME', match: { railId: 'PIX' }, params: { outcome: '004' } })
    const { id, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
    await execute(api, id)
    await server.settle()
    await server.pass(120_000)
    await server.pass(120_000)
    expect(await statusOf(transactionId)).toEqual(['FAILED', 'ACCOUNT_CANNOT_RECEIVE'])
  })

  it.each([
    ['OUTCOME', { params: { outcome: '005', seconds: 600 } }],
    ['DELAY', { params: { seconds: 60 } }],
  ])(
    'of %s with times 1 decides about the collection that it met, and not about the payout as well',
    async (kind, more) => {
      const { api, bank, payee, fail, statusOf, activationsOf } = await stage()
      const fault = await fail({ kind, times: 1, ...more })
      const { id, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
      await execute(api, id)
      await server.settle()
      await server.pass(120_000)
      expect(await activationsOf(fault)).toEqual([transactionId])
      expect(await statusOf(transactionId)).toEqual(['COMPLETED', undefined])
      await server.pass(3_600_000)
      expect(await statusOf(transactionId)).toEqual(['COMPLETED', undefined])
    },
  )

  it('without a match and without times meets each of the two, and both hits are on record', async () => {
    const { api, bank, payee, fail, activationsOf, statusOf } = await stage()
    const fault = await fail({ kind: 'DELAY', params: { seconds: 600 } })
    const { id, transactionId } = await createQuote(api, quoteBody(bank, payee, 40_000))
    await execute(api, id)
    await server.settle()
    await server.pass(300_000)
    expect(await activationsOf(fault)).toEqual([transactionId])
    await server.pass(600_000)
    expect(await activationsOf(fault)).toEqual([transactionId, transactionId])
    expect(await statusOf(transactionId)).toEqual(['PROCESSING', undefined])
    await server.pass(600_000)
    expect(await statusOf(transactionId)).toEqual(['COMPLETED', undefined])
  })

  it('decides nothing about what goes on to an address of UMA: the institution there does not know of it', async () => {
    const { api, bank, fail, statusOf } = await stage()
    await fail({ kind: 'OUTCOME', params: { outcome: '005', seconds: 600 } })
    const pay = async (user: string) => {
      const umaAddress = `$${user}@sandbox.uma.money`
      const { data, error } = await api.POST('/quotes', {
        body: {
          source: { sourceType: 'ACCOUNT', accountId: bank.id as never },
          destination: { destinationType: 'UMA_ADDRESS', umaAddress, currency: 'USD' },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 10_000,
        },
      })
      expect(error).toBeUndefined()
      await execute(api, data!.id)
      await server.settle()
      return data!.transactionId
    }
    const [paid, refused] = [await pay('success.usd'), await pay('fail.compliance.usd')]
    await server.pass(30_000)
    expect(await statusOf(paid)).toEqual(['COMPLETED', undefined])
    expect(await statusOf(refused)).toEqual(['FAILED', 'COMPLIANCE_REJECTED'])
    await server.pass(3_600_000)
    expect(await statusOf(paid)).toEqual(['COMPLETED', undefined])
  })
})
