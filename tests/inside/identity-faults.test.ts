import { must, openTestServer } from '@corridor/testkit/index.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { onboarding, operate, person, statusOf } from '../e2e/onboarding.ts'

const server = await openTestServer()
afterAll(() => server.expectSoundLedger())

type Fault = {
  kind: 'ERROR' | 'OUTAGE' | 'PARTIAL_OUTAGE' | 'SILENCE'
  times?: number
  match?: { customerId: string }
  probability?: number
}

/** A platform whose customers are decided by a provider, and what fails of it. */
async function inSandbox() {
  const at = onboarding(server, await server.platform())
  return {
    ...at,
    /** The name decides: it is approved once it is complete. */
    complete: () => at.completePerson('Mira Okafor'),
    fault: (fault: Fault) => must(at.api.POST('/sandbox/faults', { body: { target: 'IDENTITY', ...fault } })),
    end: (faultId: string) => at.api.DELETE('/sandbox/faults/{faultId}', { params: { path: { faultId } } }),
    hits: async (faultId: string) =>
      (await must(at.api.GET('/sandbox/faults/{faultId}/activations', { params: { path: { faultId } } })))
        .data,
  }
}

describe('faults of who decides about customers (6.2)', () => {
  it('answer 503 and change nothing while the provider is away; asked again it decides', async () => {
    const at = await inSandbox()
    const { id } = await at.complete()
    const before = [await at.read(id), await at.types(), server.blobs.files.size]
    const fault = await at.fault({ kind: 'OUTAGE' })

    const refused = await at.verify(id)
    expect(refused.error).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect((await at.upload({ holder: id })).body).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect([await at.read(id), await at.types(), server.blobs.files.size]).toEqual(before)
    const hits = await at.hits(fault.id)
    expect(hits.map(({ kind, target, subject }) => [kind, target, subject])).toEqual([
      ['OUTAGE', 'IDENTITY', id],
      ['OUTAGE', 'IDENTITY', id],
    ])

    await at.end(fault.id)
    expect((await at.verify(id)).error).toBeUndefined()
    expect(await at.types()).not.toEqual(before[1])
    expect((await at.upload({ holder: id })).status).toBe(201)
  })

  it('are passed by a call with the same key once they are over', async () => {
    const at = await inSandbox()
    const { id } = await at.complete()
    await at.fault({ kind: 'ERROR', times: 1 })
    const submit = () =>
      at.api.POST('/verifications', {
        body: { customerId: id as never },
        headers: { 'Idempotency-Key': 'submit-once' },
      })
    expect((await submit()).response.status).toBe(503)
    const { data } = await submit()
    expect(data).toMatchObject({ customerId: id })
    expect((await submit()).data).toEqual(data)
  })

  it('are for those that they name, and for a part of them', async () => {
    const at = await inSandbox()
    const [mine, other] = [await at.complete(), await at.complete()]
    const named = await at.fault({ kind: 'ERROR', match: { customerId: mine.id } })
    expect((await at.verify(other.id)).response.status).toBe(200)
    expect((await at.verify(mine.id)).response.status).toBe(503)
    await at.end(named.id)
    await at.fault({ kind: 'PARTIAL_OUTAGE', probability: 0.5 })
    const statuses = []
    for (let tried = 0; tried < 20; tried++) statuses.push((await at.upload({ holder: mine.id })).status)
    expect(new Set(statuses)).toEqual(new Set([201, 503]))
  })

  it('let a submission wait without a word, until a person decides', async () => {
    const at = await inSandbox()
    const { id } = await at.complete()
    const fault = await at.fault({ kind: 'SILENCE' })
    const submitted = (await at.verify(id)).data!
    expect(submitted).toMatchObject({ verificationStatus: 'PENDING_MANUAL_REVIEW', errors: [] })
    expect(statusOf(await at.read(id))).toBe('PENDING')
    expect((await at.upload({ holder: id })).status).toBe(201)
    expect(await at.hits(fault.id)).toHaveLength(1)
    expect((await operate(server, 'POST', `/reviews/${submitted.id}/approve`)).status).toBe(200)
    expect(statusOf(await at.read(id))).toBe('APPROVED')
  })

  it('do not decide what is not complete, and hit nobody else', async () => {
    const [at, theirs] = [await inSandbox(), await inSandbox()]
    await at.fault({ kind: 'SILENCE' })
    const { id } = await at.create({ ...person, fullName: 'Mira Okafor 001' })
    expect((await at.verify(id)).data).toMatchObject({ verificationStatus: 'RESOLVE_ERRORS' })
    const other = await theirs.complete()
    await at.fault({ kind: 'OUTAGE' })
    expect((await theirs.verify(other.id)).error).toBeUndefined()
  })
})
