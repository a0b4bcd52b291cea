import { openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()

describe('tokens', () => {
  it('have names without characters that are not seen, and so have platforms', async () => {
    const platform = await server.platform()
    const api = server.client(platform)
    for (const mark of ['\u00ad', '\u200e', '\u200f', '\ufeff']) {
      const name = `pay${mark}roll`
      const refused = await api.POST('/tokens', { body: { name, permissions: ['VIEW'] } })
      expect(refused.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
      expect(JSON.stringify(refused.error)).toContain('"name"')
      const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name, environment: 'SANDBOX' })
      const asked = { method: 'POST', headers, body }
      expect((await server.fetch('http://corridor.test/operator/platforms', asked)).status).toBe(400)
    }
    const hebrew = await api.POST('/tokens', { body: { name: 'דנה', permissions: ['VIEW'] } })
    expect(hebrew.response.status).toBe(201)
  })

  it('shows a secret once, limits what the token may do, and refuses it once deleted', async () => {
    const platform = await server.platform()
    const api = server.client(platform)

    const created = await api.POST('/tokens', { body: { name: 'reporting', permissions: ['VIEW', 'VIEW'] } })
    expect(created.response.status).toBe(201)
    const token = created.data!
    expect(token.permissions).toEqual(['VIEW'])
    expect(token.clientSecret).toEqual(expect.any(String))

    const path = { params: { path: { tokenId: token.id } } }
    const read = await api.GET('/tokens/{tokenId}', path)
    expect(read.data).not.toHaveProperty('clientSecret')

    const viewer = server.client({ clientId: token.clientId, clientSecret: token.clientSecret! })
    expect((await viewer.GET('/tokens')).response.status).toBe(200)
    const refused = await viewer.POST('/tokens', { body: { name: 'more', permissions: ['VIEW'] } })
    expect(refused.error).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      details: { requiredPermission: 'MANAGE' },
    })

    expect((await api.DELETE('/tokens/{tokenId}', path)).response.status).toBe(204)
    expect((await viewer.GET('/tokens')).response.status).toBe(401)
    expect((await api.GET('/tokens/{tokenId}', path)).error).toMatchObject({ code: 'TOKEN_NOT_FOUND' })
  })

  it('never grants more than the creator holds, and keeps the last token that can manage', async () => {
    const platform = await server.platform()
    const api = server.client(platform)
    const manager = (await api.POST('/tokens', { body: { name: 'm', permissions: ['MANAGE'] } })).data!
    const asManager = server.client({ clientId: manager.clientId, clientSecret: manager.clientSecret! })
    const excess = await asManager.POST('/tokens', { body: { name: 't', permissions: ['TRANSACT'] } })
    expect(excess.error).toMatchObject({ status: 403, details: { requiredPermission: 'TRANSACT' } })

    const first = (await api.GET('/tokens', { params: { query: { name: 'First token' } } })).data!.data[0]!
    const remove = (tokenId: string) =>
      asManager.DELETE('/tokens/{tokenId}', { params: { path: { tokenId } } })
    expect((await remove(first.id)).response.status).toBe(204)
    expect((await remove(manager.id)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
  })

  it('belong to the environment of whoever made them', async () => {
    for (const [environment, status] of [
      ['SANDBOX', 200],
      ['PRODUCTION', 403],
    ] as const) {
      const api = server.client(await server.platform({ environment }))
      const made = (await api.POST('/tokens', { body: { name: 'made', permissions: ['MANAGE'] } })).data!
      const next = server.client({ clientId: made.clientId, clientSecret: made.clientSecret! })
      expect((await next.GET('/sandbox/clock')).response.status).toBe(status)
      const customer = await next.POST('/customers', { body: { customerType: 'INDIVIDUAL' } as never })
      const path = { params: { path: { customerId: customer.data!.id } } }
      expect((await api.GET('/customers/{customerId}', path)).response.status).toBe(200)
    }
  })

  it('does not show the secret again to a repeated request', async () => {
    const api = server.client(await server.platform())
    const create = () =>
      api.POST('/tokens', {
        headers: { 'Idempotency-Key': 'k-1' },
        body: { name: 'once', permissions: ['VIEW'] },
      })
    const [first, second] = [await create(), await create()]
    const { clientSecret, ...shown } = first.data!
    expect(clientSecret).toEqual(expect.any(String))
    expect(second.data).toEqual(shown)
  })

  it('names every wrong field at once', async () => {
    const api = server.client(await server.platform())
    const answer = await api.POST('/tokens', { body: { permissions: ['FLY'] } as never })
    expect(answer.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: {
        errors: [
          { field: 'name', message: 'is required' },
          { field: 'permissions.0', constraint: { enum: ['VIEW', 'TRANSACT', 'MANAGE'] } },
        ],
      },
    })
  })
})
