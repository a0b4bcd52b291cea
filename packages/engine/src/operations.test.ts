import type { TObject } from 'typebox'
import { describe, expect, it } from 'vitest'
import { getCustomerById } from './customers/contract.ts'
import { errorRegistry } from './http/errors.ts'
import { openApiDocument } from './http/openapi.ts'
import type { Operation } from './http/operation.ts'
import { errorCodesOf } from './http/operation-errors.ts'
import { compileOperations } from './http/validate.ts'
import { operations } from './operations.ts'
import { routes } from './routes.ts'
import { webhooks } from './webhooks/contract.ts'

const compiled = compileOperations(operations, { checkReplies: true })

/** The permissions that suffice, by the groups of conventions 2.3 that are not MANAGE. */
const transacting = /^\/(quotes|transfer-(in|out)|sandbox\/(send|uma|internal-accounts|inbound-payments))/
const either = /^\/internal-accounts\/|\/confirm$/

function expectedPermissions({ method, path, tag, auth }: Operation): readonly string[] {
  if (auth === 'operator') return []
  if (method === 'GET' || path.startsWith('/crypto/')) return ['VIEW']
  if (tag === 'Contact Verification') return ['MANAGE']
  if (either.test(path)) return ['TRANSACT', 'MANAGE']
  if (transacting.test(path) || tag === 'Transactions') return ['TRANSACT']
  return ['MANAGE']
}

describe('every operation', () => {
  it('has an id and a path of its own', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(operations.length)
  })

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s compiles',
    (_id, operation) => {
      expect(compiled.has(operation)).toBe(true)
    },
  )

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s asks for the permission of its group',
    (_id, operation) => {
      expect(operation.permissions).toEqual(expectedPermissions(operation))
    },
  )

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s declares each path parameter and answers only known codes',
    (_id, operation) => {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = Object.keys((operation.params as { properties?: object })?.properties ?? {})
      expect(declared).toEqual(inPath)
      for (const code of errorCodesOf(operation)) expect(errorRegistry).toHaveProperty(code)
    },
  )

  it('lets every filter of a list be repeated that names a value (conventions 7)', () => {
    const single = /^(limit|cursor|sortOrder|(created|updated)(After|Before)|(start|end)Date|sendingAmount)$/
    const lists = operations.filter(
      ({ method, auth, responses }) =>
        method === 'GET' && auth === 'basic' && 'data' in ((responses[200] as TObject)?.properties ?? {}),
    )
    expect(lists.length).toBeGreaterThan(10)
    for (const { id, query } of lists) {
      for (const [name, schema] of Object.entries((query as TObject | undefined)?.properties ?? {})) {
        const { type } = schema as { type?: string }
        const isSingle = single.test(name) || type === 'boolean'
        expect(type === 'array', `${id} ${name}`).toBe(!isSingle)
      }
    }
  })

  it('is published exactly when it is served; the operator keeps a description of his own', () => {
    const served = routes.map(({ operation }) => operation).filter(({ auth }) => auth !== 'operator')
    const idsOf = (list: readonly Operation[]) => list.map(({ id }) => id).sort()
    expect(idsOf(operations.filter(({ auth }) => auth !== 'operator'))).toEqual(idsOf(served))
  })

  it('keeps every secret of its answer out of replays', () => {
    for (const { id, method, responses, secretFields = [] } of operations) {
      if (method !== 'POST' && method !== 'PATCH') continue
      const answered = Object.values(responses).flatMap((body) =>
        Object.keys((body as { properties?: object } | null)?.properties ?? {}),
      )
      const secrets = answered.filter((name) => /secret|accessToken|privateKey/i.test(name))
      expect([...secretFields], id).toEqual(secrets)
    }
  })

  it('is sandbox-only exactly below /sandbox', () => {
    for (const { id, path, sandboxOnly } of operations) {
      expect(sandboxOnly === true, id).toBe(path.startsWith('/sandbox/'))
    }
  })
})

describe('an answer', () => {
  it('leaves out what is only written, and what its schema does not name', () => {
    const write = compiled.get(getCustomerById)!.serialize.get(200)!
    const common = {
      platformCustomerId: 'a',
      currencies: ['USD'],
      umaAddress: '$a@b.example',
      isDeleted: false,
    }
    const times = { createdAt: '2025-10-13T09:30:00.000Z', updatedAt: '2025-10-13T09:30:00.000Z' }
    const customer = {
      id: 'Customer:1',
      customerType: 'INDIVIDUAL',
      kycStatus: 'APPROVED',
      ...common,
      ...times,
    }
    const text = write({ ...customer, identifier: '123-45-6789', secret: 'x' })
    expect(JSON.parse(text)).toEqual(customer)
  })
})

describe('every example', () => {
  const withExample = operations.filter(({ example }) => example !== undefined)

  it.each(withExample.map((operation) => [operation.id, operation] as const))(
    'of %s is a valid request',
    (_id, operation) => {
      const check = compiled.get(operation)!.body!
      expect(check(structuredClone(operation.example))).toBeUndefined()
    },
  )
})

describe('every event', () => {
  it('that an operation announces belongs to a webhook', () => {
    const declared = new Set(webhooks.flatMap(({ types }) => Object.keys(types)))
    for (const { id, events = [] } of operations) {
      for (const event of events) expect(declared.has(event), `${id}: ${event}`).toBe(true)
    }
  })

  it('belongs to one webhook only', () => {
    const types = webhooks.flatMap((webhook) => Object.keys(webhook.types))
    expect(new Set(types).size).toBe(types.length)
  })
})

describe('the document', () => {
  const text = JSON.stringify(openApiDocument(operations, webhooks))

  it('refers only to components that exist', () => {
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } }
    const names = new Set(Object.keys(components.schemas))
    const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!))
    expect([...used].filter((name) => !names.has(name))).toEqual([])
    expect([...names].filter((name) => !used.has(name) && !name.startsWith('Error'))).toEqual([])
  })

  it('names no schema by $id, which only the validator knows', () => {
    expect(text).not.toContain('"$id"')
  })
})
