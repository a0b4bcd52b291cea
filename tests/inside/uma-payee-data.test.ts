import { must } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quoteTo, twoInstallations } from '../e2e/uma-peers.ts'
import { askingAs } from './uma-asking.ts'

// What a peer wants to know of a receiver, and what a platform wants to know of a payer (webhooks-uma 3.4, 6.5).

let two: Awaited<ReturnType<typeof twoInstallations>>
beforeAll(async () => {
  two = await twoInstallations()
})
afterAll(() => two.close())

const { payRequest } = askingAs(() => two)

/** What the platform says when it is asked. */
function answer(status: number, body?: object) {
  two.b.inbox.answer(({ event }) =>
    event.type === 'INCOMING_PAYMENT.PENDING' && body ? new Response(JSON.stringify(body), { status }) : 200,
  )
}

const asking = (payeeData: object) => payRequest((body) => ({ ...body, payeeData }))
const lastEvent = (type: string) =>
  two.b.inbox.received.findLast(({ event }) => event.type === type)!.event.data as Record<string, unknown>
const kept = async () => {
  const rows = await two.b.server.engine.database.system((connection) =>
    connection.query<{ id: string }>({
      name: 'test.payeeInformation',
      text: 'select id from uma_payee_information',
    }),
  )
  return rows.length
}

describe('a pay request that asks about the receiver', () => {
  it('is told what the record says and, of the rest, what the platform answers', async () => {
    answer(200, {
      receiverCustomerInfo: {
        NATIONALITY: 'PT',
        ACCOUNT_IDENTIFIER: 'DE-1',
        TAX_ID: 'T-1',
        EMAIL: 'x@y.example',
        // Of the government's, and never the one of the protocol.
        IDENTIFIER: '219-09-9999',
      },
    })
    const told = await asking({
      name: { mandatory: true },
      birthDate: { mandatory: false },
      nationality: { mandatory: true },
      accountNumber: { mandatory: false },
      taxId: { mandatory: false },
      phoneNumber: { mandatory: false },
      shoeSize: { mandatory: false },
      identifier: { mandatory: true },
      compliance: { mandatory: true },
    })
    expect(told.status).toBe(200)
    const { compliance: _compliance, ...payee } = told.answer.payeeData as Record<string, unknown>
    expect(payee).toEqual({
      identifier: '$beta-user@beta.internal',
      name: expect.any(String),
      nationality: 'PT',
      accountNumber: 'DE-1',
      taxId: 'T-1',
    })
    expect(lastEvent('INCOMING_PAYMENT.PENDING').requestedReceiverCustomerInfoFields).toEqual([
      { name: 'BIRTH_DATE', mandatory: false },
      { name: 'NATIONALITY', mandatory: true },
      { name: 'ACCOUNT_IDENTIFIER', mandatory: false },
      { name: 'TAX_ID', mandatory: false },
      { name: 'PHONE_NUMBER', mandatory: false },
    ])
    expect(await kept()).toBe(0)
  })

  it('is refused where the platform leaves out what it insists on', async () => {
    for (const NATIONALITY of [undefined, null, ' ', 'x'.repeat(2_050)]) {
      answer(200, { receiverCustomerInfo: { NATIONALITY } })
      const refused = await asking({ nationality: { mandatory: true } })
      expect(refused).toMatchObject({ status: 403, answer: { code: 'USER_NOT_READY' } })
      expect(lastEvent('INCOMING_PAYMENT.FAILED')).toMatchObject({
        failureReason: 'MISSING_MANDATORY_PAYEE_DATA',
      })
    }
    expect(await kept()).toBe(0)
  })

  it('is answered without what it only would like to know', async () => {
    answer(200, {})
    const told = await asking({ nationality: { mandatory: false } })
    expect(told.status).toBe(200)
    expect(told.answer.payeeData).not.toHaveProperty('nationality')
  })

  it('asks the platform for nothing that is on record', async () => {
    answer(200)
    expect((await asking({ name: { mandatory: true } })).status).toBe(200)
    expect(lastEvent('INCOMING_PAYMENT.PENDING')).not.toHaveProperty('requestedReceiverCustomerInfoFields')
  })
})

describe('a platform that wants to know more of the payer', () => {
  it('has the peer told which fields, in the words of the protocol', async () => {
    answer(422, { requiredFields: ['BIRTH_DATE', 'COUNTRY_OF_RESIDENCE', 'SHOE_SIZE', 7] })
    expect(await payRequest()).toMatchObject({
      status: 400,
      answer: { code: 'MISSING_MANDATORY_PAYER_DATA', missingFields: ['birthDate', 'countryOfResidence'] },
    })
    answer(422, { requiredFields: 'BIRTH_DATE' })
    expect((await payRequest()).answer).toMatchObject({ missingFields: [] })
  })

  it('is heard by the caller of the other side', async () => {
    answer(422, { requiredFields: ['BIRTH_DATE'] })
    const { a, b } = two
    const { error } = await quoteTo(a, b.customer.umaAddress, {
      amount: 1_000,
      side: 'RECEIVING',
      currency: 'USD',
    })
    expect(error).toMatchObject({
      status: 400,
      code: 'MISSING_MANDATORY_USER_INFO',
      details: { missingFields: ['BIRTH_DATE'] },
    })
    answer(200)
    await must(quoteTo(a, b.customer.umaAddress, { amount: 1_000, side: 'RECEIVING', currency: 'USD' }))
  })
})
