import {
  createPayee,
  createQuote,
  execute,
  fund,
  must,
  openTestServer,
  quoteBody,
  recordWebhooks,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { paymentApi } from '../e2e/payment-api.ts'
import { webhookEndpoints } from '../e2e/webhook-endpoints.ts'

/** What explanations say of payments that were sent back or are of UMA: each line, and each number against what is stored. */

const receiver = recordWebhooks()
const server = await openTestServer({ network: receiver.network })
const { setEndpoint } = webhookEndpoints(() => server, receiver)

const sender = '$success.usd@sandbox.uma.money'
const euro = '$success.eur@sandbox.uma.money'

type Transaction = Awaited<ReturnType<Awaited<ReturnType<typeof paymentApi>>['transaction']>>

async function stage() {
  const payment = await paymentApi(server)
  const { api, platform, customer } = payment
  const inbox = receiver.inbox()
  await setEndpoint(platform, inbox.url)
  const path = (transactionId: string) => ({ params: { path: { transactionId } } })

  /** What is told of a payment; what of it is numbers, moments and ids is compared with the rows that it is told from. */
  async function explained(id: string) {
    const { data } = await api.GET('/explain/{id}', { params: { path: { id } } })
    const { journals, webhooks, status, derivation, timeline, sentence, checks, unknown, next } = data!
    const transaction = await payment.transaction(id)
    const posted = await server.rows(
      `select kind, debit_account as from, credit_account as to, currency, amount::text,
         to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
       from ledger_transfers where platform_id = $1 and starts_with(id, $2)`,
      [platform.platformId, `${id}/`],
    )
    const told = journals!.flatMap(({ at, postings }) =>
      postings.map(({ kind, from, to, value }) => ({ kind, from, to, ...value, at })),
    )
    expect(told).toHaveLength(posted.length)
    expect(told).toEqual(expect.arrayContaining(posted))
    const events = await server.rows(
      `select id, type, status, attempts,
         to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"
       from events where platform_id = $1 and resource_id = $2 order by seq`,
      [platform.platformId, id],
    )
    expect(webhooks).toEqual(events)
    expect([status.now, status.since]).toEqual([transaction.status, transaction.updatedAt])
    return {
      sentence,
      status: [
        status.now,
        status.waitingFor,
        status.expectedBy,
        status.safeToRetry.answer,
        status.safeToRetry.why,
      ],
      steps: journals!.map(({ step }) => step),
      amounts: Object.fromEntries(
        (derivation ?? []).map(({ name, result }) => [name, Number(result.amount)]),
      ),
      timeline: timeline!.map(({ at, kind, text }) => `${at.slice(11, 23)} ${kind} ${text}`),
      checks: checks!.map(({ name, holds }) => `${name}: ${holds}`),
      unknown,
      next,
      transaction,
    }
  }

  return {
    ...payment,
    explained,
    /** A payment from another institution, about which the platform's endpoint answers this. */
    async receive(status: number, body: object = {}) {
      inbox.answer(({ event }) =>
        event.type === 'INCOMING_PAYMENT.PENDING' ? new Response(JSON.stringify(body), { status }) : 200,
      )
      const { id } = await must(
        api.POST('/sandbox/uma/receive', {
          body: {
            senderUmaAddress: sender,
            receiverUmaAddress: customer.umaAddress,
            receivingCurrencyCode: 'USD',
            receivingCurrencyAmount: 5_000,
          } as never,
        }),
      )
      return id
    },
    approve: (id: string) => must(api.POST('/transactions/{transactionId}/approve', path(id))),
    reject: (id: string) => must(api.POST('/transactions/{transactionId}/reject', path(id))),
  }
}

/** What a quote was priced with is what its payment says. */
function expectPrice(amounts: Record<string, number>, transaction: Transaction): void {
  const { sentAmount, receivedAmount, fees } = transaction as unknown as {
    readonly sentAmount: { readonly amount: number }
    readonly receivedAmount: { readonly amount: number }
    readonly fees: number
  }
  expect(amounts).toMatchObject({
    sending: sentAmount.amount,
    receiving: receivedAmount.amount,
    feesIncluded: fees,
  })
}

/** A moment of a payment in words, and as in its timeline. */
const momentOf = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`
const timeOf = (timestamp: string) => timestamp.slice(11, 23)

describe('an explanation of a payment that was sent back', () => {
  it('says that it was delivered, what came back, when and why, with what was posted for it', async () => {
    const { api, customer, usd, explained, balance } = await stage()
    await fund(api, usd.id, 250_000)
    const payee = await createPayee(api, 'EUR', 'DE70370400440532013005', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 100_000))
    await execute(api, id)
    await server.settle()
    const before = await explained(transactionId)
    const { transaction: delivered } = before
    const paidAt = timeOf(delivered.createdAt)
    const begun = [
      `${paidAt} REQUEST the quote was created`,
      `${paidAt} REQUEST POST /quotes/{quoteId}/execute returned 200`,
      `${paidAt} TRANSITION the execution was posted`,
      `${paidAt} TRANSITION the money was converted at 0.86 EUR for one USD`,
      `${paidAt} RAIL the payment was handed to SEPA_INSTANT`,
    ]
    const told = [
      `${paidAt} TRANSITION the delivery was posted`,
      `${paidAt} WEBHOOK OUTGOING_PAYMENT.PENDING was delivered`,
      `${paidAt} WEBHOOK OUTGOING_PAYMENT.PROCESSING was delivered`,
      `${paidAt} WEBHOOK OUTGOING_PAYMENT.COMPLETED was delivered`,
    ]
    expect(before).toMatchObject({
      sentence: `Ana Lopez sent 1,000.00 USD, Greta Lindholm received 855.70 EUR. Completed ${momentOf(delivered.createdAt)}, no action is pending.`,
      status: [
        'COMPLETED',
        'NOBODY',
        null,
        'NO',
        'the payment was delivered; another payment would pay twice',
      ],
      steps: ['execute', 'convert', 'deliver'],
      timeline: [...begun, `${paidAt} RAIL SEPA_INSTANT settled the payment`, ...told],
    })
    expectPrice(before.amounts, delivered)

    await server.pass(2_000)
    const after = await explained(transactionId)
    const { refund } = after.transaction as Transaction & {
      refund: { initiatedAt: string; settledAt: string }
    }
    const backAt = timeOf(refund.settledAt)
    expect(Date.parse(refund.settledAt) - Date.parse(delivered.createdAt)).toBe(2_000)
    expect(after).toMatchObject({
      sentence: `The payment of 1,000.00 USD to Greta Lindholm failed ${momentOf(refund.initiatedAt)}: the receiving bank returned the money (PAYOUT_RETURNED); all 1,000.00 USD was refunded ${momentOf(refund.settledAt)}. No action is pending.`,
      status: ['FAILED', 'NOBODY', null, 'YES_NEW_QUOTE', 'the receiving bank returned the payment'],
      steps: ['execute', 'convert', 'deliver', 'return', 'refund'],
      timeline: [
        ...begun,
        `${paidAt} RAIL SEPA_INSTANT settled the payment`,
        ...told,
        `${backAt} RAIL SEPA_INSTANT returned the payment`,
        `${backAt} TRANSITION the payment is FAILED: the receiving bank returned the money (PAYOUT_RETURNED); sandbox outcome: the account ends in 005 (the payment completes, then is returned by the receiving bank), not a fault`,
        `${backAt} TRANSITION the return was posted`,
        `${backAt} TRANSITION the refund was posted`,
        `${backAt} WEBHOOK OUTGOING_PAYMENT.FAILED was delivered`,
        `${backAt} WEBHOOK OUTGOING_PAYMENT.REFUND_PENDING was delivered`,
        `${backAt} WEBHOOK OUTGOING_PAYMENT.REFUND_COMPLETED was delivered`,
      ],
      checks: [
        'recomputed amounts match the stored ones: true',
        'EUR sums to 0: true',
        'USD sums to 0: true',
        'clearing empty: true',
      ],
      unknown: [],
      next: [],
    })
    expect(after.amounts).toEqual(before.amounts)
    expect(await balance()).toBe(250_000)
  })

  it('says that its money waits for an operator where it cannot be given back', async () => {
    const { api, customer, usd, explained } = await stage()
    await fund(api, usd.id, 250_000)
    const payee = await createPayee(api, 'EUR', 'DE70370400440532013005', { customerId: customer.id })
    const { id, transactionId } = await createQuote(api, quoteBody(usd, payee, 100_000))
    await execute(api, id)
    await server.settle()
    await operate(server, 'POST', `/internal-accounts/${usd.id}/freeze`)
    await server.pass(2_000)
    const { sentence, status, steps, transaction, checks } = await explained(transactionId)
    expect(transaction).toMatchObject({ status: 'FAILED', refund: { status: 'FAILED' } })
    const { initiatedAt } = (transaction as Transaction & { refund: { initiatedAt: string } }).refund
    expect(sentence).toBe(
      `The payment of 1,000.00 USD to Greta Lindholm failed ${momentOf(initiatedAt)}: the receiving bank returned the money (PAYOUT_RETURNED); the refund of all 1,000.00 USD has not succeeded yet. Failed, waiting for the operator.`,
    )
    expect(status).toEqual(['FAILED', 'OPERATOR', null, 'NO', 'the refund has not succeeded yet'])
    expect(steps).toEqual(['execute', 'convert', 'deliver', 'return', 'refund'])
    expect(checks).toContain('clearing empty: true')
  })
})

describe('an explanation of a payment of UMA that comes in', () => {
  const cameIn = ['NO', 'the payment is an incoming payment']
  const mayComeIn = ['NO', 'the payment may still arrive']
  const didNotComeIn = ['NO', 'no money arrived; the sender has to start again']

  it('says until when the platform decides, and what came in once it has', async () => {
    const { receive, explained, usd, balance } = await stage()
    const id = await receive(200, { receiverCustomerInfo: { NATIONALITY: 'PT' } })
    const asked = await explained(id)
    const { createdAt } = asked.transaction
    const by = new Date(Date.parse(createdAt) + 30_000).toISOString()
    const at = timeOf(createdAt)
    expect(asked).toMatchObject({
      sentence: `Ana Lopez will receive 50.00 USD. Pending, waiting for the platform until ${momentOf(by)}.`,
      status: ['PENDING', 'PLATFORM', by, ...mayComeIn],
      steps: [],
      amounts: {},
      timeline: [
        `${at} REQUEST the payment was recorded`,
        `${at} WEBHOOK INCOMING_PAYMENT.PENDING is waiting for delivery`,
      ],
      checks: [],
      unknown: [],
      next: [
        {
          what: 'the platform decides about the payment',
          when: by,
          doNow: `POST /transactions/${id}/approve`,
        },
      ],
    })
    await server.settle()
    const after = await explained(id)
    const { settledAt } = after.transaction as Transaction & { settledAt: string }
    expect(after).toMatchObject({
      sentence: `Ana Lopez received 50.00 USD from ${sender}. Completed ${momentOf(settledAt)}, no action is pending.`,
      status: ['COMPLETED', 'NOBODY', null, ...cameIn],
      steps: ['receive'],
      amounts: {},
      timeline: [
        `${at} REQUEST the payment was recorded`,
        `${timeOf(settledAt)} TRANSITION the receipt was posted`,
        `${at} WEBHOOK INCOMING_PAYMENT.PENDING was delivered`,
        `${timeOf(settledAt)} WEBHOOK INCOMING_PAYMENT.COMPLETED was delivered`,
      ],
      checks: ['USD sums to 0: true', 'clearing empty: true'],
      unknown: [],
      next: [],
    })
    expect(await balance()).toBe(5_000)
    expect(usd.balance.amount).toBe(0)
  })

  it('has the approval that was asked for after an answer that left it open', async () => {
    const { receive, approve, explained } = await stage()
    const id = await receive(202)
    await server.settle()
    await approve(id)
    await server.settle()
    const { sentence, timeline, transaction } = await explained(id)
    const at = timeOf(transaction.createdAt)
    expect(sentence).toMatch(
      /^Ana Lopez received 50\.00 USD from \$success\.usd@sandbox\.uma\.money\. Completed /,
    )
    expect(timeline).toEqual([
      `${at} REQUEST the payment was recorded`,
      `${at} REQUEST POST /transactions/{transactionId}/approve returned 200`,
      `${at} TRANSITION the receipt was posted`,
      `${at} WEBHOOK INCOMING_PAYMENT.PENDING was delivered`,
      `${at} WEBHOOK INCOMING_PAYMENT.COMPLETED was delivered`,
    ])
  })

  it('says that it was rejected, at the moment that was told, and that nothing moved', async () => {
    const { receive, explained, balance } = await stage()
    const id = await receive(403, { reason: 'RESTRICTED_JURISDICTION' })
    await server.settle()
    const told = await explained(id)
    const at = timeOf(told.transaction.createdAt)
    expect(told).toMatchObject({
      sentence: `The payment of 50.00 USD to Ana Lopez was rejected ${momentOf(told.transaction.createdAt)}; no money was moved. No action is pending.`,
      status: ['REJECTED', 'NOBODY', null, ...didNotComeIn],
      steps: [],
      timeline: [
        `${at} REQUEST the payment was recorded`,
        `${at} TRANSITION the payment is REJECTED`,
        `${at} WEBHOOK INCOMING_PAYMENT.PENDING was delivered`,
        `${at} WEBHOOK INCOMING_PAYMENT.FAILED was delivered`,
      ],
      checks: [],
      unknown: [],
      next: [],
    })
    expect(JSON.stringify(told)).not.toContain('RESTRICTED')
    expect(await balance()).toBe(0)
  })

  it('says who rejected it, by which request', async () => {
    const { receive, reject, explained } = await stage()
    const id = await receive(202)
    await server.settle()
    await reject(id)
    await server.settle()
    const { timeline, status, transaction } = await explained(id)
    const at = timeOf(transaction.createdAt)
    expect(status.slice(0, 2)).toEqual(['REJECTED', 'NOBODY'])
    expect(timeline).toEqual([
      `${at} REQUEST the payment was recorded`,
      `${at} REQUEST POST /transactions/{transactionId}/reject returned 200`,
      `${at} TRANSITION the payment is REJECTED`,
      `${at} WEBHOOK INCOMING_PAYMENT.PENDING was delivered`,
      `${at} WEBHOOK INCOMING_PAYMENT.FAILED was delivered`,
    ])
  })

  it('says that nobody decided in time, five seconds after an answer that left it open', async () => {
    const { api, receive, explained, balance } = await stage()
    const id = await receive(202)
    await server.settle()
    const open = await explained(id)
    const { createdAt } = open.transaction
    const by = new Date(Date.parse(createdAt) + 5_000).toISOString()
    expect(open.status).toEqual(['PENDING', 'PLATFORM', by, ...mayComeIn])
    await must(api.POST('/sandbox/clock/advance', { body: { seconds: 5 } }))
    const told = await explained(id)
    const [at, over] = [timeOf(createdAt), timeOf(by)]
    expect(told).toMatchObject({
      sentence: `The payment of 50.00 USD to Ana Lopez failed ${momentOf(by)}: the platform did not decide in time (PAYMENT_APPROVAL_TIMED_OUT); no money was moved. No action is pending.`,
      status: ['FAILED', 'NOBODY', null, ...didNotComeIn],
      steps: [],
      timeline: [
        `${at} REQUEST the payment was recorded`,
        `${at} WEBHOOK INCOMING_PAYMENT.PENDING was delivered`,
        `${over} CLOCK the sandbox clock was moved to this time: POST /sandbox/clock/advance returned 200`,
        `${over} TRANSITION the payment is FAILED: the platform did not decide in time (PAYMENT_APPROVAL_TIMED_OUT)`,
        `${over} WEBHOOK INCOMING_PAYMENT.FAILED was delivered`,
      ],
      checks: [],
      unknown: [],
      next: [],
    })
    expect(await balance()).toBe(0)
  })
})

describe('an explanation of a payment of UMA that goes out', () => {
  async function quoteTo(
    { api, usd }: Awaited<ReturnType<typeof stage>>,
    umaAddress: string,
    currency: string,
  ) {
    await fund(api, usd.id, 100_000)
    return must(
      api.POST('/quotes', {
        body: {
          source: { sourceType: 'ACCOUNT', accountId: usd.id as never },
          destination: { destinationType: 'UMA_ADDRESS', umaAddress, currency },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 10_000,
        },
      }),
    )
  }

  it('says who received what at which rate, and what the other institution keeps', async () => {
    const at = await stage()
    const { id, transactionId } = await quoteTo(at, euro, 'EUR')
    await execute(at.api, id)
    await server.settle()
    const told = await at.explained(transactionId)
    const { createdAt } = told.transaction
    const paidAt = timeOf(createdAt)
    expect(told).toMatchObject({
      sentence: `Ana Lopez sent 100.00 USD, ${euro} received 85.56 EUR. Completed ${momentOf(createdAt)}, no action is pending.`,
      status: [
        'COMPLETED',
        'NOBODY',
        null,
        'NO',
        'the payment was delivered; another payment would pay twice',
      ],
      steps: ['execute', 'convert', 'deliver'],
      timeline: [
        `${paidAt} REQUEST the quote was created`,
        `${paidAt} REQUEST POST /quotes/{quoteId}/execute returned 200`,
        `${paidAt} TRANSITION the execution was posted`,
        `${paidAt} TRANSITION the money was converted at 0.86 EUR for one USD`,
        `${paidAt} RAIL the payment was handed to UMA`,
        `${paidAt} RAIL UMA settled the payment`,
        `${paidAt} TRANSITION the delivery was posted`,
        `${paidAt} WEBHOOK OUTGOING_PAYMENT.PENDING was delivered`,
        `${paidAt} WEBHOOK OUTGOING_PAYMENT.PROCESSING was delivered`,
        `${paidAt} WEBHOOK OUTGOING_PAYMENT.COMPLETED was delivered`,
      ],
      unknown: [],
      next: [],
    })
    expectPrice(told.amounts, told.transaction)
    const { counterpartyFixedFee, gridApiFixedFee, gridApiVariableFeeAmount } = (
      told.transaction as Transaction & { rateDetails: Record<string, number> }
    ).rateDetails
    expect(told.amounts).toMatchObject({
      counterpartyFee: counterpartyFixedFee,
      serviceFixed: gridApiFixedFee,
      serviceVariable: gridApiVariableFeeAmount,
    })
  })

  it('says that the other institution refused it, and that all of it came back', async () => {
    const uma = await stage()
    const { id, transactionId } = await quoteTo(uma, '$fail.compliance.usd@sandbox.uma.money', 'USD')
    await execute(uma.api, id)
    await server.settle()
    const told = await uma.explained(transactionId)
    const { refund } = told.transaction as Transaction & {
      refund: { initiatedAt: string; settledAt: string }
    }
    const at = timeOf(told.transaction.createdAt)
    expect(told).toMatchObject({
      sentence: `The payment of 100.00 USD to $fail.compliance.usd@sandbox.uma.money failed ${momentOf(refund.initiatedAt)}: the receiving institution rejected the payment for compliance reasons (COMPLIANCE_REJECTED); all 100.00 USD was refunded ${momentOf(refund.settledAt)}. No action is pending.`,
      steps: ['execute', 'convert', 'unwind', 'refund'],
      timeline: [
        `${at} REQUEST the quote was created`,
        `${at} REQUEST POST /quotes/{quoteId}/execute returned 200`,
        `${at} TRANSITION the execution was posted`,
        `${at} TRANSITION the conversion was posted`,
        `${at} RAIL the payment was handed to UMA`,
        `${at} TRANSITION the payment is FAILED: the receiving institution rejected the payment for compliance reasons (COMPLIANCE_REJECTED); sandbox outcome: the name of the UMA address (the payment fails with COMPLIANCE_REJECTED), not a fault`,
        `${at} TRANSITION the reversal of the conversion was posted`,
        `${at} TRANSITION the refund was posted`,
        `${at} WEBHOOK OUTGOING_PAYMENT.PENDING was delivered`,
        `${at} WEBHOOK OUTGOING_PAYMENT.PROCESSING was delivered`,
        `${at} WEBHOOK OUTGOING_PAYMENT.FAILED was delivered`,
        `${at} WEBHOOK OUTGOING_PAYMENT.REFUND_PENDING was delivered`,
        `${at} WEBHOOK OUTGOING_PAYMENT.REFUND_COMPLETED was delivered`,
      ],
      status: ['FAILED', 'NOBODY', null, 'YES_NEW_QUOTE', 'the payment was not delivered'],
    })
    expectPrice(told.amounts, told.transaction)
    expect(await uma.balance()).toBe(100_000)
  })
})
