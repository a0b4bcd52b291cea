import { loadSealedKey } from '@corridor/engine/mechanisms/keys/data-keys.ts'
import { sealedChallenges } from '@corridor/engine/mechanisms/signed-requests/index.ts'
import { sealedIdentifiers, sealedPersonal } from '@corridor/engine/people/customers/index.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  openTestServer,
  operatorKey,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { address, business, customerApi, refusal } from '../e2e/customer-api.ts'
import { german, scaApi } from '../e2e/sca-api.ts'

const server = await openTestServer()

const person = {
  fullName: 'Ana Lopez',
  birthDate: '1990-04-23',
  email: 'ana@lopez.example',
  region: 'US',
  currencies: ['USD'],
  idType: 'SSN',
  identifier: '219-09-9999',
  address,
}

async function operate(path: string, method = 'GET') {
  const response = await server.fetch(`http://corridor.test/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
const erase = (id: string) => operate(`/customers/${encodeURIComponent(id)}/erase`, 'POST')

describe('a customer', () => {
  it('has a key of its own, which opens what no other opens', async () => {
    const { platform, customer } = await customerApi(server)
    const [first, second] = [await customer(person), await customer(person)]
    const { database, keys } = server.engine
    const rows = await database.read<{ id: string; personal: string }>(
      platform,
      {
        name: 'test.personal',
        text: 'select id, personal from customers where platform_id = $1 order by created_at, id',
      },
      [platform.platformId],
    )
    const keyOf = async (id: string) =>
      keys.dataKey(platform, id, (await loadSealedKey(database, platform, id))!)
    const own = await keyOf(first.id)
    const sealed = rows.find(({ id }) => id === first.id)!.personal
    expect(JSON.parse(own.open(sealedPersonal, first.id, sealed)).profile).toMatchObject({
      fullName: 'Ana Lopez',
    })
    expect(() => own.open(sealedIdentifiers, first.id, sealed)).toThrow()
    const other = await keyOf(second.id)
    expect(() => other.open(sealedPersonal, second.id, sealed)).toThrow()
    expect(rows[0]!.personal).not.toBe(rows[1]!.personal)
  })
})

describe('erasing a customer', () => {
  it('leaves ids, statuses and times, and nothing about the person', async () => {
    const { api, customer, remove, get, list } = await customerApi(server, { isRegulated: true })
    const { id, umaAddress, platformCustomerId } = await customer(person)
    await createPayee(api, 'USD', '9171931715', { customerId: id })
    await remove(id)
    expect((await erase(id)).status).toBe(204)
    const { data } = await get(id)
    expect(data).toEqual({
      id,
      customerType: 'INDIVIDUAL',
      platformCustomerId,
      umaAddress,
      kycStatus: 'APPROVED',
      region: 'US',
      currencies: ['USD'],
      isDeleted: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect((await list({ isIncludingDeleted: true })).data!.data).toEqual([data])
    const { data: accounts } = await api.GET('/customers/external-accounts')
    expect(accounts!.data).toEqual([])
    expect((await erase(id)).status).toBe(204)
  })

  it('answers no request again with what it said about the person, and does none of them again', async () => {
    const { platform, remove, list } = await customerApi(server, { isRegulated: true })
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const create = async () => {
      const response = await server.fetch(`${server.baseUrl}/customers`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${basic}`,
          'content-type': 'application/json',
          'idempotency-key': 'erased',
        },
        body: JSON.stringify({ customerType: 'INDIVIDUAL', ...person }),
      })
      return { status: response.status, text: await response.text() }
    }
    const { status, text } = await create()
    expect(status).toBe(201)
    const { id } = JSON.parse(text)
    expect(await create()).toEqual({ status, text })
    await remove(id)
    expect((await erase(id)).status).toBe(204)
    const again = await create()
    expect(again.text).not.toContain('Lopez')
    expect([again.status, JSON.parse(again.text)]).toMatchObject([
      404,
      { code: 'USER_NOT_FOUND', details: { id } },
    ])
    expect((await list({})).data!.data).toEqual([])
  })

  it('takes the words of its payments, and the events that repeat them', async () => {
    const { platform, api, customer, remove } = await customerApi(server)
    const { id } = await customer(person)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 10_000)
    const payee = await createPayee(api, 'USD', '9171931725', { customerId: id })
    const quote = await createQuote(api, {
      ...quoteBody(account, payee, 10_000),
      description: 'rent of the Canary house',
      remittanceInformation: 'Canary rent',
    })
    await execute(api, quote.id)
    await server.pass(24 * 60 * 60_000)
    const found = async () => {
      const { database } = server.engine
      const texts = {
        quotes: 'select count(*) from quotes where platform_id = $1 and words_for = owner_id',
        transactions: 'select count(*) from transactions where platform_id = $1 and words_for = owner_id',
        inPlain:
          "select count(*) from transactions t join quotes q on q.platform_id = t.platform_id and q.environment = t.environment and q.id = t.quote_id where t.platform_id = $1 and (to_jsonb(t)::text || to_jsonb(q)::text) like '%Canary%'",
        events: "select count(*) from events where platform_id = $1 and sealed_for = $2 and body <> ''",
      }
      const counts: Record<string, boolean> = {}
      for (const [name, text] of Object.entries(texts)) {
        const statement = {
          name: `test.words ${name}`,
          text:
            name === 'events'
              ? text
              : name === 'inPlain'
                ? `${text} and t.owner_id = $2`
                : `${text} and owner_id = $2`,
        }
        const [row] = await database.read<{ count: bigint }>(platform, statement, [platform.platformId, id])
        counts[name] = row!.count > 0n
      }
      return counts
    }
    expect(await found()).toEqual({ quotes: true, transactions: true, inPlain: false, events: true })
    const [shown] = (await api.GET('/transactions', {})).data!.data
    expect(shown).toMatchObject({ status: 'COMPLETED', description: 'rent of the Canary house' })
    await remove(id)
    expect((await erase(id)).status).toBe(204)
    expect(await found()).toEqual({ quotes: false, transactions: false, inPlain: false, events: false })
    const [left] = (await api.GET('/transactions', {})).data!.data
    expect(left).toMatchObject({ id: shown!.id, status: 'COMPLETED' })
    expect(left).not.toHaveProperty('description')
    await server.expectSoundLedger()
  })

  it('seals the words of a payment of an earlier release with its next step', async () => {
    const { api, customer } = await customerApi(server)
    const { id } = await customer(person)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 10_000)
    const payee = await createPayee(api, 'USD', '9171931726', { customerId: id })
    const quote = await createQuote(api, { ...quoteBody(account, payee, 10_000), description: 'Canary rent' })
    await execute(api, quote.id)
    const where = 'where id = $1 returning details, words_for as owner'
    const as = (set: string) =>
      server.rows<{ details: object; owner: string | null }>(`update transactions set ${set} ${where}`, [
        quote.transactionId,
      ])
    const former = `details = details || '{"description":"Canary rent"}', words = null, words_for = null`
    expect(await as(former)).toMatchObject([{ details: { description: 'Canary rent' }, owner: null }])
    await server.pass(24 * 60 * 60_000)
    const [now] = await as('rail = rail')
    expect(now!.owner).toBe(id)
    expect(now!.details).not.toHaveProperty('description')
    const { data } = await api.GET('/transactions/{transactionId}', {
      params: { path: { transactionId: quote.transactionId } },
    })
    expect(data).toMatchObject({ status: 'COMPLETED', description: 'Canary rent' })
  })

  it('works for businesses as well', async () => {
    const { create, remove, get } = await customerApi(server)
    const { data } = await create(business)
    await remove(data!.id)
    expect((await erase(data!.id)).status).toBe(204)
    expect((await get(data!.id)).data).toMatchObject({
      customerType: 'BUSINESS',
      businessInfo: { legalName: 'ERASED' },
      isDeleted: true,
    })
  })

  it('empties the events about it and sends none of them any more', async () => {
    const { platform, customer, remove, configure, events } = await customerApi(server, { isRegulated: true })
    await configure({ webhookEndpoint: 'https://unreachable.test/webhooks' })
    const { id } = await customer(person)
    await remove(id)
    await erase(id)
    const about = (await events()).filter(({ type }) => type === 'CUSTOMER.KYC_APPROVED')
    expect(about).toEqual([expect.objectContaining({ data: {} })])
    const rows = await server.engine.database.read(
      platform,
      {
        name: 'test.eventStatus',
        text: 'select status, due_at as "dueAt" from events where platform_id = $1 and resource_id = $2',
      },
      [platform.platformId, id],
    )
    expect(rows).toEqual([{ status: 'FAILED', dueAt: null }])
  })

  it('takes along nothing of what happens to its money afterwards', async () => {
    const { api, customer, remove, configure, events } = await customerApi(server)
    await configure({ webhookEndpoint: 'https://unreachable.test/webhooks' })
    const { id } = await customer(person)
    const { id: accountId } = await internalAccountOf(api, id, 'USD')
    await fund(api, accountId, 1_000)
    await remove(id)
    await erase(id)
    expect((await operate(`/internal-accounts/${accountId}/freeze`, 'POST')).status).toBe(200)
    const told = (await events()).filter(({ type }) => type === 'INTERNAL_ACCOUNT.STATUS_UPDATED')
    expect(told).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ id: accountId, status: 'FROZEN' }) }),
    ])
  })

  it('takes along what its wallet was asked to sign', async () => {
    const { platform, api, customer, remove } = await customerApi(server)
    const { id } = await customer(person)
    const wallet = await internalAccountOf(api, id, 'USDB')
    const ask = (headers = {}) =>
      api.PATCH('/internal-accounts/{id}', {
        params: { path: { id: wallet.id } },
        body: { privateEnabled: true },
        headers,
      })
    const challenge = (await ask()).data as unknown as { requestId: string; payloadToSign: string }
    const text = 'select content from signed_requests where platform_id = $1 and owner_id = $2'
    const contents = async () => {
      const parameters = [platform.platformId, id]
      const { database } = server.engine
      const rows = await database.read<{ content: string }>(
        platform,
        { name: 'test.challenges', text },
        parameters,
      )
      return rows.map(({ content }) => content)
    }
    const [sealed] = await contents()
    const sealedKey = await loadSealedKey(server.engine.database, platform, id)
    const key = server.engine.keys.dataKey(platform, id, sealedKey!)
    expect(JSON.parse(key.open(sealedChallenges, challenge.requestId, sealed!))).toEqual({
      body: { privateEnabled: true },
      payloadToSign: challenge.payloadToSign,
      details: {},
    })
    await remove(id)
    await erase(id)
    expect(await contents()).toEqual([])
    expect((await ask()).error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    const headers = {
      'Request-Id': challenge.requestId,
      'Service-Wallet-Signature': 'sandbox-valid-signature',
    }
    expect((await ask(headers)).error).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  })

  it('takes along who paid, wherever the money is by then', async () => {
    const { platform, api, customer, remove } = await customerApi(server)
    const paid = async () => {
      const { id } = await customer(person)
      const account = await internalAccountOf(api, id, 'USD')
      const { reference } = account.fundingPaymentInstructions[0]!.accountOrWalletInfo as {
        reference: string
      }
      const arrive = (railReference: string) =>
        api.POST('/sandbox/inbound-payments', {
          body: {
            currency: 'USD',
            amount: 700,
            railReference: `${id} ${railReference}`,
            reference,
            accountHolderName: 'Rosa Canary',
          },
        })
      return { id, account, arrive }
    }
    const [mine, other] = [await paid(), await paid()]
    for (const { arrive, account } of [mine, other]) {
      await arrive('credited')
      await operate(`/internal-accounts/${encodeURIComponent(account.id)}/freeze`, 'POST')
      await arrive('waits')
    }
    const rows = async () => {
      const found: Record<string, number> = {}
      for (const [name, text] of [
        ['credited', 'select count(*) from transactions where platform_id = $1 and words_for = owner_id'],
        [
          'inPlain',
          'select count(*) from transactions t where platform_id = $1 and to_jsonb(t)::text like $2',
        ],
        ['waits', 'select count(*) from suspense_items where platform_id = $1 and deposit::text like $2'],
      ] as const) {
        const statement = { name: `test.payers ${name}`, text }
        const parameters = [platform.platformId, ...(text.includes('$2') ? ['%Canary%'] : [])]
        const [row] = await server.engine.database.read<{ count: bigint }>(platform, statement, parameters)
        found[name] = Number(row!.count)
      }
      return found
    }
    expect(await rows()).toEqual({ credited: 2, inPlain: 0, waits: 2 })
    await remove(mine.id)
    expect((await erase(mine.id)).status).toBe(204)
    expect(await rows()).toEqual({ credited: 1, inPlain: 0, waits: 1 })
    const { data } = await api.GET('/transactions', { params: { query: { customerId: mine.id as never } } })
    expect(data!.data).toMatchObject([
      { status: 'COMPLETED', source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' } },
    ])
    expect(JSON.stringify(data)).not.toContain('Canary')
    await server.expectSoundLedger()
  })

  it('takes along all of its strong authentication, and nothing of another customer', async () => {
    const mine = await scaApi(server)
    const { calls, platform, api, customer, payee } = mine
    const other = await createCustomer(api, { ...german, fullName: 'Max Vogt' } as never)
    for (const { id } of [customer, other]) {
      await calls.recordEvent(id, 'FAILED_LOGIN_ATTEMPT')
      await calls.startLogin(id)
      await calls.enrol(id, { type: 'TOTP' })
      await calls.startReset(id, 'SMS_OTP')
    }
    await calls.trust(payee.id)
    const waiting = await mine.held(1_000)
    const left = async (id: string) => {
      const counts: Record<string, number> = {}
      for (const [table, column] of [
        ['sca_customers', 'id'],
        ['sca_challenges', 'customer_id'],
        ['sca_resets', 'customer_id'],
      ] as const) {
        const [row] = await server.engine.database.read<{ count: bigint }>(
          platform,
          {
            name: `test.left ${table}`,
            text: `select count(*) as count from ${table} where platform_id = $1 and ${column} = $2`,
          },
          [platform.platformId, id],
        )
        counts[table] = Number(row!.count)
      }
      return counts
    }
    const remove = (id: string) =>
      api.DELETE('/customers/{customerId}', { params: { path: { customerId: id as never } } })
    await remove(customer.id)
    expect((await erase(customer.id)).body).toMatchObject({ details: { reason: 'PAYMENTS_UNDER_WAY' } })
    expect(await left(customer.id)).toEqual({ sca_customers: 1, sca_challenges: 3, sca_resets: 1 })
    await server.pass(5 * 60_000)
    expect(await calls.quote(waiting.id)).toMatchObject({ status: 'FAILED' })
    expect((await erase(customer.id)).status).toBe(204)
    expect(await left(customer.id)).toEqual({ sca_customers: 0, sca_challenges: 0, sca_resets: 0 })
    expect(await left(other.id)).toEqual({ sca_customers: 1, sca_challenges: 1, sca_resets: 1 })
    expect((await calls.factors(customer.id)).status).toBe(404)
    await server.expectSoundLedger()
  })

  it('waits for the platform to delete the customer, and for its payments to end', async () => {
    const { api, customer, remove } = await customerApi(server)
    const { id } = await customer(person)
    expect((await erase(id)).body).toMatchObject({ code: 'CONFLICT', details: { reason: 'CUSTOMER_ACTIVE' } })
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 10_000)
    // A quote to an account with this ending completes after six minutes.
    const payee = await createPayee(api, 'USD', '9171931003', { customerId: id })
    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    await execute(api, quote.id)
    await server.settle()
    await remove(id)
    const tooEarly = await erase(id)
    expect(tooEarly).toMatchObject({ status: 409, body: { details: { reason: 'PAYMENTS_UNDER_WAY' } } })
    await server.pass(7 * 60_000)
    expect((await erase(id)).status).toBe(204)
    const { data } = await api.GET('/transactions', { params: { query: { customerId: id as never } } })
    expect(data!.data.map(({ status }) => status)).toContain('COMPLETED')
    await server.expectSoundLedger()
  })

  it('concerns no unknown customer, and asks for the operator’s key', async () => {
    const unknown = await erase('Customer:0199dccc-4a80-7000-8000-000000000000')
    expect(unknown).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
    const { platform, customer, remove } = await customerApi(server)
    const { id } = await customer(person)
    await remove(id)
    const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')
    const response = await server.fetch(`http://corridor.test/operator/customers/${id}/erase`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
    })
    expect(refusal(await response.json())).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  })
})

describe('the messages that the operator sees', () => {
  it('have texts in the sandbox and none where they really left', async () => {
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const { platform, api, customer } = await customerApi(server, { environment, isRegulated: true })
      const { id } = await customer({ ...person, region: 'DE', phoneNumber: '+4915112345678' })
      const path = { params: { path: { customerId: id } } }
      await api.POST('/customers/{customerId}/verify-email', path)
      const read = () =>
        operate(`/messages?platformId=${platform.platformId}&environment=${environment}&customerId=${id}`)
      const queued = await read()
      expect(queued.body.data).toMatchObject([{ channel: 'EMAIL', status: 'QUEUED', customerId: id }])
      await server.settle()
      const [message] = (await read()).body.data
      expect(message.status).toBe('SENT')
      if (environment === 'SANDBOX')
        expect(message).toMatchObject({ to: person.email, text: expect.stringContaining('123456') })
      for (const hidden of [message, queued.body.data[0]]) {
        if (environment === 'PRODUCTION') expect(Object.keys(hidden)).not.toContain('text')
      }
    }
  })

  it('are those of a platform that exists', async () => {
    const path = '/messages?platformId=0199dccc-4a80-7000-8000-000000000000&environment=SANDBOX'
    expect((await operate(path)).status).toBe(404)
  })
})
