import { routes } from '@corridor/engine/assembly/features.ts'
import { powers, takesTwo } from '@corridor/engine/vocabulary/powers.ts'
import { operatorKey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { json } from '../e2e/raw-calls.ts'

/** What one operator alone cannot do, by whichever way. */

const day = 24 * 60 * 60_000
let server: TestServer
beforeEach(async () => {
  await server?.close()
  server = await startTestServer()
})
afterAll(() => server.close())

async function operate(key: string, method: string, path: string, body?: object) {
  const response = await server.fetch(`http://corridor.test/operator${path}`, {
    method,
    headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...(body ? json : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const invite = (key: string, name: string, role = 'ADMINISTRATOR') =>
  operate(key, 'POST', '/operators', { name, role })
const join = async (joinCode: string) => (await operate('', 'POST', '/join', { joinCode })).body
const approve = (key: string, { body }: { body: { id: string } }) =>
  operate(key, 'POST', `/proposals/${body.id}/approve`)
const productionPlatform = (key: string) =>
  operate(key, 'POST', '/platforms', { name: 'Acme', environment: 'PRODUCTION' })

const operatorRoutes = routes.filter(({ operation }) => operation.auth === 'operator')

describe('operations of the operator', () => {
  it('name their power wherever they change something', () => {
    const unnamed = operatorRoutes
      .map(({ operation }) => operation)
      .filter(({ method, power }) => (power === undefined) !== (method === 'GET'))
    expect(unnamed.map(({ id }) => id)).toEqual([])
  })

  it('that give the same power take as many people, and may answer that somebody else has to approve', () => {
    for (const { operation } of operatorRoutes) {
      const accepted = operation.responses[202] as { readonly $id?: string } | undefined
      const isProposed = accepted?.$id?.endsWith('Proposed') ?? false
      expect([operation.id, isProposed]).toEqual([operation.id, takesTwo(operation)])
    }
  })

  it('are these for one person alone, of those that change something', () => {
    const alone = operatorRoutes
      .map(({ operation }) => operation)
      .filter(({ power }) => power !== undefined && !powers[power].takesTwo)
    expect(Object.fromEntries(alone.map(({ id, power }) => [id, power]))).toMatchInlineSnapshot(`
      {
        "operatorActivateInternalAccount": "REPAIR",
        "operatorApproveProposal": "OWN",
        "operatorCloseCard": "STOP",
        "operatorCloseInternalAccount": "STOP",
        "operatorConfirmOperator": "OWN",
        "operatorEndOperator": "STOP",
        "operatorEndSession": "STOP",
        "operatorEraseCustomer": "STOP",
        "operatorFailInternalAccount": "STOP",
        "operatorFreezeInternalAccount": "STOP",
        "operatorPausePayouts": "STOP",
        "operatorRefuseProposal": "OWN",
        "operatorRejectFactorReset": "STOP",
        "operatorRenewKey": "OWN",
        "operatorResolveCardException": "REPAIR",
        "operatorRetryJob": "REPAIR",
        "operatorRevokeStablecoinProviderAccount": "STOP",
        "operatorRevokeToken": "STOP",
        "resendEvent": "REPAIR",
        "rotateWebhookKey": "REPAIR",
      }
    `)
  })
})

describe('with two administrators', () => {
  let [ann, bob] = [
    { id: '', key: '' },
    { id: '', key: '' },
  ]
  beforeEach(async () => {
    ann = await join((await invite(operatorKey, 'Ann')).body.joinCode)
    bob = await join((await invite(ann.key, 'Bob')).body.joinCode)
    server.world.passMs(7 * day)
  })

  it.each([
    [
      'record a settlement, which frees a credit line',
      'uma-positions/settle',
      {
        platformId: 'x',
        environment: 'SANDBOX',
        peerDomain: 'a.example',
        direction: 'RECEIVED',
        reference: 'w',
      },
    ],
    ['end a UMA payment', 'transactions/Transaction:x/end-uma-payment', { ifUnknown: 'REFUND' }],
  ])('one alone cannot %s', async (_, path, body) => {
    const { platformId } = await server.platform()
    const full = {
      ...body,
      ...('platformId' in body ? { platformId, amountMsats: '5000' } : {}),
      reason: 'x',
    }
    expect((await operate(ann.key, 'POST', `/${path}`, full)).status).toBe(202)
  })

  it.each([
    ['a production platform', 'POST', '/platforms', { name: 'New', environment: 'PRODUCTION' }, 202],
    ['a sandbox platform', 'POST', '/platforms', { name: 'New', environment: 'SANDBOX' }, 201],
    [
      'a token for production',
      'POST',
      '/platforms/ID/tokens?environment=PRODUCTION',
      { name: 'x', permissions: ['VIEW'] },
      202,
    ],
    ['terms of production', 'PATCH', '/platforms/ID?environment=PRODUCTION', { settings: {} }, 202],
    ['an operator', 'POST', '/operators', { name: 'Cid', role: 'VIEWER' }, 202],
  ])('one alone asks for %s', async (_, method, path, body, status) => {
    const { platformId } = await server.platform({ environment: 'PRODUCTION' })
    const asked = await operate(ann.key, method, path.replace('ID', platformId), body)
    expect(asked.status).toBe(status)
    if (status !== 202) return
    expect((await approve(ann.key, asked)).status).toBe(403)
    expect((await approve(bob.key, asked)).status).toBe(200)
  })

  it('the join code goes to who proposes an account, once, and never to who approves it', async () => {
    const proposed = await invite(ann.key, 'Cid')
    expect(proposed).toMatchObject({ status: 202, body: { joinCode: expect.any(String) } })
    expect(await join(proposed.body.joinCode)).toMatchObject({ code: 'UNAUTHORIZED' })
    const listed = JSON.stringify(await operate(bob.key, 'GET', '/proposals'))
    const approved = JSON.stringify(await approve(bob.key, proposed))
    for (const shown of [listed, approved, JSON.stringify(await operate(ann.key, 'GET', '/proposals'))]) {
      expect(shown).not.toContain(proposed.body.joinCode)
      expect(shown).not.toMatch(/joinCode|codeHash/)
    }
    expect(await join(proposed.body.joinCode)).toMatchObject({
      name: 'Cid',
      invitedBy: ann.id,
      approvedBy: bob.id,
    })
  })

  it('a new account counts for neither of the two who made it, until another operator confirms it', async () => {
    const dora = await join(await made(ann.key, bob.key, 'Dora'))
    server.world.passMs(7 * day)
    const cid = await join(await made(ann.key, bob.key, 'Cid'))
    for (const { key } of [ann, bob]) {
      const refused = await approve(cid.key, await productionPlatform(key))
      expect(refused).toMatchObject({ status: 403, body: { details: { reason: 'UNCONFIRMED_ACCOUNT' } } })
    }
    expect((await approve(cid.key, await productionPlatform(dora.key))).status).toBe(200)
    for (const { key } of [ann, bob, cid, { key: operatorKey }]) {
      expect((await operate(key, 'POST', `/operators/${cid.id}/confirm`)).status).toBe(403)
    }
    const confirmed = await operate(dora.key, 'POST', `/operators/${cid.id}/confirm`)
    expect(confirmed).toMatchObject({ status: 200, body: { isConfirmed: true } })
    const proposed = await operate(ann.key, 'POST', '/operators', { name: 'Eve', role: 'VIEWER' })
    expect((await approve(cid.key, proposed)).status).toBe(200)
  })

  it('an inviter approves nothing that a new account proposes, where another operator could', async () => {
    const cid = await join(await made(ann.key, bob.key, 'Cyd'))
    const proposed = await productionPlatform(cid.key)
    expect((await approve(ann.key, proposed)).body.details).toEqual({ reason: 'UNCONFIRMED_ACCOUNT' })
    expect((await approve(bob.key, proposed)).status).toBe(200)
  })

  it('a new account is no second person for the key of the environment, which its inviter may hold', async () => {
    const cid = await join(await made(ann.key, bob.key, 'Cid'))
    expect(await approve(cid.key, await productionPlatform(operatorKey))).toMatchObject({
      status: 403,
      body: { details: { reason: 'UNCONFIRMED_ACCOUNT' } },
    })
    server.world.passMs(7 * day)
    expect((await approve(cid.key, await productionPlatform(operatorKey))).status).toBe(200)
  })

  it('two new accounts of one inviter are no two persons', async () => {
    const [cid, dora] = [
      await join(await made(ann.key, bob.key, 'Cid')),
      await join(await made(ann.key, bob.key, 'Dora')),
    ]
    const asked = await productionPlatform(cid.key)
    expect(await approve(dora.key, asked)).toMatchObject({
      status: 403,
      body: { details: { reason: 'UNCONFIRMED_ACCOUNT' } },
    })
    server.world.passMs(7 * day)
    const later = await productionPlatform(cid.key)
    expect((await approve(dora.key, later)).status).toBe(200)
  })

  it('a new account that a new account invited is no other person than the first inviter', async () => {
    const cid = await join(await made(ann.key, bob.key, 'Cid'))
    const dora = await join(await made(cid.key, bob.key, 'Dora'))
    const refused = { status: 403, body: { details: { reason: 'UNCONFIRMED_ACCOUNT' } } }
    expect(await approve(dora.key, await productionPlatform(ann.key))).toMatchObject(refused)
    expect(await approve(ann.key, await productionPlatform(dora.key))).toMatchObject(refused)
    expect(await operate(ann.key, 'POST', `/operators/${dora.id}/confirm`)).toMatchObject(refused)
    // Bob saw neither code.
    expect((await approve(bob.key, await productionPlatform(dora.key))).status).toBe(200)
    server.world.passMs(7 * day)
    expect((await approve(dora.key, await invite(ann.key, 'Eve', 'VIEWER'))).status).toBe(200)
  })

  it('a new account confirms no other account of its inviter', async () => {
    const [first, second] = [
      await join(await made(ann.key, bob.key, 'One')),
      await join(await made(ann.key, bob.key, 'Two')),
    ]
    const confirmed = await operate(first.key, 'POST', `/operators/${second.id}/confirm`)
    expect(confirmed).toMatchObject({ status: 403, body: { details: { reason: 'UNCONFIRMED_ACCOUNT' } } })
  })

  async function made(proposer: string, approver: string, name: string): Promise<string> {
    const proposed = await invite(proposer, name)
    expect((await approve(approver, proposed)).status).toBe(200)
    return proposed.body.joinCode
  }
})

describe('a founder who invites the second person', () => {
  it('acts alone before, waits a week for that person afterwards, and approves for them at once', async () => {
    const ann = await join((await invite(operatorKey, 'Ann')).body.joinCode)
    expect((await productionPlatform(ann.key)).status).toBe(201)
    const invited = await invite(ann.key, 'Bob')
    expect(invited.status).toBe(201)
    const bob = await join(invited.body.joinCode)
    expect(bob.isConfirmed).toBe(false)
    const other = { name: 'Other', environment: 'PRODUCTION' }
    const early = await operate(ann.key, 'POST', '/platforms', other)
    expect(early.status).toBe(202)
    expect((await approve(bob.key, early)).body.details).toEqual({ reason: 'UNCONFIRMED_ACCOUNT' })
    const ofBob = await operate(bob.key, 'POST', '/platforms', { ...other, name: 'Third' })
    expect((await approve(ann.key, ofBob)).status).toBe(200)
    server.world.passMs(7 * day)
    expect((await approve(bob.key, await operate(ann.key, 'POST', '/platforms', other))).status).toBe(200)
  })

  it('gains nothing by an account of their own, nor by the key of the environment', async () => {
    const ann = await join((await invite(operatorKey, 'Ann')).body.joinCode)
    const shadow = await join((await invite(ann.key, 'Shadow')).body.joinCode)
    expect((await approve(shadow.key, await productionPlatform(ann.key))).status).toBe(403)
    expect((await approve(ann.key, await productionPlatform(operatorKey))).status).toBe(403)
  })
})
