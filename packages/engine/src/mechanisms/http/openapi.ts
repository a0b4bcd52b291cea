import type { TObject, TSchema } from 'typebox'
import { type ErrorEntry, entryOf, errorRegistry } from '../../vocabulary/errors.ts'
import type { Operation } from '../../vocabulary/operation.ts'
import { errorCodesOf } from '../../vocabulary/operation-errors.ts'
import { idempotencyHeaders } from '../../vocabulary/shapes.ts'
import { apiVersion } from '../../vocabulary/version.ts'
import type { Webhook } from '../../vocabulary/webhook.ts'
import { type Components, documentComponents, type PlainSchema } from './components.ts'
import {
  type Examples,
  noExamples,
  refusalExamples,
  requestExamples,
  successExample,
  withEvents,
} from './openapi-examples.ts'
import { schemes } from './schemes.ts'
import { surfaceOf } from './surfaces.ts'

/** What a document says beside its operations. */
export interface Publication {
  /** Where the server is reached, without the version; the default of CORRIDOR_BASE_URL when absent. */
  readonly baseUrl?: string
  /** What each tag of the operations is about. */
  readonly tags?: Readonly<Record<string, string>>
  /** Beside the schemas of bodies; without them a request shows what its operation declares. */
  readonly examples?: Examples
}

/** The tag of events, apart from the operations that are about webhooks: generators make a class of each tag. */
const eventsTag = {
  name: 'Webhook Events',
  description: 'Events that Corridor sends to the webhook endpoint of a platform.',
}

/**
 * The OpenAPI 3.1 document of these operations and webhooks. The same input gives the same bytes.
 * Operations of the operator are left out: they are not for platforms.
 */
export function openApiDocument(
  all: readonly Operation[],
  webhooks: readonly Webhook[],
  { baseUrl = 'http://localhost:8080', tags = {}, examples = noExamples }: Publication = {},
): PlainSchema {
  const operations = all.filter((operation) => surfaceOf(operation).isPublished)
  const components = documentComponents()
  const paths = pathsOf(operations, components, examples)
  const events = webhooksOf(webhooks, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Corridor',
      version: apiVersion,
      description: [
        'Move money for your customers across currencies and rails.',
        'Corridor ignores unknown body fields and parameters, unless an operation says otherwise. In a request that creates a resource, `null` for an optional field has the same effect as omitting the field. In a PATCH, `null` clears a nullable field and causes a 400 error for any other field.',
        'A fork of the sandbox is available at `/w/{name}` in front of the version segment. If the fork does not exist, every operation returns 404 `REFERENCE_NOT_FOUND`, even if the operation does not list a 404.',
      ].join('\n\n'),
      contact: { name: 'The operator of this installation', url: `${baseUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: serversOf(baseUrl),
    tags: [...tagsOf(operations, tags), ...(webhooks.length > 0 ? [eventsTag] : [])],
    paths,
    webhooks: events,
    components: {
      securitySchemes: {
        BasicAuth: {
          type: 'http',
          scheme: 'basic',
          description: 'Client id and client secret of a token.',
        },
        AgentAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'Access token that an agent received in exchange for its device code.',
        },
        WebhookSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Service-Signature',
          description: 'ECDSA P-256 over SHA-256 of the exact body, DER-encoded, in base64.',
        },
      },
      schemas: { ...withEvents(components.all(), webhooks, examples), ...errorSchemas() },
    },
  }
}

/** Absolute, so that a client that was generated from a downloaded document finds the server. */
export function serversOf(baseUrl: string): PlainSchema[] {
  return [{ url: `${baseUrl}/${apiVersion}`, description: 'This installation.' }]
}

function tagsOf(
  operations: readonly Operation[],
  described: Readonly<Record<string, string>>,
): PlainSchema[] {
  const names = [...new Set(operations.map(({ tag }) => tag))].sort()
  return names.map((name) => ({ name, ...(name in described ? { description: described[name] } : {}) }))
}

function pathsOf(operations: readonly Operation[], components: Components, examples: Examples): PlainSchema {
  const paths: Record<string, PlainSchema> = {}
  for (const operation of inPathOrder(operations)) {
    const others = paths[operation.path] ?? {}
    paths[operation.path] = {
      ...others,
      [operation.method.toLowerCase()]: operationObject(operation, components, examples),
    }
  }
  return paths
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function inPathOrder(operations: readonly Operation[]): readonly Operation[] {
  return [...operations].sort((a, b) => {
    if (a.path !== b.path) return a.path < b.path ? -1 : 1
    return methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method)
  })
}

function operationObject(operation: Operation, components: Components, examples: Examples): PlainSchema {
  const { body } = operation
  const { documentedAs } = schemes[operation.auth]
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: describe(operation),
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...(operation.extension ? { 'x-corridor-extension': true } : {}),
    ...(documentedAs !== undefined ? { 'x-permissions': [...operation.permissions] } : {}),
    security: documentedAs === undefined ? [] : [{ [documentedAs]: [] }],
    parameters: parametersOf(operation, components),
    ...(body ? { requestBody: requestBody(operation, body, components, examples) } : {}),
    responses: { ...successes(operation, components, examples), ...failures(operation, examples) },
  }
}

function describe(operation: Operation): string {
  const lines = operation.description ? [operation.description] : []
  if (operation.sandboxOnly) lines.push('Requires sandbox credentials.')
  if (operation.permissions.length > 0) lines.push(`Permission: ${operation.permissions.join(' or ')}.`)
  if (operation.errors.length > 0) lines.push(`Errors: ${listOfCodes(operation.errors)}.`)
  if (operation.events) lines.push(`Events: ${listOfCodes(operation.events)}.`)
  return lines.join('\n\n')
}

function listOfCodes(codes: readonly string[]): string {
  return codes.map((code) => `\`${code}\``).join(', ')
}

function parametersOf(operation: Operation, components: Components): PlainSchema[] {
  const isWrite = operation.method === 'POST' || operation.method === 'PATCH'
  const own = operation.headers as TObject | undefined
  const headers = { ...(isWrite ? idempotencyHeaders.properties : {}), ...own?.properties }
  const required: readonly string[] = own?.required ?? []
  return [
    ...parametersIn('path', operation.params, components),
    ...parametersIn('query', operation.query, components),
    ...Object.entries(headers).map(([name, schema]) =>
      parameter('header', name, schema, required.includes(name), components),
    ),
  ]
}

function parametersIn(place: string, schema: TSchema | undefined, components: Components): PlainSchema[] {
  if (!schema) return []
  const { properties, required = [] } = schema as TObject
  return Object.entries(properties).map(([name, field]) =>
    parameter(place, name, field, (required as string[]).includes(name), components),
  )
}

function parameter(
  place: string,
  name: string,
  field: TSchema,
  isRequired: boolean,
  components: Components,
): PlainSchema {
  const isRepeatable = 'x-repeatable' in field
  const one = isRepeatable ? (field as unknown as { items: TSchema }).items : field
  const { description, ...declared } = components.reference(one)
  const isMark = ([keyword]: [string, unknown]) => keyword.startsWith('x-')
  const marks = Object.fromEntries(Object.entries(declared).filter(isMark))
  const schema: PlainSchema = Object.fromEntries(Object.entries(declared).filter((each) => !isMark(each)))
  const said = [
    description,
    ...(isRepeatable ? ['Repeat the parameter to match any of several values.'] : []),
  ].filter(Boolean)
  return {
    name,
    in: place,
    required: isRequired,
    ...(said.length > 0 ? { description: said.join(' ') } : {}),
    ...(isRepeatable ? { 'x-repeatable': true } : {}),
    ...marks,
    ...(isRepeatable || schema.type === 'array' ? { style: 'form', explode: true } : {}),
    schema,
  }
}

function requestBody(
  operation: Operation,
  body: TSchema,
  components: Components,
  examples: Examples,
): PlainSchema {
  const type = operation.bodyType === 'multipart' ? 'multipart/form-data' : 'application/json'
  return {
    required: !operation.bodyOptional,
    content: { [type]: { schema: components.reference(body), ...requestExamples(examples, operation) } },
  }
}

const successNames: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'The request was accepted, but another step is required.',
  204: 'The operation succeeded, and the response has no body.',
}

function successes(operation: Operation, components: Components, examples: Examples): PlainSchema {
  const out: PlainSchema = {}
  for (const [status, schema] of Object.entries(operation.responses)) {
    out[status] = {
      description: successNames[Number(status)] ?? 'Done.',
      ...(schema
        ? {
            content: {
              'application/json': {
                schema: components.reference(schema),
                ...successExample(examples, operation, status),
              },
              ...(operation.isStream ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
              // As it is sent: of a success alone.
              ...(operation.asMarkdown && status === '200'
                ? { 'text/markdown': { schema: { type: 'string' } } }
                : {}),
            },
          }
        : {}),
    }
  }
  return out
}

function failures(operation: Operation, examples: Examples): PlainSchema {
  const byStatus = new Map<number, string[]>()
  for (const code of errorCodesOf(operation)) {
    const entry = entryOf(code)
    byStatus.set(entry.status, [...(byStatus.get(entry.status) ?? []), entry.wireCode ?? code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, wireCodes]) => [
      status,
      failure(status, wireCodes, refusalExamples(examples, operation, status)),
    ]),
  )
}

function failure(status: number, wireCodes: readonly string[], shown: PlainSchema): PlainSchema {
  return {
    description: listOfCodes(wireCodes),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/Error${status}` }, ...shown } },
  }
}

/** One component per status, whose `code` lists every code of the registry with that status. */
function errorSchemas(): Record<string, PlainSchema> {
  const byStatus = new Map<number, string[]>()
  for (const [code, entry] of Object.entries<ErrorEntry>(errorRegistry)) {
    byStatus.set(entry.status, [...(byStatus.get(entry.status) ?? []), entry.wireCode ?? code])
  }
  const schemas = [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => errorSchema(status, codes))
  return { ...Object.fromEntries(schemas), FieldError: fieldErrorSchema }
}

function errorSchema(status: number, codes: readonly string[]): [string, PlainSchema] {
  const reason = { type: 'string', description: 'Authentication check that failed.' }
  const properties = {
    status: { type: 'integer', enum: [status] },
    code: { type: 'string', enum: [...codes].sort() },
    message: { type: 'string', description: 'Explanation for people. The text may change.' },
    details: errorDetails(status),
    ...(status === 401 ? { reason } : {}),
  }
  return [
    `Error${status}`,
    { type: 'object', required: ['status', 'code', 'message', 'details'], properties },
  ]
}

function errorDetails(status: number): PlainSchema {
  const details = {
    type: 'object',
    additionalProperties: true,
    description: 'Empty if there are no details.',
  }
  if (status !== 400) return details
  const errors = { type: 'array', items: { $ref: '#/components/schemas/FieldError' } }
  const field = { type: 'string', description: 'The invalid field, if there is exactly one.' }
  return { ...details, properties: { errors, field } }
}

const fieldErrorSchema: PlainSchema = {
  type: 'object',
  required: ['field'],
  properties: {
    field: {
      type: 'string',
      description: 'Path of the field, with dots and array indexes.',
      examples: ['currencies.1'],
    },
    message: { type: 'string' },
    constraint: {
      type: 'object',
      properties: {
        format: { type: 'string' },
        pattern: { type: 'string' },
        enum: { type: 'array', items: { type: 'string' } },
        minLength: { type: 'integer' },
        maxLength: { type: 'integer' },
      },
    },
  },
}

function webhooksOf(webhooks: readonly Webhook[], components: Components): PlainSchema {
  const byName = [...webhooks].sort((a, b) => (a.name < b.name ? -1 : 1))
  return Object.fromEntries(
    byName.map((webhook) => [webhook.name, { post: webhookObject(webhook, components) }]),
  )
}

function webhookObject(webhook: Webhook, components: Components): PlainSchema {
  const types = Object.entries(webhook.types).map(([type, meaning]) => `- \`${type}\`: ${meaning}`)
  const answers = webhook.answers ?? { 200: { description: 'Received.' } }
  return {
    operationId: webhook.id,
    tags: [eventsTag.name],
    summary: webhook.summary,
    description: [...(webhook.description ? [webhook.description] : []), types.join('\n')].join('\n\n'),
    security: [{ WebhookSignature: [] }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.reference(webhook.payload),
        },
      },
    },
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, { description, body }]) => [
        status,
        {
          description,
          ...(body ? { content: { 'application/json': { schema: components.reference(body) } } } : {}),
        },
      ]),
    ),
  }
}
