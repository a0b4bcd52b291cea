import {
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { clabe, fillUp, paymentApi } from '../e2e/payment-api.ts'
import { balanceOf, type Installation, quoteTo, twoInstallations } from '../e2e/uma-peers.ts'

// Conventions 4: an account holds no more than can be told. What comes for one that is full ends all the same.

const server = await openTestServer({ stepMs: 1_000 })

describe('a refund to an account that is full', () => {
  it('fails into suspense, and is given by the operator once there is room', async () => {
    const { api, platform, customer, usd, transaction, balance } = await paymentApi(server)
    await fund(api, usd.id, 10_000)
    const payee = await createPayee(api, 'MXN', clabe('004'), { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 10_000))
    await execute(api, id)
    await fillUp(api, await internalAccountOf(api, customer.id, 'USD'), 9_999)
    const full = await balance()
    for (let step = 0; step < 8; step++) await server.pass(1_000)
    expect(await transaction(transactionId)).toMatchObject({ status: 'FAILED', refund: { status: 'FAILED' } })
    const suspense = async () => (await server.ledgerBalances(platform))['susp:USD'] ?? 0n
    expect([await balance(), await suspense()]).toEqual([full, 10_000n])

    const away = await createQuote(api, quoteBody(usd, payee, 1))
    await execute(api, away.id)
    const body = { to: 'ACCOUNT', reason: 'There is room again' }
    expect(
      await operate(server, 'POST', `/transactions/${transactionId}/resolve-refund`, body),
    ).toMatchObject({
      status: 200,
    })
    expect([await balance(), await suspense()]).toEqual([full + 9_999, 0n])
    await server.expectSoundLedger()
  })
})

describe('a UMA payment to an account that is full', () => {
  async function payTo(two: Awaited<ReturnType<typeof twoInstallations>>) {
    const { a, b } = two
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 2_000, side: 'RECEIVING', currency: 'USD' }),
    )
    const before = await balanceOf(a, 'USD')
    await fillUp(b.api as never, await internalAccountOf(b.api, b.customer.id, 'USD'), 1_999)
    const full = await balanceOf(b, 'USD')
    await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
    await two.settle()
    const [sent, received] = [await shown(a, quote.transactionId), await shown(b, lastAsked(b))]
    expect(await balanceOf(b, 'USD')).toBe(full)
    return { sent, received, lost: before - (await balanceOf(a, 'USD')), quote }
  }
  const lastAsked = ({ inbox }: Installation) =>
    inbox.received.findLast(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING')!.event.data.id as string
  const shown = ({ api }: Installation, transactionId: string) =>
    must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))

  it('is not owed for, and the sender gets it back', async () => {
    const two = await twoInstallations()
    const { sent, received, lost } = await payTo(two)
    await two.close()
    expect(received).toMatchObject({ status: 'FAILED', failureReason: 'OFFRAMP_FAILED' })
    expect(sent).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } })
    expect(lost).toBe(0)
  })

  it('waits in suspense where it came over Lightning', async () => {
    const two = await twoInstallations({ creditLineMsats: null })
    const { sent, received, lost, quote } = await payTo(two)
    const suspense = (await two.b.server.ledgerBalances(two.b.platform))['susp:USD'] ?? 0n
    await two.close()
    expect(sent).toMatchObject({ status: 'COMPLETED' })
    expect(received).toMatchObject({ status: 'FAILED', refund: { status: 'FAILED' } })
    expect([lost, suspense]).toEqual([quote.totalSendingAmount, 2_000n])
  })
})
