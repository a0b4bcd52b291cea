import { sandboxInstructions } from '@corridor/adapters/sandbox/instructions/sandbox-instructions.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import type { InstructionIssuer, Issued } from '@corridor/engine/ports/instructions.ts'
import { must, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'

// Accounts 3.3, 7.1: nobody is told to send money anywhere but where somebody keeps an account for it. The
// issuer here is a bank whose answers get lost, come late, and in the wrong order.

interface Asked {
  readonly id: string
  readonly reference: string
}
/** What becomes of the bank's answers; undefined: they arrive. */
let onTheWay: ((asked: Asked, answer: Issued) => Promise<Issued>) | undefined
let asked: string[] = []
let hasIssuer = true

async function answer(id: string, reference: string, issue: () => Promise<Issued>): Promise<Issued> {
  // Fails inside a transaction, as every call to a third party would.
  await server.engine.world.fetch('https://bank.example/instructions')
  asked.push(id)
  const issued = await issue()
  return onTheWay ? onTheWay({ id, reference }, issued) : issued
}

const bank: InstructionIssuer = {
  forAccount: (account) =>
    answer(account.accountId, account.reference, () => sandboxInstructions.forAccount(account)),
  forQuote: (payIn) => answer(payIn.quoteId, payIn.reference, () => sandboxInstructions.forQuote(payIn)),
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    network: (async () => new Response('ok')) as typeof fetch,
    instructions: { PRODUCTION: () => (hasIssuer ? bank : undefined) },
  })
})
afterAll(() => server.close())
beforeEach(() => {
  onTheWay = undefined
  asked = []
  hasIssuer = true
})

const activate = (id: string) => operate(server, 'POST', `/internal-accounts/${id}/activate`)

async function start() {
  const platform = await server.platform({ environment: 'PRODUCTION' })
  const api = server.client(platform)
  const { data } = await must(api.GET('/platform/internal-accounts'))
  const account = (code: string) => data.find(({ balance }) => balance.currency.code === code)!
  const read = (id: string) => must(api.GET('/internal-accounts/{id}', { params: { path: { id } } }))
  const told = async (id: string) =>
    (await server.events(platform)).filter(({ data }) => data.id === id).map(({ type }) => type)
  return { platform, api, account, read, told, usd: account('USD') }
}

/** A platform that may pay itself at once from dollars that somebody sends. */
async function startQuotes() {
  const test = await start()
  const eur = test.account('EUR')
  expect((await activate(eur.id)).status).toBe(200)
  asked = []
  const quote = () =>
    test.api.POST('/quotes', {
      body: {
        source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
        destination: { destinationType: 'ACCOUNT', accountId: eur.id as never },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 10_000,
      } as never,
    })
  const count = async () => {
    const kept = statement('test.quotes', 'select id from quotes where platform_id = $1 and environment = $2')
    const { platformId, environment } = test.platform
    return (await server.engine.database.read(test.platform, kept, [platformId, environment])).length
  }
  return { ...test, quote, count }
}

describe('without an issuer', () => {
  it('an account cannot be activated, and nothing is published', async () => {
    hasIssuer = false
    const { usd, read, told } = await start()
    const refused = await activate(usd.id)
    expect(refused).toMatchObject({ status: 501, body: { code: 'NOT_IMPLEMENTED' } })
    expect(await read(usd.id)).toMatchObject({ status: 'PENDING', fundingPaymentInstructions: [] })
    expect(await told(usd.id)).toEqual([])
    // What can be refused for a reason of the account is.
    expect((await operate(server, 'POST', `/internal-accounts/${usd.id}/fail`)).status).toBe(200)
    expect((await activate(usd.id)).status).toBe(409)
  })

  it('a realtime quote is not made', async () => {
    const { quote, count } = await startQuotes()
    hasIssuer = false
    expect((await quote()).error).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
    expect(await count()).toBe(0)
  })

  it('production has none so far, and the sandbox its own', async () => {
    const { adapters } = await startTestServer().then(async (plain) => {
      const { engine } = plain
      await plain.close()
      return engine
    })
    expect(adapters.PRODUCTION.instructions('USD')).toBeUndefined()
    const account = { accountId: 'InternalAccount:one', currency: 'USD', reference: 'ONE' }
    const issued = await adapters.SANDBOX.instructions('USD')!.forAccount(account)
    expect(issued).toEqual(await sandboxInstructions.forAccount(account))
  })
})

describe('an issuer whose answer', () => {
  it('arrives gives an account its coordinates, once', async () => {
    const { usd, read, told } = await start()
    const activated = await activate(usd.id)
    expect(activated.status).toBe(200)
    expect(await read(usd.id)).toEqual(activated.body)
    expect(activated.body.fundingPaymentInstructions[0].isPlatformAccount).toBe(true)
    expect([asked, (await told(usd.id)).length]).toEqual([[usd.id], 2])
    expect((await activate(usd.id)).status).toBe(409)
    expect(asked).toEqual([usd.id])
  })

  it('is lost leaves the account pending; asked again it names what it named', async () => {
    const { usd, read } = await start()
    let lost: Issued | undefined
    onTheWay = async (_asked, issued) => {
      lost = issued
      throw new Error('connection reset')
    }
    expect(await activate(usd.id)).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    expect(await read(usd.id)).toMatchObject({ status: 'PENDING', fundingPaymentInstructions: [] })
    onTheWay = async () => ({ status: 'PENDING' })
    expect((await activate(usd.id)).status).toBe(503)
    onTheWay = undefined
    const { body } = await activate(usd.id)
    const entries = lost!.status === 'ISSUED' ? lost!.entries : []
    expect(body.fundingPaymentInstructions).toMatchObject(entries)
    expect(asked).toEqual([usd.id, usd.id, usd.id])
  })

  it('comes late meets what the account has become', async () => {
    const { usd, read, told } = await start()
    onTheWay = async (_asked, issued) => {
      await operate(server, 'POST', `/internal-accounts/${usd.id}/fail`)
      return issued
    }
    expect(await activate(usd.id)).toMatchObject({ status: 409, body: { details: { status: 'FAILED' } } })
    expect(await read(usd.id)).toMatchObject({ status: 'FAILED', fundingPaymentInstructions: [] })
    expect(await told(usd.id)).toEqual(['INTERNAL_ACCOUNT.STATUS_UPDATED'])
  })

  it('comes late and second activates once', async () => {
    const { usd, read } = await start()
    let first: Awaited<ReturnType<typeof activate>> | undefined
    onTheWay = async (_asked, issued) => {
      onTheWay = undefined
      first = await activate(usd.id)
      return issued
    }
    expect((await activate(usd.id)).status).toBe(409)
    expect(first).toMatchObject({ status: 200 })
    expect(await read(usd.id)).toEqual(first!.body)
  })

  it('comes in the wrong order still belongs to its question', async () => {
    const { usd, account, read } = await start()
    const eur = account('EUR')
    let release: (() => void) | undefined
    const second = new Promise<void>((resolve) => {
      release = resolve
    })
    onTheWay = async ({ id }, issued) => {
      if (id === usd.id) await second
      return issued
    }
    const [late] = await Promise.all([
      activate(usd.id),
      activate(eur.id).then((answered) => {
        release!()
        return answered
      }),
    ])
    expect(late.status).toBe(200)
    const typeOf = async (id: string) =>
      (await read(id)).fundingPaymentInstructions[0]!.accountOrWalletInfo.accountType
    expect([await typeOf(usd.id), await typeOf(eur.id)]).toEqual(['US_ACCOUNT', 'EUR_ACCOUNT'])
  })

  it('is to another question is never published', async () => {
    const { usd, read } = await start()
    onTheWay = () =>
      sandboxInstructions.forAccount({
        accountId: 'InternalAccount:x',
        currency: 'USD',
        reference: 'SOMEBODY23',
      })
    expect((await activate(usd.id)).status).toBe(503)
    expect((await read(usd.id)).status).toBe('PENDING')
  })
})

describe('an issuer of instructions for a quote', () => {
  it('names them under the id and the reference of the quote', async () => {
    const { quote } = await startQuotes()
    const { data } = await quote()
    expect(asked).toEqual([data!.id])
    expect(data!.paymentInstructions!.length).toBeGreaterThan(0)
  })

  it('whose answer is lost, or comes when the price is over, leaves no quote behind', async () => {
    const { quote, count } = await startQuotes()
    const refusal = { status: 400, code: 'QUOTE_REQUEST_FAILED', details: { reason: 'INSTRUCTIONS' } }
    onTheWay = async () => {
      throw new Error('connection reset')
    }
    expect((await quote()).error).toMatchObject(refusal)
    onTheWay = async (_asked, issued) => {
      server.world.passMs(5 * 60_000)
      return issued
    }
    expect((await quote()).error).toMatchObject(refusal)
    expect(await count()).toBe(0)
    onTheWay = undefined
    expect((await quote()).response.status).toBe(201)
    // Each was another quote: an answer that comes after all is nobody's.
    expect(new Set(asked).size).toBe(3)
  })
})
