import { identityOf, signParts } from '@corridor/engine/money/uma-peers/index.ts'
import { publicKeyOf, sign } from '@corridor/engine/money/uma-peers/wire.ts'
import { must } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { balanceOf, type Installation, quoteTo, twoInstallations } from '../e2e/uma-peers.ts'
import { askingAs, type Key, type Query } from './uma-asking.ts'

// Messages for which others vouch (webhooks-uma 6.4).

let two: Awaited<ReturnType<typeof twoInstallations>>
beforeAll(async () => {
  two = await twoInstallations()
})
afterAll(() => two.close())

const { call, lookup } = askingAs(() => two)
const address = '$beta-user@beta.internal'

/** An institution's domain and its signature under a text. */
async function backedBy({ server, platform, domain }: Installation, text: string, key: Key = 'signing') {
  const identity = await identityOf(server.engine, platform, domain)
  const privateKey = key === 'signing' ? identity.signingKey : identity.encryptionKey
  return `${domain}:${sign(text, privateKey)}`
}
const textOf = ({ nonce, timestamp }: Query) => `${address}|${nonce}|${timestamp}`

describe('a message that others vouch for', () => {
  it('is answered where all of them do', async () => {
    const backed = await lookup(async (query) => ({
      ...query,
      backingSignatures: [await backedBy(two.b, textOf(query)), await backedBy(two.a, textOf(query))].join(
        ',',
      ),
    }))
    expect(backed).toMatchObject({ status: 200 })
  })

  it.each<[string, (query: Query) => Promise<string>]>([
    ['with another key', (query) => backedBy(two.b, textOf(query), 'encryption')],
    ['for another text', (query) => backedBy(two.b, `${textOf(query)}0`)],
    ['without a signature', async () => 'beta.internal'],
    [
      'without a domain',
      async (query) => (await backedBy(two.b, textOf(query))).replace('beta.internal', ''),
    ],
    [
      'six times',
      async (query) =>
        Array.from({ length: 6 })
          .fill(await backedBy(two.b, textOf(query)))
          .join(','),
    ],
    [
      'truly and falsely',
      async (query) =>
        [await backedBy(two.b, textOf(query)), await backedBy(two.a, textOf(query), 'encryption')].join(','),
    ],
  ])('%s is refused', async (_what, backing) => {
    const refused = await lookup(async (query) => ({ ...query, backingSignatures: await backing(query) }))
    expect(refused).toMatchObject({ status: 401, answer: { code: 'INVALID_SIGNATURE' } })
  })
})

describe('an institution that is not listed', () => {
  /** Its key; it signs nothing but what the test signs. */
  const gammaKey = new Uint8Array(32).fill(9)
  const ofGamma = (parts: readonly string[]) => {
    const { world } = two.a.server
    return signParts(parts, gammaKey, { world, now: world.now() })
  }
  const fetched: string[] = []
  beforeAll(() => {
    two.interfere((url) => {
      if (!url.includes('gamma.internal')) return undefined
      fetched.push(url)
      const key = publicKeyOf(gammaKey)
      return Response.json({ signingPubKey: key, encryptionPubKey: key })
    })
  })
  afterAll(() => two.interfere(() => undefined))

  async function ask(backing: (text: string) => Promise<string>) {
    const { signature, signatureNonce: nonce, signatureTimestamp } = ofGamma([address])
    const query = { nonce, timestamp: String(signatureTimestamp) }
    const backingSignatures = await backing(textOf(query))
    return lookup((given) => ({
      ...given,
      ...query,
      signature,
      vaspDomain: 'gamma.internal',
      backingSignatures,
    }))
  }

  it('is refused, and asked for nothing, unless one that is listed has signed', async () => {
    const unknown = await ask(async (text) => `gamma.internal:${sign(text, gammaKey)}`)
    expect(unknown).toMatchObject({ status: 403, answer: { code: 'COUNTERPARTY_NOT_ALLOWED' } })
    const forged = await ask((text) => backedBy(two.a, `${text}0`))
    expect(forged).toMatchObject({ status: 401, answer: { code: 'INVALID_SIGNATURE' } })
    expect(fetched).toEqual([])
  })

  it('is answered where one has, each time, and without a credit line', async () => {
    const { status, answer } = await ask((text) => backedBy(two.a, text))
    expect({ status, options: answer.settlementOptions }).toEqual({ status: 200, options: [] })
    expect(fetched).toEqual(['http://gamma.internal/.well-known/lnurlpubkey'])
    const { pathname } = new URL(answer.callback as string)
    const payer = '$stranger@gamma.internal'
    const pay = async (isBacked: boolean) => {
      const parts = ofGamma([payer])
      const text = [payer, parts.signatureNonce, parts.signatureTimestamp].join('|')
      const [domain, signature] = (await backedBy(two.a, text)).split(':')
      const compliance = { ...parts, ...(isBacked ? { backingSignatures: [{ domain, signature }] } : {}) }
      const payerData = { identifier: payer, name: 'Gil Moss', compliance }
      return call(pathname, { body: { convert: 'USD', amount: '1000.USD', payerData } })
    }
    expect(await pay(false)).toMatchObject({ status: 403, answer: { code: 'COUNTERPARTY_NOT_ALLOWED' } })
    expect(await pay(true)).toMatchObject({
      status: 200,
      answer: { pr: expect.stringMatching(/^lnsandbox1/) },
    })
  })

  it('is not answered where it is blocked, whoever signs', async () => {
    const umaPeers = [
      { domain: two.a.domain, creditLineMsats: 1e14 },
      { domain: 'gamma.internal', isBlocked: true },
    ]
    const path = `/platforms/${two.b.platform.platformId}?environment=SANDBOX`
    await operate(two.b.server, 'PATCH', path, { settings: { umaPeers } })
    const blocked = await ask((text) => backedBy(two.a, text))
    expect(blocked).toMatchObject({ status: 403, answer: { code: 'COUNTERPARTY_NOT_ALLOWED' } })
  })
})

describe('what an installation says for a platform', () => {
  type Vouched = { readonly backingSignatures?: { domain: string; signature: string }[] }

  /** What went over the network for a quote: the signed text of each message, and who vouched for it. */
  async function exchanged() {
    const answers: { callback?: string; compliance?: Vouched; payeeData?: { compliance: Vouched } }[] = []
    two.alter((_url, answer) => {
      answers.push(answer)
      return answer
    })
    const before = two.traffic.length
    const { a, b } = two
    const quote = await must(quoteTo(a, b.customer.umaAddress, { amount: 1_000, currency: 'USD' }))
    two.alter((_url, answer) => answer)
    const sent = two.traffic.slice(before)
    const lookup = sent.find(({ url }) => url.includes('/lnurlp/'))!
    const asked = sent.find(({ url }) => url.includes('/uma/payreq/'))!
    const ofLookup = new URL(lookup.url).searchParams.get('backingSignatures')
    return {
      quote,
      vouchers: [
        ofLookup?.split(',').map((entry) => ({ domain: entry.split(':')[0] })),
        (JSON.parse(asked.body) as { payerData: { compliance: Vouched } }).payerData.compliance
          .backingSignatures,
        answers.find(({ callback }) => callback !== undefined)?.compliance?.backingSignatures,
        answers.find(({ payeeData }) => payeeData)?.payeeData?.compliance.backingSignatures,
      ].map((entries) => entries?.map(({ domain }) => domain)),
    }
  }
  const list = (...domains: object[]) =>
    operate(two.b.server, 'PATCH', `/platforms/${two.b.platform.platformId}?environment=SANDBOX`, {
      settings: { umaPeers: domains },
    })

  it('it vouches for itself, under its own domain', async () => {
    await list({ domain: two.a.domain, creditLineMsats: 1e14 })
    const [own, theirs] = [['corridor-alpha.internal'], ['corridor-beta.internal']]
    expect((await exchanged()).vouchers).toEqual([own, own, theirs, theirs])
  })

  it('opens the way to who knows the installation and not the platform, over Lightning', async () => {
    const { a, b } = two
    await list({ domain: 'gamma.internal' })
    const refused = await quoteTo(a, b.customer.umaAddress, { amount: 1_000, currency: 'USD' })
    expect(refused.error).toMatchObject({ details: { counterpartyCode: 'COUNTERPARTY_NOT_ALLOWED' } })

    await list({ domain: 'corridor-alpha.internal' })
    const before = await balanceOf(b, 'USD')
    const { quote } = await exchanged()
    await must(a.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
    await two.settle()
    expect(await balanceOf(b, 'USD')).toBe(before + quote.totalReceivingAmount)
  })

  it('it publishes keys of its own, which no platform can take with the domain', async () => {
    const { a } = two
    const keysAt = async (host: string) => {
      const response = await a.server.fetch(`http://${host}/.well-known/lnurlpubkey`, { headers: { host } })
      return { ...((await response.json()) as { signingPubKey?: string }), status: response.status }
    }
    const [own, platform] = [await keysAt('corridor-alpha.internal'), await keysAt('alpha.internal')]
    expect([own.status, platform.status]).toEqual([200, 200])
    expect(own.signingPubKey).not.toBe(platform.signingPubKey)
    expect(await keysAt('corridor-alpha.internal')).toMatchObject({ signingPubKey: own.signingPubKey })
    expect((await keysAt('elsewhere.internal')).status).toBe(404)

    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const other = await a.server.platform({ environment })
      for (const umaDomain of [
        'corridor-alpha.internal',
        'Corridor-Alpha.Internal',
        'beta.corridor-alpha.internal',
        'a.b.corridor-alpha.internal',
      ]) {
        const { error } = await a.server.client(other).PATCH('/config', { body: { umaDomain } as never })
        expect(error, umaDomain).toMatchObject({
          status: 400,
          code: 'INVALID_INPUT',
          details: { field: 'umaDomain', errors: [{ message: 'belongs to this service' }] },
        })
      }
      // As it was possible before.
      await a.server.rows(
        `insert into uma_domains (environment, domain, platform_id)
         values ($1, 'corridor-alpha.internal', $2), ($1, 'alpha.corridor-alpha.internal', $2)`,
        [environment, other.platformId],
      )
    }
    expect(await keysAt('corridor-alpha.internal')).toMatchObject({ signingPubKey: own.signingPubKey })
    expect((await keysAt('corridor-alpha.corridor-alpha.internal')).status).toBe(404)
    expect(await keysAt('alpha.corridor-alpha.internal')).toMatchObject({
      signingPubKey: platform.signingPubKey,
    })
    await list({ domain: two.a.domain, creditLineMsats: 1e14 })
    const [first] = (await exchanged()).vouchers
    expect(first).toEqual(['corridor-alpha.internal'])
  })
})
