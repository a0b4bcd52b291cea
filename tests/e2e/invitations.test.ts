import {
  createCustomer,
  must,
  openTestServer,
  operatorKey,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()

type Options = Parameters<TestServer['platform']>[0]

async function inviter(options: Options = {}) {
  const platform = await server.platform(options)
  const api = server.client(platform)
  const customer = await createCustomer(api, { currencies: ['USD', 'EUR'] })
  return { platform, api, customer, ...callsOf(api) }

  function callsOf(client: typeof api) {
    const path = (invitationCode: string) => ({ params: { path: { invitationCode } } })
    return {
      invite: (more: object = {}) =>
        client.POST('/invitations', { body: { inviterUma: customer.umaAddress, ...more } }),
      read: (code: string) => client.GET('/invitations/{invitationCode}', path(code)),
      claim: (code: string, inviteeUma = customer.umaAddress) =>
        client.POST('/invitations/{invitationCode}/claim', { ...path(code), body: { inviteeUma } }),
      cancel: (code: string) => client.POST('/invitations/{invitationCode}/cancel', path(code)),
    }
  }
}

const told = async (platform: Parameters<TestServer['events']>[0]) =>
  (await server.events(platform)).filter(({ type }) => type === 'INVITATION.CLAIMED')

describe('an invitation', () => {
  it('is claimed once, by another platform, and tells the inviter alone (W11)', async () => {
    const from = await inviter()
    const to = await inviter()
    const created = await from.invite({ amountToSend: 5_000, firstName: 'Alice' })
    expect(created.response.status).toBe(201)
    expect(created.data).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{8}$/),
      createdAt: expect.any(String),
      url: `http://corridor.test/i/${created.data!.code}`,
      inviterUma: from.customer.umaAddress,
      status: 'PENDING',
      firstName: 'Alice',
      amountToSend: { amount: 5_000, currency: expect.objectContaining({ code: 'USD' }) },
    })
    const { code } = created.data!
    expect((await to.read(code.toUpperCase())).data).toEqual(created.data)

    const claimed = await to.claim(code)
    expect(claimed.data).toEqual({
      ...created.data,
      status: 'CLAIMED',
      claimedAt: expect.any(String),
      inviteeUma: to.customer.umaAddress,
    })
    expect((await told(from.platform)).map(({ data }) => data)).toEqual([claimed.data])
    expect(await told(to.platform)).toEqual([])

    const gone = {
      status: 400,
      code: 'INVITATION_ALREADY_CLAIMED',
      details: { status: 'CLAIMED', inviteeUma: to.customer.umaAddress },
    }
    expect((await to.claim(code)).error).toMatchObject(gone)
    expect((await from.cancel(code)).error).toMatchObject(gone)
    expect(await told(from.platform)).toHaveLength(1)
  })

  it('runs out by the clock of its own platform, and stays run out', async () => {
    const from = await inviter()
    const to = await inviter()
    const now = await server.now(from.platform)
    const expiresAt = new Date(now + 60_000).toISOString()
    const { code } = await must(from.invite({ expiresAt }))
    await must(from.api.POST('/sandbox/clock/advance', { body: { seconds: 59 } }))
    expect((await to.read(code)).data).toMatchObject({ status: 'PENDING', expiresAt })
    await must(from.api.POST('/sandbox/clock/advance', { body: { seconds: 1 } }))
    const expired = { status: 400, code: 'INVALID_INPUT', details: { reason: 'INVITATION_EXPIRED' } }
    expect((await to.read(code)).data).toMatchObject({ status: 'EXPIRED' })
    expect((await to.claim(code)).error).toMatchObject(expired)
    expect((await from.cancel(code)).error).toMatchObject(expired)
    expect(await told(from.platform)).toEqual([])
  })

  it('is cancelled by the platform that created it alone', async () => {
    const from = await inviter()
    const to = await inviter()
    const { code } = await must(from.invite())
    expect((await to.cancel(code)).error).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect((await from.cancel(code)).data).toMatchObject({ code, status: 'CANCELLED' })
    const cancelled = { status: 400, code: 'INVITATION_CANCELLED', details: { status: 'CANCELLED' } }
    expect((await from.cancel(code)).error).toMatchObject(cancelled)
    expect((await to.claim(code)).error).toMatchObject(cancelled)
    expect((await to.read(code)).data).toMatchObject({ status: 'CANCELLED' })
  })

  it('has one winner when two claim it at once', async () => {
    const from = await inviter()
    const others = await Promise.all([inviter(), inviter(), inviter()])
    const { code } = await must(from.invite())
    const claims = await Promise.all(others.map(({ claim }) => claim(code)))
    expect(claims.filter(({ data }) => data)).toHaveLength(1)
    for (const { error } of claims.filter((claim) => claim.error)) {
      expect(error).toMatchObject({ code: 'INVITATION_ALREADY_CLAIMED' })
    }
    expect(await told(from.platform)).toHaveLength(1)
  })

  it('answers a claim that is repeated under its key as the first time', async () => {
    const from = await inviter()
    const to = await inviter()
    const { code } = await must(from.invite())
    const claim = () =>
      to.api.POST('/invitations/{invitationCode}/claim', {
        params: { path: { invitationCode: code } },
        body: { inviteeUma: to.customer.umaAddress },
        headers: { 'Idempotency-Key': 'claim-1' },
      })
    const first = await claim()
    const again = await claim()
    expect(again.data).toEqual(first.data)
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect(await told(from.platform)).toHaveLength(1)
  })

  it.each([
    ['no address', { inviterUma: 'alice' }, 'INVALID_UMA_ADDRESS'],
    ["somebody else's address", { inviterUma: '$nobody@uma.corridor.example' }, 'INVALID_INPUT'],
    ['no amount', { amountToSend: 0 }, 'INVALID_AMOUNT'],
    ['half an amount', { amountToSend: 1.5 }, 'INVALID_AMOUNT'],
    ['more than the currency allows', { amountToSend: 100_000_001 }, 'AMOUNT_OUT_OF_RANGE'],
    ['a time that has passed', { expiresAt: '2020-01-01T00:00:00Z' }, 'INVALID_INPUT'],
    ['a time without its offset', { expiresAt: '2099-01-01T00:00:00' }, 'INVALID_INPUT'],
    ['no inviter', { inviterUma: undefined }, 'INVALID_INPUT'],
  ])('is refused with %s', async (_what, body, code) => {
    const { invite } = await inviter()
    expect((await invite(body)).error).toMatchObject({ status: 400, code })
  })

  it('is claimed for a customer of the claimer, other than the inviter', async () => {
    const from = await inviter()
    const to = await inviter()
    const { code } = await must(from.invite())
    for (const address of ['bob', '$nobody@uma.corridor.example', from.customer.umaAddress]) {
      expect((await to.claim(code, address)).error).toMatchObject({ code: 'INVALID_UMA_ADDRESS' })
    }
    expect((await from.claim(code)).error).toMatchObject({ status: 400, code: 'SELF_PAYMENT' })
    for (const unknown of ['00000000', 'nonsense', `${code}0`]) {
      const notFound = { status: 404, code: 'INVITATION_NOT_FOUND' }
      expect((await to.read(unknown)).error).toMatchObject(notFound)
      expect((await to.claim(unknown)).error).toMatchObject(notFound)
      expect((await to.cancel(unknown)).error).toMatchObject(notFound)
    }
    expect((await to.claim(code)).data).toMatchObject({ status: 'CLAIMED' })
  })

  it('needs in production what it shows, and reaches nobody in the sandbox', async () => {
    const live = await inviter({ environment: 'PRODUCTION' })
    expect((await live.invite()).error).toMatchObject({ status: 400, code: 'INVITATIONS_NOT_CONFIGURED' })
    const configured = await inviter({
      environment: 'PRODUCTION',
      settings: {
        invitations: {
          name: 'Example Pay',
          logoUrl: 'https://pay.example.com/logo.png',
          countries: ['US'],
          onboardingUrl: 'https://pay.example.com/join',
        },
      },
    })
    const { code } = await must(configured.invite())
    const sandbox = await inviter()
    expect((await sandbox.read(code)).error).toMatchObject({ status: 404 })
  })

  it('is cancelled and forgets the name when its customer is erased', async () => {
    const from = await inviter()
    const to = await inviter()
    const open = await must(from.invite({ firstName: 'Alice' }))
    const claimed = await must(from.invite({ firstName: 'Alice' }))
    await must(to.claim(claimed.code))
    const path = { customerId: from.customer.id }
    await must(from.api.DELETE('/customers/{customerId}', { params: { path } }))
    const erased = await server.fetch(
      `http://corridor.test/operator/customers/${encodeURIComponent(from.customer.id)}/erase`,
      { method: 'POST', headers: { authorization: `Bearer ${operatorKey}` } },
    )
    expect(erased.status).toBe(204)
    const { data } = await to.read(open.code)
    expect(data).toMatchObject({ status: 'CANCELLED' })
    expect(data).not.toHaveProperty('firstName')
    expect(await must(to.read(claimed.code))).not.toHaveProperty('firstName')
    expect((await told(from.platform)).map((event) => event.data)).toEqual([{}])
  })
})

describe('the address of an invitation', () => {
  it('leads to where the platform signs people up, while the invitation is open', async () => {
    const invitations = {
      name: 'Larch Pay',
      logoUrl: 'https://larch.example/logo.png',
      countries: ['US'],
      onboardingUrl: 'https://larch.example/join?from=corridor',
    }
    const from = await inviter({ settings: { invitations } })
    const { url, code } = (await from.invite()).data!
    const visit = async (address: string) => {
      const response = await server.fetch(address, { redirect: 'manual' })
      return { status: response.status, location: response.headers.get('location') }
    }
    const onboarding = `https://larch.example/join?from=corridor&invitation=${code}`
    expect(await visit(url)).toEqual({ status: 302, location: onboarding })
    expect(await visit(url.replace(code, code.toUpperCase()))).toEqual({ status: 302, location: onboarding })
    await from.cancel(code)
    expect(await visit(url)).toEqual({ status: 410, location: null })
    expect(await visit(url.replace(code, 'nonsense'))).toEqual({ status: 404, location: null })
    expect(await visit(url.replace(code, 'ffffffff'))).toEqual({ status: 404, location: null })
  })
})
