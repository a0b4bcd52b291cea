import { setMaxListeners } from 'node:events'
import { openTestServer, startTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { customerApi } from './customer-api.ts'
import { basic } from './raw-calls.ts'

const server = await openTestServer()

async function sandbox() {
  const { api, customer, platform } = await customerApi(server)
  const create = (email: string, phoneNumber: string) =>
    customer({ fullName: 'Lena Vogt', region: 'DE', currencies: ['EUR'], email, phoneNumber })
  const path = (customerId: string) => ({ params: { path: { customerId } } })
  return {
    api,
    platform,
    create,
    sendEmail: (id: string) => api.POST('/customers/{customerId}/verify-email', path(id)),
    sendPhone: (id: string) => api.POST('/customers/{customerId}/verify-phone', path(id)),
    now: async () => (await api.GET('/sandbox/clock')).data!.now,
    wait: (query: object) => api.GET('/sandbox/inbox/wait', { params: { query: { seconds: 10, ...query } } }),
  }
}

/** Real time goes on until a call is answered. */
async function answered<T>(call: Promise<T>): Promise<T> {
  let isDone = false
  const done = call.finally(() => {
    isDone = true
  })
  while (!isDone) await server.pass(50)
  return done
}

/** Twenty who wait, all of whom have arrived: whoever has no room is told at once, and is the last. */
async function waiters(wait: () => ReturnType<Awaited<ReturnType<typeof sandbox>>['wait']>) {
  const calls = Array.from({ length: 21 }, wait)
  expect((await Promise.race(calls)).error).toMatchObject({ code: 'RATE_LIMITED' })
  return { answers: async () => (await answered(Promise.all(calls))).filter(({ data }) => data) }
}

describe('waiting for a message of the inbox (6.6)', () => {
  it('answers as soon as it is there, with the code by itself', async () => {
    const { create, sendEmail, wait } = await sandbox()
    const { id } = await create('lena@vogt.example', '+4915112345678')
    const waiting = await waiters(() => wait({ customerId: id }))
    await sendEmail(id)
    const answers = await waiting.answers()
    expect(answers).toHaveLength(20)
    for (const { data } of answers) {
      expect(data!.message).toMatchObject({ customerId: id, channel: 'EMAIL', code: '123456' })
      expect(data!.message!.text).toContain('123456')
    }
  })

  it('finds what came since a moment, the first of it, by whom it went to and what it is about', async () => {
    const { create, sendEmail, sendPhone, wait, now } = await sandbox()
    const [one, two] = [
      await create('one@vogt.example', '+4915112345671'),
      await create('two@vogt.example', '+4915112345672'),
    ]
    const after = await now()
    await sendEmail(one.id)
    await server.pass(1_000)
    await sendEmail(two.id)
    await sendPhone(two.id)
    const found = async (query: object) => (await wait({ after, seconds: 0, ...query })).data!.message
    expect(await found({})).toMatchObject({ customerId: one.id })
    expect(await found({ to: 'two@vogt.example' })).toMatchObject({ customerId: two.id, channel: 'EMAIL' })
    expect(await found({ to: '+4915112345672' })).toMatchObject({ channel: 'SMS' })
    expect(await found({ customerId: two.id, channel: 'SMS' })).toMatchObject({ to: '+4915112345672' })
    expect(await found({ purpose: 'CONTACT_VERIFICATION' })).toMatchObject({ customerId: one.id })
    expect(await found({ purpose: 'WALLET_SIGN_IN' })).toBeUndefined()
    expect(await found({ to: 'nobody@vogt.example' })).toBeUndefined()
    await server.pass(1_000)
    expect((await wait({ seconds: 0 })).data).toEqual({})
  })

  it('gives up in time, finds nothing of others, and is not there in production', async () => {
    const [mine, theirs] = [await sandbox(), await sandbox()]
    const { id } = await theirs.create('lena@vogt.example', '+4915112345678')
    const waiting = await waiters(() => mine.wait({ seconds: 2 }))
    await theirs.sendEmail(id)
    const answers = await waiting.answers()
    expect(answers.map(({ data }) => data)).toEqual(Array(20).fill({}))
    const unsaid = await mine.api.GET('/sandbox/inbox/wait', { params: { query: {} as { seconds: number } } })
    expect(unsaid.error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'seconds' } })
    expect((await mine.wait({ seconds: 26 })).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const production = server.client(await server.platform({ environment: 'PRODUCTION' }))
    expect(
      (await production.GET('/sandbox/inbox/wait', { params: { query: { seconds: 0 } } })).error,
    ).toMatchObject({ status: 403 })
  })

  it('is for twenty at a time, and whoever was answered makes room', async () => {
    const { wait } = await sandbox()
    const calls = Array.from({ length: 21 }, () => wait({ seconds: 5 }))
    // No time goes by, so nobody else is answered.
    const { error, response } = await Promise.race(calls)
    expect([error, response.headers.get('retry-after')]).toMatchObject([{ code: 'RATE_LIMITED' }, '1'])
    const answers = await answered(Promise.all(calls))
    expect(answers.filter(({ data }) => data).map(({ data }) => data)).toEqual(Array(20).fill({}))
    expect((await wait({ seconds: 0 })).data).toEqual({})
  })

  it('is over for whoever hangs up, who takes no room any longer', async () => {
    const { platform, wait } = await sandbox()
    const hangUp = new AbortController()
    setMaxListeners(30, hangUp.signal)
    const address = `${await server.listen()}/2025-10-13/sandbox/inbox/wait?seconds=25`
    const calls = Array.from({ length: 21 }, () =>
      fetch(address, { headers: { authorization: basic(platform) }, signal: hangUp.signal }),
    )
    // Whoever has no room is told at once: the others wait by then. Nobody looks before, as who looks takes room as well.
    expect((await Promise.race(calls)).status).toBe(429)
    const isFull = async () => (await wait({ seconds: 0 })).response.status === 429
    expect(await isFull()).toBe(true)
    hangUp.abort()
    await Promise.allSettled(calls)
    // No time goes by.
    await expect.poll(isFull, { timeout: 10_000 }).toBe(false)
  })

  it('ends with the server, which does not wait for what may come', async () => {
    const stopping = await startTestServer()
    const platform = await stopping.platform()
    const address = `${await stopping.listen()}/2025-10-13/sandbox/inbox/wait?seconds=25`
    const calls = Array.from({ length: 21 }, async () => {
      const answer = await fetch(address, { headers: { authorization: basic(platform) } })
      return [answer.status, await answer.json()]
    })
    // Whoever has no room is told at once: the others wait by then.
    expect(await Promise.race(calls)).toMatchObject([429, { code: 'RATE_LIMITED' }])
    await stopping.close()
    const answers = await Promise.all(calls)
    expect(answers.filter(([status]) => status === 200)).toEqual(Array(20).fill([200, {}]))
  })
})
