import type { TObject } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { Feature } from '../mechanisms/feature/define-feature.ts'
import { openApiDocument } from '../mechanisms/http/openapi.ts'
import { compileOperations } from '../mechanisms/http/validate.ts'
import { ledgerAccountKinds } from '../mechanisms/ledger/chart.ts'
import { getCustomerById } from '../people/customers/contract.ts'
import { areas } from '../vocabulary/areas.ts'
import { errorRegistry } from '../vocabulary/errors.ts'
import type { Operation } from '../vocabulary/operation.ts'
import { errorCodesOf } from '../vocabulary/operation-errors.ts'
import { features, operations, webhooks } from './features.ts'
import { tags } from './tags.ts'

const compiled = compileOperations(operations, { checkReplies: true })

/** The permissions that suffice, by the groups of conventions 2.3 that are not MANAGE. */
const transacting =
  /^\/(quotes|transfer-(in|out)|agents\/[^/]+\/actions\/[^/]+\/approve|stablecoins\/[^/]+\/(mints|burns)|sandbox\/(send|uma|internal-accounts|inbound-payments|cards|stablecoin-operations))/
const either =
  /^\/(internal-accounts|auth)\/|^\/sca\/(login\/|record-event)|\/(un)?trust$|^\/agents\/[^/]+\/actions\/[^/]+\/reject$|(?<!factors)\/confirm$/

/** What the policy of an agent has to allow (wallets 12.4). */
function policyPermissions(path: string, method: string): readonly string[] {
  const of = path.slice('/agents/me'.length)
  if (/^(|\/actions.*)$/.test(of)) return []
  if (of.startsWith('/transactions')) return ['VIEW_TRANSACTIONS']
  if (of === '/internal-accounts') return ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES']
  if (of.startsWith('/external-accounts')) return ['MANAGE_EXTERNAL_ACCOUNTS']
  if (of.startsWith('/transfer-')) return ['CREATE_TRANSFERS']
  if (of.endsWith('/execute')) return ['EXECUTE_QUOTES']
  return method === 'GET' ? [] : ['CREATE_QUOTES']
}

function expectedPermissions({ method, path, tag, auth }: Operation): readonly string[] {
  if (auth === 'operator' || auth === 'console' || auth === 'none') return []
  if (auth === 'agent') return policyPermissions(path, method)
  // Whoever takes deliveries takes the place of the endpoint, which is configured with MANAGE.
  if (path.startsWith('/webhook-listeners') && path + method !== '/webhook-listenersGET') return ['MANAGE']
  if (method === 'GET' || path.startsWith('/crypto/')) return ['VIEW']
  if (tag === 'Contact Verification') return ['MANAGE']
  if (either.test(path)) return ['TRANSACT', 'MANAGE']
  if (transacting.test(path) || tag === 'Transactions' || tag === 'Receivables') return ['TRANSACT']
  return ['MANAGE']
}

describe('what features declare', () => {
  const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)
  const all = <T>(read: (feature: Feature) => readonly T[] | undefined) =>
    features.flatMap((f) => read(f) ?? [])

  it('belongs to one feature only', () => {
    expect(repeated(features.map(({ name }) => name))).toEqual([])
    expect(repeated(all(({ idKinds }) => idKinds))).toEqual([])
    expect(
      repeated(all(({ tables = {} }) => [...(tables.guarded ?? []), ...(tables.inserted ?? [])])),
    ).toEqual([])
    expect(
      repeated([...all(({ jobs }) => jobs), ...all(({ sweeps }) => sweeps)].map(({ kind }) => kind)),
    ).toEqual([])
    expect(repeated(all(({ erasure }) => erasure).map(({ name }) => name))).toEqual([])
    expect(repeated(all(({ plainPages }) => plainPages).map(({ path }) => path))).toEqual([])
  })

  it('divides the chart of accounts among them', () => {
    expect(all(({ ledgerAccounts }) => ledgerAccounts).sort()).toEqual(Object.keys(ledgerAccountKinds).sort())
  })
})

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
    const single =
      /^(limit|cursor|sortOrder|(created|updated)(After|Before)|(start|end)Date|(sending|receiving)Amount|(min|max)Amount|session|q)$/
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

  it('keeps every secret of its answer out of replays', () => {
    // An operator's answers hold a credential one level down.
    for (const { id, method, auth, responses, secretFields = [] } of operations) {
      if (auth === 'operator') continue
      if (method !== 'POST' && method !== 'PATCH') continue
      type Body = { properties?: object; oneOf?: readonly { properties?: object }[] } | null
      const answered = Object.values(responses).flatMap((body) => {
        const { properties = {}, oneOf = [] } = (body as Body) ?? {}
        return [properties, ...oneOf.map((variant) => variant.properties ?? {})].flatMap(Object.keys)
      })
      const secrets = answered.filter((name) =>
        /secret|accessToken|privateKey|totpUri|recoveryCodes|SigningKey|panEmbedUrl/i.test(name),
      )
      expect([...secretFields], id).toEqual(secrets)
    }
  })

  it('is sandbox-only exactly below /sandbox, and where a program on somebody’s desk listens', () => {
    for (const { id, path, sandboxOnly } of operations) {
      expect(sandboxOnly === true, id).toBe(
        /^\/(sandbox|webhook-listeners|console\/start-link)(\/|$)/.test(path),
      )
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

  it('says of every tag what it is about, and keeps events apart from operations', () => {
    const published = JSON.parse(JSON.stringify(openApiDocument(operations, webhooks, { tags }))) as {
      tags: { name: string; description?: string }[]
      webhooks: Record<string, { post: { tags: string[] } }>
      paths: Record<string, Record<string, { tags: string[] }>>
    }
    for (const { name, description } of published.tags) expect(description, name).toMatch(/^[A-Z].*\.$/)
    const used = Object.values(published.paths).flatMap((path) =>
      Object.values(path).flatMap(({ tags }) => tags),
    )
    for (const { post } of Object.values(published.webhooks)) expect(used).not.toContain(post.tags[0])
    expect(Object.keys(tags).filter((name) => !used.includes(name))).toEqual([])
  })

  it('asks for no member that has a default', () => {
    const named: string[] = []
    JSON.parse(text, (_key, node) => {
      for (const name of Array.isArray(node?.required) ? (node.required as string[]) : []) {
        if (node.properties?.[name]?.default !== undefined) named.push(name)
      }
      if (node?.in !== undefined && node.required && node.schema?.default !== undefined) named.push(node.name)
      return node
    })
    expect(named).toEqual([])
  })

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

it('every operation of a platform is in an area that a token may be held to, and no area has one that is not there', () => {
  const known = new Set(operations.filter(({ auth }) => auth === 'basic').map(({ tag }) => tag))
  expect(new Set<string>(Object.values(areas).flat())).toEqual(known)
})
