import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { type Operation, operation } from '../../vocabulary/operation.ts'
import { idOf, nullable, repeatable } from '../../vocabulary/shapes.ts'
import { webhook } from '../../vocabulary/webhook.ts'
import { openApiDocument } from './openapi.ts'

const Boat = Type.Object({ id: idOf('Customer'), name: nullable(Type.String()) }, { $id: 'Boat' })

const getBoat = operation({
  id: 'getBoat',
  method: 'GET',
  path: '/boats/{boatId}',
  tag: 'Boats',
  summary: 'Read a boat',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ boatId: Type.String() }),
  query: Type.Object({
    tag: Type.Optional(Type.Array(Type.String())),
    colour: Type.Optional(repeatable(Type.String({ description: 'Of the hull.' }))),
    sails: Type.Optional(Type.Integer({ 'x-excludes': 'oars', 'x-corridor-extension': true })),
  }),
  responses: { 200: Boat },
  errors: ['REFERENCE_NOT_FOUND'],
})

const createBoat = operation({
  id: 'createBoat',
  method: 'POST',
  path: '/boats',
  tag: 'Boats',
  summary: 'Build a boat',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: Type.Object({ name: Type.String() }, { $id: 'BoatRequest' }),
  responses: { 201: Boat, 202: null },
  errors: ['QUOTE_EXPIRED'],
  events: ['TEST'],
  example: { name: 'Ahoy' },
  extension: true,
})

const boatWebhook = webhook({
  name: 'boat',
  id: 'boatWebhook',
  summary: 'A boat',
  types: { TEST: 'A boat was built.' },
  component: 'BoatWebhook',
  data: Boat,
})

// biome-ignore lint/suspicious/noExplicitAny: a document is a deep tree of plain data
const document = openApiDocument([getBoat, createBoat], [boatWebhook]) as any

describe('an operation in the document', () => {
  it('documents a status for every code it can answer, its own and the shared ones', () => {
    expect(statusesOf('/boats/{boatId}', 'get')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      // A query too long for the headers is too large as well.
      '413',
      '429',
      '500',
      '503',
    ])
    expect(statusesOf('/boats', 'post')).toEqual([
      ...['201', '202', '400', '401', '403', '409', '413', '429', '500', '503'],
    ])
  })

  it('names its errors, events and permission in the description', () => {
    expect(document.paths['/boats'].post.description).toBe(
      'Permission: MANAGE.\n\nErrors: `QUOTE_EXPIRED`.\n\nEvents: `TEST`.',
    )
  })

  it('takes an idempotency key when it writes', () => {
    const names = (path: string, method: string) =>
      document.paths[path][method].parameters.map((parameter: { name: string }) => parameter.name)
    expect(names('/boats', 'post')).toEqual(['Idempotency-Key'])
    expect(names('/boats/{boatId}', 'get')).toEqual(['boatId', 'tag', 'colour', 'sails'])
  })

  it('repeats an array parameter', () => {
    const [, tag] = document.paths['/boats/{boatId}'].get.parameters
    expect(tag).toMatchObject({ in: 'query', required: false, style: 'form', explode: true })
  })

  it('shows the schema of one value of a filter that may be repeated', () => {
    const [, , colour] = document.paths['/boats/{boatId}'].get.parameters
    expect(colour).toEqual({
      name: 'colour',
      in: 'query',
      required: false,
      description: 'Of the hull. Repeat the parameter to match any of several values.',
      'x-repeatable': true,
      style: 'form',
      explode: true,
      schema: { type: 'string' },
    })
  })

  it('marks a parameter itself', () => {
    const [, , , sails] = document.paths['/boats/{boatId}'].get.parameters
    expect(sails).toEqual({
      name: 'sails',
      in: 'query',
      required: false,
      'x-excludes': 'oars',
      'x-corridor-extension': true,
      schema: { type: 'integer' },
    })
  })

  it('is marked when it is ours', () => {
    expect(document.paths['/boats'].post['x-corridor-extension']).toBe(true)
    expect(document.paths['/boats/{boatId}'].get).not.toHaveProperty('x-corridor-extension')
  })

  function statusesOf(path: string, method: string): string[] {
    return Object.keys(document.paths[path][method].responses)
  }
})

describe('an error in the document', () => {
  it('has all four members, and the codes of its status under their wire names', () => {
    const { Error401, Error413 } = document.components.schemas
    expect(Error401.required).toEqual(['status', 'code', 'message', 'details'])
    expect(Error401.properties.reason).toBeDefined()
    expect(Error413.properties.code.enum).toEqual(['INVALID_INPUT'])
  })
})

describe('a webhook in the document', () => {
  it('has the envelope around its data', () => {
    expect(document.webhooks.boat.post.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/BoatWebhook',
    })
    const { BoatWebhook } = document.components.schemas
    expect(BoatWebhook.required).toEqual(['id', 'type', 'timestamp', 'data'])
    expect(BoatWebhook.properties.data).toEqual({ $ref: '#/components/schemas/Boat' })
  })
})

describe('the document', () => {
  it('is the same whatever the order of the operations', () => {
    const operations: readonly Operation[] = [createBoat, getBoat]
    expect(JSON.stringify(openApiDocument(operations, [boatWebhook]))).toBe(JSON.stringify(document))
  })

  it('names the other forms in which an answer comes, a stream and prose, where it comes in one', () => {
    const typesOf = (more: Partial<Operation>, status = '200') => {
      const operation: Operation = { ...getBoat, responses: { 200: Boat, 201: Boat }, ...more }
      const { paths } = JSON.parse(JSON.stringify(openApiDocument([operation], [])))
      return Object.keys(paths['/boats/{boatId}'].get.responses[status].content)
    }
    expect(typesOf({})).toEqual(['application/json'])
    expect(typesOf({ isStream: true })).toEqual(['application/json', 'text/event-stream'])
    expect(typesOf({ asMarkdown: () => '' })).toEqual(['application/json', 'text/markdown'])
    expect(typesOf({ asMarkdown: () => '' }, '201')).toEqual(['application/json'])
  })

  it('leaves out what belongs to the operator', () => {
    const secret: Operation = {
      ...getBoat,
      id: 'sinkBoat',
      path: '/operator/boats',
      auth: 'operator',
      role: 'VIEWER',
    }
    expect(JSON.stringify(openApiDocument([getBoat, createBoat, secret], [boatWebhook]))).toBe(
      JSON.stringify(document),
    )
  })
})
