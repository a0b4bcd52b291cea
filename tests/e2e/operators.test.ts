import { operatorKey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { json } from './raw-calls.ts'

/** Who runs the installation: people with roles and keys of their own, and a second one for what one should not do. */

const day = 24 * 60 * 60_000
let server: TestServer
beforeEach(async () => {
  await server?.close()
  server = await startTestServer()
})
afterAll(() => server.close())

async function operate(
  method: string,
  path: string,
  { body, key = operatorKey, at = server }: { body?: object; key?: string; at?: TestServer } = {},
) {
  const response = await at.fetch(`http://corridor.test/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? json : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function join(joinCode: string) {
  const response = await server.fetch('http://corridor.test/operator/join', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ joinCode }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

interface Person {
  readonly id: string
  readonly key: string
}

/** Somebody with an account; `by` approves where a second person is asked for. */
async function hire(name: string, role: string, by?: Person): Promise<Person> {
  const made = await operate('POST', '/operators', { body: { name, role } })
  if (made.status === 202) {
    const approved = await operate('POST', `/proposals/${made.body.id}/approve`, { key: by?.key ?? '' })
    expect(approved.body.status).toBe(201)
    expect(approved.body.answer).not.toHaveProperty('joinCode')
  } else expect(made.status).toBe(201)
  const { body } = await join(made.body.joinCode)
  // From then on the account counts as a second person for who invited it, too.
  server.world.passMs(7 * day)
  return body
}

describe('an operator', () => {
  it('is made with a code that makes one key, once, and is known by it', async () => {
    const made = await operate('POST', '/operators', { body: { name: 'Ann', role: 'REVIEWER', keyDays: 30 } })
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'Ann', status: 'INVITED', joinCode: expect.any(String) },
    })
    expect(made.body).not.toHaveProperty('key')
    const joined = await join(made.body.joinCode)
    expect(joined).toMatchObject({ status: 201, body: { name: 'Ann', role: 'REVIEWER', status: 'ACTIVE' } })
    expect(await join(made.body.joinCode)).toMatchObject({
      status: 401,
      body: { reason: expect.stringContaining('was used') },
    })
    const { key } = joined.body
    expect((await operate('GET', '/me', { key })).body).toMatchObject({ id: made.body.id, role: 'REVIEWER' })
    expect((await operate('GET', '/reviews', { key })).status).toBe(200)
    expect(await operate('GET', '/suspense', { key })).toMatchObject({
      status: 403,
      body: { details: { requiredPermission: 'OPERATOR' } },
    })
    const { body } = await operate('GET', '/operators', { key })
    expect(JSON.stringify(body)).not.toContain(key)
  })

  it('has no use of a code after three days, nor of a key after its time', async () => {
    const late = await operate('POST', '/operators', { body: { name: 'Late', role: 'VIEWER' } })
    const ann = await hire('Ann', 'VIEWER')
    server.world.passMs(4 * day)
    const told = await join(late.body.joinCode)
    expect(told).toMatchObject({
      status: 401,
      body: { reason: expect.stringContaining('expired three days after its creation') },
    })
    expect(told.body.reason).toContain('an administrator has to create a new account')
    expect(JSON.stringify(told)).not.toMatch(/Late|Operator:/)
    expect((await operate('GET', '/me', { key: ann.key })).status).toBe(200)
    server.world.passMs(86 * day)
    expect((await operate('GET', '/me', { key: ann.key })).status).toBe(401)
  })

  it('is told what a join code is where there is none such, and that its account was ended', async () => {
    const guessed = await join('x'.repeat(43))
    expect(guessed).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(guessed.body.reason).toContain('creates a key, once and within three days')
    const made = await operate('POST', '/operators', { body: { name: 'Gone', role: 'VIEWER' } })
    expect((await operate('DELETE', `/operators/${made.body.id}`)).status).toBe(204)
    const gone = await join(made.body.joinCode)
    expect(gone).toMatchObject({ status: 401, body: { reason: expect.stringContaining('was ended') } })
    const ann = await hire('Ann', 'VIEWER')
    expect((await operate('POST', '/me/key', { key: ann.key })).status).toBe(201)
    expect(
      (await operate('GET', '/operators')).body.data.map(({ status }: { status: string }) => status),
    ).toEqual(expect.arrayContaining(['ENDED', 'ACTIVE']))
  })

  it('renews a key, which ends the one before', async () => {
    const ann = await hire('Ann', 'VIEWER')
    const renewed = await operate('POST', '/me/key', { key: ann.key })
    expect(renewed.status).toBe(201)
    expect((await operate('GET', '/me', { key: ann.key })).status).toBe(401)
    expect((await operate('GET', '/me', { key: renewed.body.key })).status).toBe(200)
    expect((await operate('POST', '/me/key')).body).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'KEY_OF_THE_ENVIRONMENT' },
    })
  })

  it('is let go at once, by another process too', async () => {
    const beside = await startTestServer({ beside: server })
    try {
      const ann = await hire('Ann', 'ADMINISTRATOR')
      expect((await operate('GET', '/me', { key: ann.key, at: beside })).status).toBe(200)
      expect((await operate('DELETE', `/operators/${ann.id}`)).status).toBe(204)
      for (const at of [server, beside])
        expect((await operate('GET', '/me', { key: ann.key, at })).status).toBe(401)
      expect((await operate('DELETE', `/operators/${ann.id}`)).status).toBe(204)
      expect((await operate('DELETE', '/operators/nobody')).status).toBe(404)
    } finally {
      await beside.close({ audited: false })
    }
  })

  it('is told all that is wrong, and nobody is made', async () => {
    const wrong = await operate('POST', '/operators', { body: { name: ' ', role: 'KING', keyDays: 0 } })
    expect(wrong.status).toBe(400)
    expect(wrong.body.details.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'keyDays',
      'name',
      'role',
    ])
    expect((await operate('GET', '/operators')).body.data).toEqual([])
    expect((await join('short')).status).toBe(400)
  })
})

describe('a second person', () => {
  /** A frozen account, which only two release. */
  async function frozenAccount(): Promise<string> {
    const platform = await server.platform()
    const { data } = await server.client(platform).GET('/platform/internal-accounts', {})
    const id = data?.data[0]?.id ?? ''
    expect((await operate('POST', `/internal-accounts/${id}/freeze`)).status).toBe(200)
    return id
  }

  it('is not asked for where there is none', async () => {
    const id = await frozenAccount()
    expect((await operate('POST', `/internal-accounts/${id}/release`)).body).toMatchObject({
      status: 'ACTIVE',
    })
  })

  it('is shown the known fields alone: others are ignored, as everywhere, and not kept', async () => {
    const id = await frozenAccount()
    const ann = await hire('Ann', 'ADMINISTRATOR')
    const bob = await hire('Bob', 'ADMINISTRATOR', ann)
    const blob = 'A'.repeat(1_000)
    const propose = (path: string, body: object) => operate('POST', path, { key: ann.key, body })
    const proposed = [
      await propose(`/internal-accounts/${id}/release`, { blob }),
      await propose('/operators', { name: 'Cid', role: 'VIEWER', blob }),
    ]
    expect(proposed.map(({ status }) => status)).toEqual([202, 202])
    const { body } = await operate('GET', '/proposals', { key: bob.key })
    expect(JSON.stringify(body)).not.toContain(blob)
    expect(
      body.data.find(({ operation }: { operation: string }) => operation === 'operatorCreateOperator'),
    ).toMatchObject({ body: { name: 'Cid', role: 'VIEWER' } })
    for (const { body: proposal } of proposed) {
      expect((await operate('POST', `/proposals/${proposal.id}/approve`, { key: bob.key })).status).toBe(200)
    }
  })

  it('approves what another proposed, once, and nobody what was his own idea', async () => {
    const ann = await hire('Ann', 'OPERATOR')
    const bob = await hire('Bob', 'OPERATOR', ann)
    const id = await frozenAccount()
    const proposed = await operate('POST', `/internal-accounts/${id}/release`, { key: ann.key })
    expect(proposed).toMatchObject({ status: 202, body: { status: 'OPEN' } })
    const path = `/proposals/${proposed.body.id}`
    expect((await operate('GET', '/proposals', { key: bob.key })).body.data[0]).toMatchObject({
      operation: 'operatorReleaseInternalAccount',
      params: { internalAccountId: id },
      proposedBy: ann.id,
    })
    expect((await operate('POST', `${path}/approve`, { key: ann.key })).body.details).toEqual({
      reason: 'SECOND_PERSON',
    })
    const both = await Promise.all([1, 2].map(() => operate('POST', `${path}/approve`, { key: bob.key })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 200)?.body).toMatchObject({
      status: 200,
      answer: { id, status: 'ACTIVE' },
    })
    const { body } = await operate('GET', `/audit-log?resource=${id}`)
    expect(
      body.data.map(({ operation, actor, outcome }: Record<string, string>) => [operation, actor, outcome]),
    ).toEqual([
      ['operatorReleaseInternalAccount', bob.id, 'DONE'],
      ['operatorReleaseInternalAccount', ann.id, 'PROPOSED'],
      ['operatorFreezeInternalAccount', 'operator', 'DONE'],
    ])
  })

  it('is on record for approving what was then not done', async () => {
    const ann = await hire('Ann', 'ADMINISTRATOR')
    const bob = await hire('Bob', 'OPERATOR', ann)
    const raise = await operate('PATCH', `/operators/${bob.id}`, { body: { role: 'REVIEWER' } })
    await operate('DELETE', `/operators/${bob.id}`)
    const path = `/proposals/${raise.body.id}/approve`
    expect((await operate('POST', path, { key: ann.key })).body.details).toMatchObject({ reason: 'ENDED' })
    const { body } = await operate('GET', `/audit-log?actor=${ann.id}`)
    expect(
      body.data
        .slice(0, 2)
        .map(({ operation, outcome }: Record<string, string>) => [operation, outcome])
        .sort(),
    ).toEqual([
      ['operatorApproveProposal', 'DONE'],
      ['operatorChangeRole', 'REFUSED'],
    ])
  })

  it('approves nothing of somebody who has left, or has the role for it no more', async () => {
    const ann = await hire('Ann', 'OPERATOR')
    const bob = await hire('Bob', 'OPERATOR', ann)
    const cid = await hire('Cid', 'OPERATOR', ann)
    const id = await frozenAccount()
    const proposals = await Promise.all(
      [bob, cid].map(({ key }) => operate('POST', `/internal-accounts/${id}/release`, { key })),
    )
    expect((await operate('DELETE', `/operators/${bob.id}`)).status).toBe(204)
    const lower = await operate('PATCH', `/operators/${cid.id}`, { body: { role: 'REVIEWER' } })
    expect(lower.status).toBe(200)
    for (const { body } of proposals) {
      const path = `/proposals/${body.id}`
      expect(await operate('POST', `${path}/approve`, { key: ann.key })).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', details: { reason: 'PROPOSER_MAY_NOT' } },
      })
      expect((await operate('POST', `${path}/refuse`, { key: ann.key })).body.status).toBe('REFUSED')
    }
    const [account] = await server.rows<{ status: string }>(
      'select status from internal_accounts where id = $1',
      [id],
    )
    expect(account!.status).toBe('FROZEN')
  })

  it('is not asked about a role of nobody, or of somebody who has left', async () => {
    const ann = await hire('Ann', 'ADMINISTRATOR')
    const bob = await hire('Bob', 'ADMINISTRATOR', ann)
    const change = (id: string) =>
      operate('PATCH', `/operators/${id}`, { key: ann.key, body: { role: 'VIEWER' } })
    expect((await change(bob.id)).status).toBe(202)
    expect(await change('Operator:0199aaaa-0000-7000-8000-000000000000')).toMatchObject({
      status: 404,
      body: { code: 'REFERENCE_NOT_FOUND' },
    })
    expect((await operate('DELETE', `/operators/${bob.id}`)).status).toBe(204)
    expect(await change(bob.id)).toMatchObject({ status: 409, body: { details: { reason: 'ENDED' } } })
    expect((await operate('GET', '/proposals')).body.data).toHaveLength(2)
  })

  it('may refuse, and has a day for it', async () => {
    const ann = await hire('Ann', 'OPERATOR')
    const id = await frozenAccount()
    const [first, second] = await Promise.all(
      [1, 2].map(() => operate('POST', `/internal-accounts/${id}/release`)),
    )
    expect((await operate('POST', `/proposals/${first!.body.id}/refuse`, { key: ann.key })).body.status).toBe(
      'REFUSED',
    )
    server.world.passMs(day)
    for (const { body } of [first!, second!]) {
      expect((await operate('POST', `/proposals/${body.id}/approve`, { key: ann.key })).status).toBe(409)
    }
    expect(
      (await operate('GET', '/proposals')).body.data.map(({ status }: { status: string }) => status).sort(),
    ).toEqual(['EXPIRED', 'REFUSED'])
    expect((await operate('POST', '/proposals/none/approve')).status).toBe(404)
  })

  it('has to have the role that the matter asks for', async () => {
    const ann = await hire('Ann', 'ADMINISTRATOR')
    const bob = await hire('Bob', 'OPERATOR', ann)
    const raise = await operate('PATCH', `/operators/${bob.id}`, { body: { role: 'ADMINISTRATOR' } })
    expect(raise.status).toBe(202)
    expect(
      (await operate('POST', `/proposals/${raise.body.id}/approve`, { key: bob.key })).body.details,
    ).toEqual({
      requiredPermission: 'ADMINISTRATOR',
    })
    expect((await operate('GET', '/me', { key: bob.key })).body.role).toBe('OPERATOR')
    expect((await operate('POST', `/proposals/${raise.body.id}/approve`, { key: ann.key })).status).toBe(200)
    expect((await operate('GET', '/me', { key: bob.key })).body.role).toBe('ADMINISTRATOR')
  })

  it('is asked for on the day on which the other was let go', async () => {
    const ann = await hire('Ann', 'OPERATOR')
    const id = await frozenAccount()
    await operate('DELETE', `/operators/${ann.id}`)
    expect((await operate('POST', `/internal-accounts/${id}/release`)).status).toBe(202)
    server.world.passMs(day + 1)
    expect((await operate('POST', `/internal-accounts/${id}/release`)).status).toBe(200)
  })
})
