import { must } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { type Installation, quoteTo, twoInstallations } from '../e2e/uma-peers.ts'

/** A pause meets payments to another institution, which has one when it is asked for its proof. */

let two: Awaited<ReturnType<typeof twoInstallations>>
beforeAll(async () => {
  two = await twoInstallations()
})
afterAll(() => two.close())

it('asks no institution for a proof after a pause, also where an answer was missing before', async () => {
  const { a, b, traffic } = two
  const quote = await must(
    quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
  )
  const pass = async () => {
    for (let round = 0; round < 4; round++) for (const { server } of [a, b]) await server.pass(15_000)
  }
  const proofs = () => traffic.filter(({ url }) => url.includes('/uma/settle')).length
  // The institution is out of reach, so it has not heard of the payment.
  two.interfere((url) => (url.includes('/uma/settle') ? new Response('', { status: 503 }) : undefined))
  await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
  await a.server.settle()
  const before = proofs()
  expect(before).toBeGreaterThan(0)

  const paused = await operate(a.server, 'POST', '/pauses', {
    environment: 'SANDBOX',
    rail: 'UMA',
    reasonCode: 'OTHER',
    reason: 'a test',
  })
  expect(paused).toMatchObject({ status: 201, body: { handingOver: 0 } })
  two.interfere(() => undefined)
  await pass()
  await two.settle()
  const status = async () =>
    (
      await must(
        a.api.GET('/transactions/{transactionId}', {
          params: { path: { transactionId: quote.transactionId } },
        }),
      )
    ).status
  expect([await status(), proofs() - before]).toEqual(['PROCESSING', 0])

  await operate(a.server, 'POST', `/pauses/${paused.body.id}/lift`)
  await pass()
  await two.settle()
  expect(await status()).toBe('COMPLETED')
})

describe('between institutions that settle over Lightning', () => {
  let overLightning: Awaited<ReturnType<typeof twoInstallations>>
  beforeAll(async () => {
    overLightning = await twoInstallations({ creditLineMsats: null })
  })
  afterAll(() => overLightning.close())

  const statusOf = async ({ api }: Installation, transactionId: string) =>
    (await must(api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } }))).status

  it.each(['LIGHTNING', 'UMA'])('hands nothing to the node while %s is paused', async (rail) => {
    const { a, b, traffic } = overLightning
    const quote = await must(
      quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }),
    )
    const paused = await operate(a.server, 'POST', '/pauses', {
      environment: 'SANDBOX',
      rail,
      reasonCode: 'OTHER',
      reason: 'a test',
    })
    expect(paused).toMatchObject({ status: 201, body: { handingOver: 0 } })
    const asked = () => traffic.filter(({ url }) => url.includes('/uma/lightning/')).length
    const before = asked()
    await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
    await overLightning.settle()
    for (const { server } of [a, b]) await server.pass(15_000)
    await overLightning.settle()
    expect([await statusOf(a, quote.transactionId), asked() - before]).toEqual(['PROCESSING', 0])
    expect((await operate(a.server, 'GET', `/pauses/${paused.body.id}`)).body).toMatchObject({ held: 1 })
    const { body: rails } = await operate(a.server, 'GET', '/rails')
    const uma = rails.data.find((each: { rail: string }) => each.rail === 'UMA')
    expect(uma).toMatchObject({ held: 1, pauses: [{ id: paused.body.id }] })

    await operate(a.server, 'POST', `/pauses/${paused.body.id}/lift`)
    for (const { server } of [a, b]) await server.pass(15_000)
    await overLightning.settle()
    expect(await statusOf(a, quote.transactionId)).toBe('COMPLETED')
    expect(asked()).toBeGreaterThan(before)
  })
})
