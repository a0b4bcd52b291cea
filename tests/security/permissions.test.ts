import { operations, routes } from '@corridor/engine/assembly/features.ts'
import { surfaceOf } from '@corridor/engine/mechanisms/http/surfaces.ts'
import { agentPermissions } from '@corridor/engine/vocabulary/operation.ts'
import { createCustomer, openTestServer } from '@corridor/testkit/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { bearer, connectAgent, policyOf, send } from '../e2e/agent-api.ts'
import { basic, type Credentials, json } from '../e2e/raw-calls.ts'

/** Who may do what, for every operation there is: a new one is in this table by being one (conventions 2.2, 2.3, 2.5). */

const environments = ['SANDBOX', 'PRODUCTION'] as const
const permissions = ['VIEW', 'TRANSACT', 'MANAGE'] as const

const server = await openTestServer()
const tokens = new Map<string, Credentials>()
/** Of agents, by what their policy allows them; `paused` has everything. */
const agents = new Map<string, string>()
beforeAll(async () => {
  for (const environment of environments) {
    const first = await server.platform({ environment })
    for (const permission of permissions) {
      const { data } = await server.client(first).POST('/tokens', {
        body: { name: permission, permissions: [permission] },
      })
      tokens.set(`${environment} ${permission}`, data as Credentials)
    }
  }
  const platform = await server.platform()
  const customer = await createCustomer(server.client(platform))
  const connect = (permissions: readonly string[]) =>
    connectAgent(server, platform, customer.id, policyOf({ permissions }))
  for (const permission of agentPermissions) agents.set(permission, (await connect([permission])).token)
  agents.set('none', (await connect([])).token)
  const paused = await connect(agentPermissions)
  await send(server, basic(platform), 'PATCH', `/agents/${paused.id}`, { isPaused: true })
  agents.set('paused', paused.token)
})

const table = routes.map(({ operation }) => operation)

async function answerTo(operation: (typeof table)[number], authorization: string | undefined) {
  const path = operation.path.replace(/\{\w+\}/g, 'none')
  const prefix = surfaceOf(operation).basePath
  const response = await server.fetch(`http://corridor.test${prefix}${path}`, {
    method: operation.method,
    headers: {
      ...(authorization ? { authorization } : {}),
      ...(operation.body ? json : {}),
      'x-corridor-console': '1',
    },
    ...(operation.body ? { body: '{}' } : {}),
  })
  const text = await response.text()
  return { status: response.status, code: text.startsWith('{') ? JSON.parse(text).code : undefined, text }
}

it('the table has every operation', () => {
  expect(new Set(table)).toEqual(new Set([...operations, ...table.filter(({ auth }) => auth === 'operator')]))
  expect(table.length).toBeGreaterThan(70)
})

describe.each(table.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
  it('is refused without credentials, with broken ones and with those of another scheme', async () => {
    if (operation.auth === 'none') return expect((await answerTo(operation, undefined)).status).not.toBe(401)
    const platform = basic(tokens.get('SANDBOX MANAGE')!)
    const strangers = [
      undefined,
      'Basic',
      'Basic !!!',
      `Basic ${Buffer.from('a\0b:c').toString('base64')}`,
      `Basic ${Buffer.from('nobody:secret').toString('base64')}`,
      'Bearer gat_nothing',
      ...(operation.auth === 'basic' || operation.auth === 'console' ? [] : [platform]),
      ...(operation.auth === 'operator' || operation.auth === 'console' ? [] : ['Bearer test-operator-key']),
      ...(operation.auth === 'agent' ? [] : [bearer(agents.get('MANAGE_EXTERNAL_ACCOUNTS')!)]),
    ]
    for (const stranger of strangers) {
      expect(await answerTo(operation, stranger), stranger).toMatchObject({
        status: 401,
        code: 'UNAUTHORIZED',
      })
    }
  })

  const cases = environments.flatMap((environment) => permissions.map((held) => [environment, held] as const))
  it.each(operation.auth === 'basic' ? cases : [])(
    'in %s asks a token with %s for what it needs',
    async (environment, held) => {
      const { status, text } = await answerTo(operation, basic(tokens.get(`${environment} ${held}`)!))
      const suffices = operation.permissions.some((needed) => needed === held || needed === 'VIEW')
      const isElsewhere = operation.sandboxOnly === true && environment === 'PRODUCTION'
      if (!suffices) {
        expect(JSON.parse(text)).toMatchObject({
          status: 403,
          code: 'FORBIDDEN',
          details: { requiredPermission: operation.permissions.join(' or ') },
        })
      } else if (isElsewhere) {
        expect(JSON.parse(text)).toMatchObject({ status: 403, details: { reason: 'SANDBOX_ONLY' } })
      } else {
        expect([401, 403], text).not.toContain(status)
        expect(status === 501 || status < 500, text).toBe(true)
      }
    },
  )

  it.each(operation.auth === 'agent' ? [...agentPermissions, 'none'] : [])(
    'asks an agent whose policy has %s for what it needs',
    async (held) => {
      const { status, text } = await answerTo(operation, bearer(agents.get(held)!))
      const needed: readonly string[] = operation.permissions
      if (needed.length === 0 || needed.includes(held)) return expect([401, 403], text).not.toContain(status)
      expect(JSON.parse(text)).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        details: { reason: 'POLICY_PERMISSION', requiredPermission: needed.join(' or ') },
      })
    },
  )

  if (operation.auth !== 'agent') return

  it('lets a paused agent read, and no more', async () => {
    const { status, text } = await answerTo(operation, bearer(agents.get('paused')!))
    if (operation.method === 'GET') return expect([401, 403], text).not.toContain(status)
    expect(JSON.parse(text)).toMatchObject({ status: 403, details: { reason: 'AGENT_PAUSED' } })
  })
})
