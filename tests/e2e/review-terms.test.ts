import { operatorKey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { businessDetails, onboarding } from './onboarding.ts'
import { json } from './raw-calls.ts'

/** By when a review is to be decided, and by how many people. */

const hour = 60 * 60_000
const day = 24 * hour
let server: TestServer
beforeEach(async () => {
  await server?.close()
  server = await startTestServer()
})
afterAll(() => server.close())

async function ask(path: string, headers: Record<string, string>, method = 'GET', body?: object) {
  const response = await server.fetch(`http://corridor.test${path}`, {
    method,
    headers: { ...headers, ...(body ? json : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { response, status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const operate = (method: string, path: string, body?: object, key = operatorKey) =>
  ask(`/operator${path}`, { authorization: `Bearer ${key}` }, method, body)

/** As if the account had joined a week ago: time must not pass here, since reviews have theirs. */
const countsAsSecondPerson = (id: string) =>
  server.rows(`update operators set joined_at = joined_at - interval '7 days' where id = $1`, [id])

async function hire(name: string, role: string) {
  const made = await operate('POST', '/operators', { name, role })
  const joined = await ask('/operator/join', {}, 'POST', { joinCode: made.body.joinCode })
  await countsAsSecondPerson(joined.body.id)
  return joined.body as { id: string; key: string }
}

const inProduction = async () => onboarding(server, await server.platform({ environment: 'PRODUCTION' }))

/** A business in review that says that it moves 10,000 to 100,000 a month, or as it is told to say. */
async function waiting(at: Awaited<ReturnType<typeof inProduction>>, volume?: string) {
  const { id } = await at.completeBusiness('77120')
  if (volume !== undefined) {
    const expectedMonthlyTransactionVolume = volume as 'VOLUME_UNDER_10K'
    const body = { customerType: 'BUSINESS', businessInfo: { expectedMonthlyTransactionVolume } }
    const { response } = await at.api.PATCH('/customers/{customerId}', {
      params: { path: { customerId: id } },
      body: body as never,
    })
    expect(response.status).toBe(200)
  }
  const { id: verificationId } = (await at.verify(id)).data!
  const path = `/reviews/${verificationId}`
  const status = async () => ((await at.read(id)) as { kybStatus?: string }).kybStatus
  return { id, verificationId, path, status }
}

describe('the time of a review', () => {
  it('is a day from its submission, and counted on beyond it, on the clock of its environment', async () => {
    const at = onboarding(server, await server.platform())
    const { id } = await at.completePerson('Mira Okafor 001')
    const { createdAt } = (await at.verify(id)).data!
    const [shown] = (await operate('GET', '/reviews')).body.data
    expect(shown).toMatchObject({ submission: 1, needsSecondPerson: false })
    expect(shown).not.toHaveProperty('amount')
    expect(Date.parse(shown.dueAt) - Date.parse(createdAt)).toBe(day)
    expect(shown.secondsLeft).toBe(day / 1_000)
    await server.advance(at.platform, day + 2 * hour)
    const [late] = (await operate('GET', '/reviews')).body.data
    expect(late).toMatchObject({ dueAt: shown.dueAt })
    expect(late.secondsLeft).toBeLessThanOrEqual(-7_200)
    const opened = await operate('GET', `/reviews/${shown.verificationId}`)
    expect(opened.body).toMatchObject({ dueAt: shown.dueAt, needsSecondPerson: false })
  })
})

describe('a review above the limit', () => {
  it('says what its customer means to move, and whether it takes two', async () => {
    const at = await inProduction()
    const told = async (volume: string) => {
      const { verificationId } = await waiting(at, volume)
      const { data } = (await operate('GET', '/reviews')).body
      const { amount, needsSecondPerson } = data.find(
        (each: { verificationId: string }) => each.verificationId === verificationId,
      )
      return { amount, needsSecondPerson }
    }
    expect(await told('VOLUME_UNDER_10K')).toEqual({
      amount: { currency: 'USD', atLeast: 0, atMost: 1_000_000 },
      needsSecondPerson: false,
    })
    expect(await told(businessDetails.expectedMonthlyTransactionVolume)).toEqual({
      amount: { currency: 'USD', atLeast: 1_000_000, atMost: 10_000_000 },
      needsSecondPerson: true,
    })
    expect(await told('VOLUME_OVER_10M')).toEqual({
      amount: { currency: 'USD', atLeast: 1_000_000_000 },
      needsSecondPerson: true,
    })
  })

  it('is decided by one up to it, and where nobody else could', async () => {
    const at = await inProduction()
    const alone = await waiting(at)
    expect((await operate('POST', `${alone.path}/approve`)).status).toBe(200)
    const ann = await hire('Ann', 'REVIEWER')
    await hire('Bob', 'REVIEWER')
    const small = await waiting(at, 'VOLUME_UNDER_10K')
    expect((await operate('POST', `${small.path}/approve`, undefined, ann.key)).status).toBe(200)
    expect(await small.status()).toBe('APPROVED')
  })

  it('goes by what was said when it was submitted as well, which nobody can take back meanwhile', async () => {
    const at = await inProduction()
    const ann = await hire('Ann', 'REVIEWER')
    await hire('Bob', 'REVIEWER')
    const { id, path, status, verificationId } = await waiting(at)
    await server.pass(1_000)
    const body = {
      customerType: 'BUSINESS',
      businessInfo: { expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K' },
    }
    const params = { path: { customerId: id } }
    expect(
      (await at.api.PATCH('/customers/{customerId}', { params, body: body as never })).response.status,
    ).toBe(200)
    const { data } = (await operate('GET', '/reviews')).body
    expect(data).toContainEqual(expect.objectContaining({ verificationId, needsSecondPerson: true }))
    expect((await operate('POST', `${path}/approve`, undefined, ann.key)).status).toBe(202)
    expect(await status()).not.toBe('APPROVED')
  })

  it('is decided by another reviewer, once, and never by the one who proposed it', async () => {
    const at = await inProduction()
    const ann = await hire('Ann', 'REVIEWER')
    const bob = await hire('Bob', 'REVIEWER')
    const cid = await hire('Cid', 'REVIEWER')
    const { path, status, verificationId } = await waiting(at)
    const proposed = await operate('POST', `${path}/approve`, { note: 'looked fine' }, ann.key)
    expect(proposed).toMatchObject({ status: 202, body: { status: 'OPEN' } })
    expect(await status()).toBe('UNVERIFIED')
    const approve = `/proposals/${proposed.body.id}/approve`
    const itself = { status: 403, body: { details: { reason: 'SECOND_PERSON' } } }
    expect(await operate('POST', approve, undefined, ann.key)).toMatchObject(itself)
    // Nor from another browser, nor with the key that whoever runs the machine has.
    const own = { 'x-corridor-console': '1' }
    const session = await ask('/console/session', { authorization: `Bearer ${ann.key}`, ...own }, 'POST')
    const cookie = session.response.headers.get('set-cookie')!.split(';')[0]!
    const asAnn = { cookie, ...own }
    expect(await ask(`/console/api/operator${approve}`, asAnn, 'POST')).toMatchObject(itself)
    expect(await operate('POST', approve)).toMatchObject(itself)

    const seen = (await operate('GET', '/proposals', undefined, bob.key)).body.data
    expect(seen).toMatchObject([{ operation: 'operatorApproveReview', params: { verificationId } }])
    const both = await Promise.all([bob, cid].map(({ key }) => operate('POST', approve, undefined, key)))
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409])
    expect(await status()).toBe('APPROVED')
    expect((await at.types()).filter((type) => type === 'CUSTOMER.KYB_APPROVED')).toHaveLength(1)
    // What is decided is nothing that somebody could still propose.
    expect((await operate('POST', `${path}/reject`, { reason: 'late' }, bob.key)).status).toBe(409)
  })

  it('waits for a day, may be refused, and a rejection takes two as well', async () => {
    const at = await inProduction()
    const ann = await hire('Ann', 'REVIEWER')
    const bob = await hire('Bob', 'REVIEWER')
    const { path, status } = await waiting(at)
    const reject = () => operate('POST', `${path}/reject`, { reason: 'dissolved' }, ann.key)
    const [old, refused] = [await reject(), await reject()]
    const refuse = `/proposals/${refused.body.id}/refuse`
    expect((await operate('POST', refuse, undefined, bob.key)).body.status).toBe('REFUSED')
    server.world.passMs(day)
    expect(await operate('POST', `/proposals/${old.body.id}/approve`, undefined, bob.key)).toMatchObject({
      status: 409,
      body: { details: { reason: 'EXPIRED' } },
    })
    expect(await status()).toBe('UNVERIFIED')
    const again = await reject()
    expect((await operate('POST', `/proposals/${again.body.id}/approve`, undefined, bob.key)).status).toBe(
      200,
    )
    expect(await status()).toBe('REJECTED')
  })

  it('is all that a reviewer sees of proposals', async () => {
    const ann = await hire('Ann', 'ADMINISTRATOR')
    const made = await operate('POST', '/operators', { name: 'Bob', role: 'REVIEWER' })
    const approved = await operate('POST', `/proposals/${made.body.id}/approve`, undefined, ann.key)
    expect(approved.body.answer).toMatchObject({ name: 'Bob' })
    const { joinCode } = made.body
    const bob = (await ask('/operator/join', {}, 'POST', { joinCode })).body
    const other = await operate('POST', '/operators', { name: 'Cid', role: 'VIEWER' })
    expect(other.status).toBe(202)
    expect((await operate('GET', '/proposals', undefined, bob.key)).body.data).toEqual([])
    for (const [what, status] of [
      ['approve', 403],
      ['refuse', 404],
    ] as const) {
      const path = `/proposals/${other.body.id}/${what}`
      expect((await operate('POST', path, undefined, bob.key)).status).toBe(status)
    }
  })
})

describe('what may be proposed', () => {
  it('is kept with the fields that its operation knows, and no others', async () => {
    const at = await inProduction()
    await hire('Ann', 'ADMINISTRATOR')
    const { path } = await waiting(at)
    const padded = { note: 'fine', more: 'x'.repeat(900_000), [`${'y'.repeat(5_000)}`]: { z: 1 } }
    expect((await operate('POST', `${path}/approve`, padded)).status).toBe(202)
    const wrong = await operate('POST', '/operators', { name: ' ', role: 'VIEWER', rights: ['all'] })
    expect(wrong.body.details.errors.map(({ field }: { field: string }) => field)).toEqual(['name'])
    const { data } = (await operate('GET', '/proposals')).body
    expect(data).toHaveLength(1)
    expect(JSON.stringify(data)).toContain('"note":"fine"')
    expect(JSON.stringify(data)).not.toMatch(/xxx|yyy|"more"/)
  })
})
