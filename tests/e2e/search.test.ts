import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  operatorKey,
  quoteBody,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { cardApiOf } from './card-api.ts'
import { basic, type Credentials, json } from './raw-calls.ts'

const server = await openTestServer()
type Platform = Awaited<ReturnType<TestServer['platform']>>

interface Match {
  readonly resourceType: string
  readonly resourceId: string
  readonly title: string
  readonly detail: string
  readonly matched: string
  readonly status?: string
}

async function ask(as: Credentials, query: string) {
  const headers = { authorization: basic(as) }
  const answer = await server.fetch(`${server.baseUrl}/search${query}`, { headers })
  return { status: answer.status, body: await answer.json() }
}

async function search(as: Credentials, text: string): Promise<Match[]> {
  const { status, body } = await ask(as, `?q=${encodeURIComponent(text)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

/** What is found, in short. */
const found = async (as: Credentials, text: string) =>
  (await search(as, text)).map(({ resourceType, resourceId, matched }) => [resourceType, resourceId, matched])

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

let platform: Platform
const ids = { customer: '', account: '', payee: '', quote: '', transaction: '', card: '', webhook: '' }
const ana = {
  platformCustomerId: 'acme-0042',
  fullName: 'Zoë  Marín',
  email: 'Ana.Lopez@Example.com',
  phoneNumber: '+14155550142',
}
let umaAddress = ''
let reference = ''

beforeAll(async () => {
  platform = await server.platform({ isRegulated: true })
  const api = server.client(platform)
  const customer = await createCustomer(api, { ...ana, currencies: ['USD', 'EUR'] })
  ids.customer = customer.id
  umaAddress = customer.umaAddress
  const account = await internalAccountOf(api, customer.id, 'USD')
  ids.account = account.id
  await fund(api, account.id, 500_000)
  const payee = await createPayee(api, 'MXN', '032180000118359719', { customerId: customer.id })
  ids.payee = payee.id
  const quote = await createQuote(api, quoteBody(account, payee, 123_456))
  ids.quote = quote.id
  ids.transaction = quote.transactionId
  await execute(api, quote.id)
  await server.settle()
  const transaction = await must(
    api.GET('/transactions/{transactionId}', { params: { path: { transactionId: ids.transaction } } }),
  )
  if (!('reconciliationInstructions' in transaction)) throw new Error('a payment has a reference')
  reference = transaction.reconciliationInstructions!.reference!
  const cards = await cardApiOf(server, platform)
  ids.card = (await cards.activeCard({ platformCardId: 'card-of-ana' })).id
})

describe('what is found', () => {
  it('is anything by its id, whole, without its prefix, or by that of another kind', async () => {
    expect(await found(platform, ids.customer)).toEqual([['Customer', ids.customer, 'ID']])
    expect(await found(platform, uuidOf(ids.customer))).toEqual([['Customer', ids.customer, 'ID']])
    expect(await found(platform, ` ${uuidOf(ids.account).toUpperCase()} `)).toEqual([
      ['InternalAccount', ids.account, 'ID'],
    ])
    expect(await found(platform, `Payment:${uuidOf(ids.payee)}`)).toEqual([
      ['ExternalAccount', ids.payee, 'ID'],
    ])
    // A quote and its payment share a uuid: the one that was named comes first.
    const quote = ['Quote', ids.quote, 'ID']
    const transaction = ['Transaction', ids.transaction, 'ID']
    expect(await found(platform, ids.quote)).toEqual([quote, transaction])
    expect(await found(platform, ids.transaction)).toEqual([transaction, quote])
    // Both with the status that they have on their own.
    const statuses = (await search(platform, ids.quote)).map(({ status }) => status)
    expect(statuses).toEqual(['COMPLETED', 'COMPLETED'])
    expect(await found(platform, ids.card)).toEqual([['Card', ids.card, 'ID']])
    expect(await found(platform, '0199dd6c-0000-7000-8000-000000000000')).toEqual([])
  })

  it('is an event, a request and a token by their ids', async () => {
    const event = (
      (await (
        await server.fetch(`${server.baseUrl}/webhook-events?limit=1`, {
          headers: { authorization: basic(platform) },
        })
      ).json()) as { data: { id: string }[] }
    ).data[0]!
    expect(await found(platform, event.id)).toEqual([['Webhook', event.id, 'ID']])
    const asked = await server.fetch(`${server.baseUrl}/config`, {
      headers: { authorization: basic(platform) },
    })
    const requestId = asked.headers.get('x-request-id')!
    expect(await search(platform, requestId)).toMatchObject([
      { resourceType: 'Request', resourceId: requestId, matched: 'ID', title: 'GET /config', status: '200' },
    ])
    expect(await found(platform, platform.clientId)).toEqual([
      ['Token', expect.stringMatching(/^Token:/), 'CLIENT_ID'],
    ])
  })

  it('is a customer by the name the platform gives it, or how that begins, and by its UMA address', async () => {
    expect(await found(platform, 'acme-0042')).toEqual([['Customer', ids.customer, 'PLATFORM_CUSTOMER_ID']])
    expect(await found(platform, 'acme-')).toEqual([['Customer', ids.customer, 'PLATFORM_CUSTOMER_ID']])
    expect(await found(platform, 'ac')).toEqual([])
    expect(await found(platform, 'cme-')).toEqual([])
    expect((await found(platform, umaAddress.toUpperCase()))[0]).toEqual([
      'Customer',
      ids.customer,
      'UMA_ADDRESS',
    ])
    expect(await search(platform, 'acme-0042')).toMatchObject([
      { title: 'Zoë Marín', detail: `acme-0042 · ${umaAddress}`, status: 'APPROVED' },
    ])
  })

  it('is a customer by e-mail, phone number and full name, however they are spelled', async () => {
    const by = (matched: string) => [['Customer', ids.customer, matched]]
    for (const text of ['ana.lopez@example.com', 'ANA.LOPEZ@EXAMPLE.COM']) {
      expect(await found(platform, text), text).toEqual(by('EMAIL'))
    }
    for (const text of ['+14155550142', '14155550142', '+1 (415) 555-0142']) {
      expect(await found(platform, text), text).toEqual(by('PHONE_NUMBER'))
    }
    for (const text of ['Zoë Marín', 'zoe  marin', 'ZOE\u0308 MARIN']) {
      expect(await found(platform, text), text).toEqual(by('FULL_NAME'))
    }
    for (const text of ['Zoe', 'ana.lopez', '4155550142', 'Zoe Mar']) {
      expect(await found(platform, text), text).toEqual([])
    }
  })

  it('is a customer by what is known of it now, and nobody once it is erased', async () => {
    const api = server.client(platform)
    const { id } = await createCustomer(api, { fullName: 'Rosa Diaz', email: 'rosa@diaz.example' })
    const path = { params: { path: { customerId: id } } }
    const body = { customerType: 'INDIVIDUAL', fullName: 'Rosa Martin' } as const
    await must(api.PATCH('/customers/{customerId}', { ...path, body: body as never }))
    expect(await found(platform, 'Rosa Diaz')).toEqual([])
    expect(await found(platform, 'rosa martin')).toEqual([['Customer', id, 'FULL_NAME']])
    const payee = await createPayee(api, 'MXN', '002010077777777771', { customerId: id })
    expect(await found(platform, '0020 1007 7777 7777 71')).toEqual([
      ['ExternalAccount', payee.id, 'ACCOUNT_NUMBER'],
    ])
    await must(api.DELETE('/customers/{customerId}', path))
    expect(await found(platform, 'rosa@diaz.example')).toEqual([['Customer', id, 'EMAIL']])
    const erased = await server.fetch(`http://corridor.test/operator/customers/${id}/erase`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    expect(erased.status).toBeLessThan(300)
    for (const text of ['rosa@diaz.example', 'Rosa Martin', '002010077777777771', '7771']) {
      expect(await search(platform, text), text).toEqual([])
    }
    expect(await search(platform, id)).toMatchObject([{ title: 'Individual', matched: 'ID' }])
  })

  it('is a payment by its reference, and by what was sent or received', async () => {
    const transaction = ['Transaction', ids.transaction, 'REFERENCE']
    expect(await found(platform, reference)).toContainEqual(transaction)
    expect(await found(platform, reference.toLowerCase())).toContainEqual(transaction)
    for (const text of ['1,234.56 USD', '1234.56usd', 'USD 1234.56', '1 234.56 USD']) {
      expect(await found(platform, text), text).toEqual([['Transaction', ids.transaction, 'AMOUNT']])
    }
    for (const text of ['1234.56', '1234.56 EUR', '1234.560 USD', '1,23.4,56 USD', '12,34.56 USD']) {
      expect(await found(platform, text), text).toEqual([])
    }
    const [{ title, detail }] = (await search(platform, '1,234.56 USD')) as [Match]
    expect(title).toMatch(/^1234\.56 USD → \d+\.\d\d MXN$/)
    expect(detail).toBe(`outgoing · acme-0042 · ${reference}`)
  })

  it('is an external account by its number, whole or its last four characters', async () => {
    const account = (matched: string) => ['ExternalAccount', ids.payee, matched]
    for (const text of ['032180000118359719', '032-180-00011835971-9', '032 180 0001 1835 9719']) {
      expect(await found(platform, text), text).toEqual([account('ACCOUNT_NUMBER')])
    }
    expect(await found(platform, '9719')).toEqual([account('LAST_DIGITS')])
    expect(await found(platform, '59719')).toEqual([])
  })

  it('is an external account by the name the platform gives it', async () => {
    const api = server.client(platform)
    const named = await createPayee(api, 'MXN', '032180000118359719', { platformAccountId: 'rent-0007' })
    expect(await found(platform, 'rent-0007')).toEqual([['ExternalAccount', named.id, 'PLATFORM_ACCOUNT_ID']])
    expect(await search(platform, 'rent-')).toMatchObject([
      { resourceId: named.id, title: 'MXN •••• 9719', detail: 'rent-0007' },
    ])
  })

  it('is a card by its name and by its last four digits', async () => {
    const [{ title }] = (await search(platform, 'card-of-ana')) as [Match]
    const [digits] = /\d{4}$/.exec(title)!
    expect(await found(platform, digits)).toContainEqual(['Card', ids.card, 'LAST_DIGITS'])
  })

  it('is told the best first, those of a kind together, twenty at most', async () => {
    const other = await server.platform()
    const api = server.client(other)
    const made: string[] = []
    for (let number = 10; number < 33; number++) {
      made.push((await createCustomer(api, { platformCustomerId: `many-${number}` })).id)
    }
    const exact = await createCustomer(api, { platformCustomerId: 'many-' })
    const { body } = await ask(other, '?q=many-')
    expect(body.data).toHaveLength(20)
    expect(body.isCut).toBe(true)
    expect(body.data[0].resourceId).toBe(exact.id)
    const few = await ask(other, '?q=many-1')
    expect(few.body.isCut).toBe(false)
    expect(few.body.data.map(({ resourceId }: Match) => resourceId)).toEqual(made.slice(0, 10).reverse())
  })
})

describe('what is asked', () => {
  it('is a text of 1 to 200 characters that is not blank', async () => {
    for (const query of ['', '?q=', '?q=%20%09', `?q=${'a'.repeat(201)}`, '?q=a&q=b']) {
      const { status, body } = await ask(platform, query)
      expect([status, body.details?.errors?.[0]?.field], query).toEqual([400, 'q'])
    }
    expect((await ask(platform, `?q=${'a'.repeat(200)}`)).body).toEqual({ data: [], isCut: false })
  })

  it('may be anything, and means itself', async () => {
    const texts = ['%', '_____', "' or ''='", '\\', '\u{10ffff}\u{10ffff}\u{10ffff}', '::::', '{}', '%00']
    for (const text of texts) expect(await search(platform, text), text).toEqual([])
  })

  it('is in no log', async () => {
    const secret = 'somebody.nobody.may.find'
    await search(platform, secret)
    const headers = { authorization: basic(platform) }
    const log = await (
      await server.fetch(`${server.baseUrl}/request-log?operation=search`, { headers })
    ).text()
    expect(JSON.parse(log).data[0]).toMatchObject({ path: '/search', resources: {} })
    expect(log).not.toContain(secret)
  })
})

describe('who asks', () => {
  it('finds nothing of another platform or environment', async () => {
    const other = await server.platform()
    const production = await server.platform({ environment: 'PRODUCTION' })
    const texts = [
      ...Object.values(ids).filter(Boolean),
      ...Object.values(ana),
      umaAddress,
      reference,
      '9719',
    ]
    for (const text of [...texts, 'acme-', '1,234.56 USD', 'card-of-ana', platform.clientId]) {
      expect(await search(other, text), text).toEqual([])
      expect(await search(production, text), text).toEqual([])
    }
  })

  it('finds what it may list, where it is held to areas', async () => {
    const tokenFor = async (areas: string[]) => {
      const answer = await server.fetch(`${server.baseUrl}/tokens`, {
        method: 'POST',
        headers: { authorization: basic(platform), ...json },
        body: JSON.stringify({ name: areas.join(), permissions: ['VIEW'], areas }),
      })
      return (await answer.json()) as Credentials
    }
    const [cards, payments, accounts] = [
      await tokenFor(['CARDS']),
      await tokenFor(['PAYMENTS']),
      await tokenFor(['ACCOUNTS']),
    ]
    expect(await search(cards, 'acme-0042')).toEqual([])
    expect(await search(cards, '1,234.56 USD')).toEqual([])
    expect(await found(cards, 'card-of-ana')).toEqual([['Card', ids.card, 'PLATFORM_CARD_ID']])
    expect(await found(payments, uuidOf(ids.quote))).toHaveLength(2)
    expect(await search(payments, ids.customer)).toEqual([])
    expect(await search(payments, 'card-of-ana')).toEqual([])
    expect(await found(accounts, ids.payee)).toEqual([['ExternalAccount', ids.payee, 'ID']])
    expect(await search(accounts, platform.clientId)).toEqual([])
  })

  it('takes nobody without credentials', async () => {
    expect((await server.fetch(`${server.baseUrl}/search?q=acme`)).status).toBe(401)
  })
})
