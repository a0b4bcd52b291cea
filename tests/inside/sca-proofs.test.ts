import { loadQuote } from '@corridor/engine/money/quotes/store.ts'
import { createPayee, openTestServer, quoteBody, softwarePasskey } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { minuteMs, origin, type ScaApi, scaApi } from '../e2e/sca-api.ts'
import { operatorCall } from '../e2e/sca-operator.ts'

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

const code = { code: '123456' }
const refused = { status: 400, body: { code: 'INVALID_INPUT' } }

async function withPasskey(seed: string) {
  const known = await scaApi(server)
  const { calls, customer } = known
  const passkey = softwarePasskey({ seed })
  const { body } = await calls.enrol(customer.id, { type: 'PASSKEY' })
  await calls.confirmFactor(customer.id, {
    type: 'PASSKEY',
    origin,
    credential: passkey.register(body.options, origin),
  })
  await known.logIn()
  return {
    ...known,
    passkey,
    async waiting(amount = 1_000) {
      const { id } = await known.quoted(amount)
      const { body } = await calls.execute(id, { scaFactor: 'PASSKEY' })
      return { id, options: body.scaChallenge.passkeyAssertionOptions }
    },
    prove: (id: string, passkeyAssertion: object, from = origin) =>
      calls.authorize(id, { passkeyAssertion, origin: from }),
  }
}

describe('a proof by passkey', () => {
  it('is refused when it is forged, replayed, of another payment, page, person or copy of the key', async () => {
    const mine = await withPasskey('mine')
    const other = await withPasskey('other')
    const [first, second] = [await mine.waiting(), await mine.waiting()]
    const { passkey, prove } = mine
    const good = () => passkey.authenticate(first.options, origin)
    const forged = softwarePasskey({ seed: 'forger' }).authenticate(first.options, origin)
    const asMine = { ...forged, id: passkey.credentialId, rawId: passkey.credentialId }
    const tampered = { ...good(), response: { ...good().response, signature: forged.response.signature } }
    const wrong: readonly (readonly [string, object, string?])[] = [
      ['by another key', asMine],
      ['with another signature', tampered],
      ['for another payment', passkey.authenticate(second.options, origin)],
      ['from a page that is not allowed', good(), 'https://evil.example.com'],
      ['made on another page', passkey.authenticate(first.options, 'https://evil.example.com')],
    ]
    for (const [what, assertion, from] of wrong.slice(0, 3)) {
      expect(await prove(first.id, assertion, from), what).toMatchObject(refused)
    }
    await mine.calls.recordEvent(mine.customer.id, 'RESET_PASSWORD_COMPLETED')
    await mine.logIn()
    for (const [what, assertion, from] of wrong.slice(3)) {
      expect(await prove(first.id, assertion, from), what).toMatchObject(refused)
    }
    // Another customer's own, valid proof; and this customer's proof at the other's payment.
    const theirs = await other.waiting()
    expect(await prove(first.id, other.passkey.authenticate(theirs.options, origin))).toMatchObject(refused)
    expect(await other.prove(theirs.id, good())).toMatchObject(refused)
    await mine.calls.recordEvent(mine.customer.id, 'RESET_PASSWORD_COMPLETED')
    await mine.logIn()

    const proof = passkey.authenticate(first.options, origin)
    expect(await prove(first.id, proof)).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    expect(await prove(first.id, proof)).toMatchObject({ status: 409 })
    expect(await prove(second.id, proof)).toMatchObject(refused)
    const copied = passkey.authenticate(second.options, origin, { counter: 1 })
    expect(await prove(second.id, copied), 'a copy that has signed less often').toMatchObject(refused)
    const absent = passkey.authenticate(second.options, origin, { userPresent: false })
    expect(await prove(second.id, absent), 'without the person').toMatchObject(refused)
    await server.pass(5 * minuteMs)
  })
})

describe('a proof by code', () => {
  it('answers its own question alone: not another customer, not another platform', async () => {
    const [mine, other] = [await scaApi(server), await scaApi(server)]
    const { id } = await mine.held(1_000)
    await mine.logIn()
    expect(await other.calls.authorize(id, code)).toMatchObject({
      status: 404,
      body: { code: 'QUOTE_NOT_FOUND' },
    })
    expect(await other.calls.resend(id)).toMatchObject({ status: 404 })
    expect(await other.calls.execute(id)).toMatchObject({ status: 404 })
    const { body } = await mine.calls.startLogin(mine.customer.id)
    const login = { factor: 'SMS_OTP', challengeId: body.challengeId, ...code }
    expect(await other.calls.completeLogin(other.customer.id, login)).toMatchObject(refused)
    const second = await mine.api.POST('/customers', {
      body: { customerType: 'INDIVIDUAL', fullName: 'Max Vogt', region: 'DE', currencies: ['EUR'] },
    })
    expect(await mine.calls.completeLogin(second.data!.id, login)).toMatchObject(refused)
    // A challenge of trust does not log in, nor the other way round.
    const { body: trust } = await mine.calls.trust(mine.payee.id)
    expect(
      await mine.calls.completeLogin(mine.customer.id, { ...login, challengeId: trust.scaChallenge.id }),
    ).toMatchObject(refused)
    expect(
      await mine.calls.confirmTrust(mine.payee.id, { challengeId: body.challengeId, ...code }),
    ).toMatchObject(refused)
    await server.pass(5 * minuteMs)
  })

  it.each([
    ['nothing', {}],
    ['nulls', { code: null, passkeyAssertion: null, origin: null }],
    ['two proofs', { ...code, passkeyAssertion: { id: 'x' }, origin }],
    ['an assertion from nowhere', { passkeyAssertion: { id: 'x' } }],
    ['a bad address', { ...code, endUserIpAddress: '1.2.3' }],
    ['a number', { code: 123456 }],
    ['a text instead of an assertion', { passkeyAssertion: 'x', origin }],
    ['far too long a code', { code: '1'.repeat(5_000) }],
    ['another kind of proof', { passkeyAssertion: { id: 'x' }, origin }],
  ])('is refused and not counted when it is %s', async (_what, body) => {
    const { calls, customer, held, logIn } = await scaApi(server)
    const { id } = await held(1_000)
    await logIn()
    expect(await calls.authorize(id, body)).toMatchObject(refused)
    expect(await calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT')).toMatchObject({
      body: { failedAttempts: 1 },
    })
    expect(
      await calls.authorize(id, { ...code, passkeyAssertion: null, endUserIpAddress: null }),
    ).toMatchObject({
      status: 200,
    })
    await server.settle()
  })

  it('may be tried ten times a minute, and sent again three times', async () => {
    const { calls, customer, held, logIn } = await scaApi(server)
    const { id } = await held(1_000)
    await logIn()
    for (let tries = 0; tries < 10; tries++) {
      if (tries % 4 === 0) {
        await calls.recordEvent(customer.id, 'RESET_PASSWORD_COMPLETED')
        await logIn()
      }
      expect(await calls.authorize(id, { code: '000000' })).toMatchObject(refused)
    }
    server.world.passMs(20_000)
    const eleventh = await calls.authorize(id, code)
    expect(eleventh).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED', details: { scope: 'CHALLENGE' } },
    })
    expect(eleventh.headers.get('retry-after')).toBe('40')
    for (let sent = 0; sent < 3; sent++) expect(await calls.resend(id)).toMatchObject({ status: 204 })
    const fourth = await calls.resend(id)
    expect(fourth).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED', details: { scope: 'CHALLENGE' } },
    })
    expect(fourth.headers.get('retry-after')).toBe('60')
    server.world.passMs(minuteMs)
    expect(await calls.resend(id)).toMatchObject({ status: 204 })
    expect(await calls.authorize(id, code)).toMatchObject({ status: 200 })
    await server.settle()
  })
})

describe('a right proof that arrives twenty times at once', () => {
  const twenty = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, act))

  it('authorizes once', async () => {
    const { calls, held, logIn, balances, told } = await scaApi(server)
    const { id, transactionId } = await held()
    await logIn()
    const answers = await twenty(() => calls.authorize(id, code))
    const late = answers.filter(({ status }) => status !== 200)
    expect(late).toHaveLength(19)
    for (const { status, body } of late) {
      expect([status, body.code, body.details.status]).toEqual([409, 'CONFLICT', 'PROCESSING'])
    }
    await server.settle()
    expect(await balances()).toEqual({ available: 30_000, total: 30_000 })
    expect((await told(transactionId)).filter((type) => type.endsWith('PROCESSING'))).toHaveLength(1)
  })

  it('logs in once, trusts once, and twenty executions hold once', async () => {
    const { calls, customer, payee, quoted, balances } = await scaApi(server)
    const { body: login } = await calls.startLogin(customer.id)
    const proof = { factor: 'SMS_OTP', challengeId: login.challengeId, ...code }
    const logins = await twenty(() => calls.completeLogin(customer.id, proof))
    expect(logins.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(logins.filter(({ body }) => body.code === 'INVALID_INPUT')).toHaveLength(19)
    const { body: trust } = await calls.trust(payee.id)
    const confirm = { challengeId: trust.scaChallenge.id, ...code }
    const trusts = await twenty(() => calls.confirmTrust(payee.id, confirm))
    expect(trusts.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(trusts.filter(({ body }) => body.code === 'INVALID_INPUT')).toHaveLength(19)
    const { body: untrust } = await calls.untrust(payee.id)
    await calls.confirmUntrust(payee.id, { challengeId: untrust.scaChallenge.id, ...code })
    const { id } = await quoted()
    const executions = await twenty(() => calls.execute(id))
    expect(executions.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(executions.filter(({ body }) => body.details?.status === 'PENDING_AUTHORIZATION')).toHaveLength(19)
    expect(await balances()).toEqual({ available: 30_000, total: 50_000 })
    await server.pass(5 * minuteMs)
    expect(await balances()).toEqual({ available: 50_000, total: 50_000 })
  })

  it('counts every wrong proof that was judged', async () => {
    const { calls, customer, held, logIn } = await scaApi(server)
    const { id } = await held(1_000)
    await logIn()
    const answers = await twenty(() => calls.authorize(id, { code: '000000' }))
    expect(
      answers.filter(({ status, body }) => status === 400 && body.code === 'INVALID_INPUT'),
    ).toHaveLength(4)
    const locked = answers.filter(({ status, body }) => status === 423 && body.details.failedAttempts === 5)
    expect(locked).toHaveLength(16)
    const { status, body } = await calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT')
    expect(status).toBe(200)
    expect(body.failedAttempts).toBe(6)
    await server.pass(5 * minuteMs)
  })
})

describe('many at once about one customer', () => {
  const twenty = <T>(act: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => act(index)))

  it('authorize forty payments, each with its proof', async () => {
    const { calls, held, logIn, balances } = await scaApi(server)
    await logIn()
    const waiting = [...(await twenty(() => held(1_000))), ...(await twenty(() => held(1_000)))]
    const answers = await Promise.all(waiting.map(({ id }) => calls.authorize(id, code)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    await server.settle()
    expect(await balances()).toEqual({ available: 10_000, total: 10_000 })
  })

  it('are twenty failed logins: nine are counted, and then it is suspended', async () => {
    const { calls, customer } = await scaApi(server)
    const answers = await twenty(() => calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT'))
    const counted = answers.filter(({ status }) => status === 200).map(({ body }) => body.failedAttempts)
    expect(counted.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(answers.filter(({ status }) => status === 423)).toHaveLength(11)
  })

  it('start a login, trust and an enrolment: the last start is the one that is answered', async () => {
    const { calls, customer, payee } = await scaApi(server)
    const logins = await twenty(() => calls.startLogin(customer.id))
    const trusts = await twenty(() => calls.trust(payee.id))
    const enrolments = await twenty(() => calls.enrol(customer.id, { type: 'TOTP' }))
    for (const answers of [logins, trusts, enrolments]) {
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }
    const proofs = []
    for (const { body } of logins) {
      const proof = { factor: 'SMS_OTP', challengeId: body.challengeId, ...code }
      proofs.push((await calls.completeLogin(customer.id, proof)).status)
    }
    expect(proofs.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('the money of a payment that waits', () => {
  const operate = (id: string, on: string) =>
    operatorCall(server, 'POST', `/operator/internal-accounts/${id}/${on}`)

  it('stays held while its account is frozen, can be authorized once it is released, and else comes back', async () => {
    const { calls, eur, held, logIn, balances } = await scaApi(server)
    const [first, second] = [await held(10_000), await held(10_000)]
    await logIn()
    expect(await operate(eur.id, 'freeze')).toMatchObject({ status: 200 })
    const frozen = { status: 403, body: { code: 'USER_NOT_READY', details: { accountStatus: 'FROZEN' } } }
    expect(await calls.authorize(first.id, code)).toMatchObject(frozen)
    expect(await balances()).toEqual({ available: 30_000, total: 50_000 })
    await operate(eur.id, 'release')
    expect(await calls.authorize(first.id, code)).toMatchObject({ status: 200 })
    await operate(eur.id, 'freeze')
    await server.pass(5 * minuteMs)
    expect(await calls.quote(first.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await calls.quote(second.id)).toMatchObject({ status: 'FAILED' })
    expect(await balances()).toEqual({ available: 40_000, total: 40_000 })
  })

  it('goes one way when the answer and the end of its time meet', async () => {
    const { calls, held, logIn, balances } = await scaApi(server)
    await logIn()
    for (let round = 0; round < 5; round++) {
      const before = await balances()
      const { id } = await held(1_000)
      server.world.passMs(5 * minuteMs - 1)
      const answer = calls.authorize(id, code)
      server.world.passMs(1)
      const [{ status }] = await Promise.all([answer, server.settle(), calls.quote(id)])
      await server.settle()
      const quote = await calls.quote(id)
      expect(quote.status).toBe(status === 200 ? 'COMPLETED' : 'FAILED')
      const left = before.total - (status === 200 ? 1_000 : 0)
      expect(await balances()).toEqual({ available: left, total: left })
    }
  })

  it('finishes to a payee that was deleted meanwhile, and comes back from a customer that was', async () => {
    const deleted = await scaApi(server)
    const { id } = await deleted.held()
    await deleted.logIn()
    await deleted.calls.deleteAccount(deleted.payee.id)
    expect(await deleted.calls.authorize(id, code)).toMatchObject({ status: 200 })
    await server.settle()
    expect(await deleted.calls.quote(id)).toMatchObject({ status: 'COMPLETED' })

    const gone = await scaApi(server)
    const waiting = await gone.held()
    await gone.logIn()
    await gone.api.DELETE('/customers/{customerId}', {
      params: { path: { customerId: gone.customer.id as never } },
    })
    expect(await gone.calls.authorize(waiting.id, code)).toMatchObject({
      status: 410,
      body: { code: 'CUSTOMER_DELETED' },
    })
    await server.pass(5 * minuteMs)
    expect(await gone.calls.quote(waiting.id)).toMatchObject({ status: 'FAILED' })
  })

  it('cannot be spent twice: holds and payments share what is there', async () => {
    const known: ScaApi = await scaApi(server)
    const { calls, api, eur, payee, held, customer } = known
    await held(40_000)
    const { body: trust } = await calls.trust(payee.id)
    await calls.confirmTrust(payee.id, { challengeId: trust.scaChallenge.id, ...code })
    const over = await calls.createQuote(quoteBody(eur, payee, 10_001, { immediatelyExecute: true }))
    expect(over).toMatchObject({
      status: 400,
      body: { code: 'INSUFFICIENT_BALANCE', details: { available: 10_000 } },
    })
    const another = await createPayee(api, 'GBP', '12345894', { customerId: customer.id })
    const { body: quote } = await calls.createQuote(quoteBody(eur, another, 10_001))
    expect(await calls.execute(quote.id)).toMatchObject({
      status: 400,
      body: { code: 'INSUFFICIENT_BALANCE' },
    })
    const stored = await loadQuote(server.engine, known.platform, quote.id)
    expect(stored).toMatchObject({ status: 'PENDING', scaChallenge: null })
    await server.pass(5 * minuteMs)
  })
})
