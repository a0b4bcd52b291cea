import fc from 'fast-check'

/** Values for the schemas of the published document: right ones mostly, and what hostile callers send instead. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

export interface PublishedOperation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

export interface PublishedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, PublishedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Every operation of the document with its method and path. */
export function operationsOf({ paths }: PublishedDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const hostile = fc.constantFrom<unknown>(
  null,
  '',
  0,
  -1,
  0.1,
  1e300,
  Number.MAX_SAFE_INTEGER + 2,
  true,
  [],
  {},
  [[]],
  '\0',
  '\ud800',
  '\u202e',
  'é'.repeat(300),
  'x'.repeat(3_000),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "' or 1=1 --",
  '{{7*7}}',
  '9'.repeat(400),
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999+14:00',
  'http://[::1',
  'Customer:00000000-0000-7000-8000-000000000000',
  { toString: 1, length: -1 },
  JSON.parse('{"__proto__":{"a":1}}'),
)

const uuid = fc.uuid({ version: 7 })

/** A value that a schema accepts, as far as it says so; with `isHostile`, now and then another. */
export function valuesFor(
  schema: Schema,
  document: PublishedDocument,
  isHostile: boolean,
  depth = 0,
): fc.Arbitrary<unknown> {
  const good = goodValuesFor(schema, document, isHostile, depth)
  return isHostile ? fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: hostile }) : good
}

function goodValuesFor(
  schema: Schema,
  document: PublishedDocument,
  isHostile: boolean,
  depth: number,
): fc.Arbitrary<unknown> {
  const inner = (part: Schema) => valuesFor(part, document, isHostile, depth + 1)
  if (schema.$ref)
    return goodValuesFor(
      document.components.schemas[schema.$ref.split('/').at(-1)!]!,
      document,
      isHostile,
      depth,
    )
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) return fc.oneof(...branches.map(inner))
  if (schema.allOf && !schema.properties) return inner(schema.allOf[0]!)
  const type = [schema.type].flat()[0]
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000_000, 2 ** 31 - 1) })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(inner(schema.items ?? {}), { maxLength: depth > 4 ? 0 : 2 })
    case 'null':
      return fc.constant(null)
    default:
      return objectOf(schema, inner, depth)
  }
}

function objectOf(
  { properties = {}, required = [] }: Schema,
  inner: (part: Schema) => fc.Arbitrary<unknown>,
  depth: number,
) {
  const kept = Object.entries(properties).filter(([name]) => depth < 5 || required.includes(name))
  const members = Object.fromEntries(kept.map(([name, part]) => [name, inner(part)]))
  return fc.record(members, {
    requiredKeys: kept.map(([name]) => name).filter((name) => required.includes(name)),
  })
}

function textOf({ pattern, format, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  const kinds = /^\^\(?([A-Z][A-Za-z|]+)\)?:\[0-9a-f\]/.exec(pattern ?? '')?.[1]?.split('|')
  if (kinds) return fc.tuple(fc.constantFrom(...kinds), uuid).map(([kind, id]) => `${kind}:${id}`)
  switch (format) {
    case 'date':
      return fc.constantFrom('1990-04-23', '2001-02-29')
    case 'date-time':
      return fc.constantFrom('2025-10-13T09:30:00Z', '2025-10-13T09:30:00.000+02:00')
    case 'email':
      return fc.emailAddress()
    case 'uri':
      return fc.webUrl()
    default:
      return pattern?.startsWith('^\\+')
        ? fc.constant('+14155551234')
        : fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
  }
}
