import { routes } from '@corridor/engine/assembly/features.ts'
import { operatorRoles, reaches } from '@corridor/engine/vocabulary/roles.ts'
import { openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { json } from '../e2e/raw-calls.ts'

/** Each role against each operation of the operator: a new one is in this table by being one. */

const server = await openTestServer()
const keys = new Map<string, string>()

async function ask(method: string, path: string, key: string, body?: object, requestId?: string) {
  const response = await server.fetch(`http://corridor.test${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body ? json : {}),
      ...(requestId ? { 'x-request-id': requestId } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

beforeAll(async () => {
  // The one who approves the others comes last, so that they need nobody.
  for (const role of operatorRoles) {
    const made = await ask('POST', '/operator/operators', operatorKey, { name: role, role })
    const { body } = await ask('POST', '/operator/join', '', { joinCode: made.body.joinCode })
    keys.set(role, body.key)
  }
})

const operators = routes.map(({ operation }) => operation).filter(({ auth }) => auth === 'operator')

it('every operation of the operator has a least role', () => {
  expect(operators.length).toBeGreaterThan(35)
  for (const { role } of operators) expect(operatorRoles).toContain(role)
})

describe.each(operators.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it.each(operatorRoles)('%s may do what the role reaches, and either is on record once', async (role) => {
    const path = operation.path.replace(/\{\w+\}/g, 'none')
    const requestId = `${role}-${id}`
    const { status, body: answer } = await ask(
      operation.method,
      path,
      keys.get(role)!,
      operation.body ? {} : undefined,
      requestId,
    )
    // Whoever renews a key goes on with the new one.
    if (id === 'operatorRenewKey') keys.set(role, answer.key)
    const isAllowed = operation.role !== undefined && reaches(role, operation.role)
    expect(status === 403, `${status}`).toBe(!isAllowed)
    expect(status).toBeLessThan(500)
    const { body } = await ask('GET', `/operator/audit-log?operation=${id}&limit=1000`, operatorKey)
    const found = body.data.filter((line: { requestId?: string }) => line.requestId === requestId)
    expect(found).toHaveLength(1)
    expect(found[0].actor).toMatch(/^Operator:/)
    if (!isAllowed) expect(found[0]).toMatchObject({ outcome: 'REFUSED', code: 'FORBIDDEN' })
  })
})
