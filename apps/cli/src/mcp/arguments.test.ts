import type { Corridor } from '@corridor/sdk'
import { effort } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { confirmations } from './confirmations.ts'
import { operationSchemas } from './operation-schemas.ts'
import { answering } from './protocol.ts'
import { toolsOf } from './tools.ts'

/** Arguments as models make them up, and lines that are no requests. */

let touched = 0
/** A client that nothing may be asked of: every property is a function that counts its calls. */
const untouched: unknown = new Proxy(() => {}, {
  get: (_target, name) => (name === 'then' ? undefined : untouched),
  apply: () => {
    touched++
    return Promise.resolve({})
  },
})

const tools = toolsOf({
  client: untouched as Corridor,
  schemas: operationSchemas(async () => ({})),
  confirmations: confirmations(
    () => 0,
    () => 'word',
  ),
  mayWrite: true,
  means: { sleep: async () => {}, uuid: () => 'word' },
})

interface Schema {
  readonly properties: Readonly<Record<string, { type: string; enum?: string[]; minimum?: number }>>
  readonly required: readonly string[]
}

const toolNamed = (name: string) => tools.find((tool) => tool.name === name)!
const schemaOf = (name: string) => toolNamed(name).inputSchema as Schema

/** Right arguments: the required ones. */
function rightArguments({ properties, required }: Schema): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => {
      const { type, enum: allowed, minimum = 1 } = properties[name]!
      return [name, allowed?.[0] ?? { string: 'x', integer: minimum, object: {} }[type]]
    }),
  )
}

beforeEach(() => {
  touched = 0
})

async function expectRefusal(name: string, given: unknown, words: string) {
  const { text, isError } = await toolNamed(name).run(given)
  expect({ text, isError }).toEqual({ text: expect.stringContaining(words), isError: true })
  expect(touched).toBe(0)
}

describe('arguments of tools', () => {
  it.each([
    ['search_operations', { q: 'x' }, '`query` is required. Unknown argument "q". The arguments are query.'],
    ['clock', { advance: 'banana' }, 'Unknown argument "advance". The arguments are seconds, until.'],
    ['explain', {}, '`id` is required.'],
    ['explain', { id: '' }, '`id` must not be empty.'],
    ['explain', { id: null }, '`id` must be a string.'],
    ['clock', { seconds: '60' }, '`seconds` must be an integer.'],
    ['clock', { seconds: 0 }, '`seconds` must be at least 1.'],
    ['clock', { until: 'noon' }, '`until` must be one of NEXT, QUIET.'],
    ['audit', { verbose: true }, 'Unknown argument "verbose". The tool takes no arguments.'],
    ['fund', { accountId: 'a', amount: 1.5 }, '`amount` must be an integer.'],
    ['call_operation', { id: 'createCustomer', body: '{}' }, '`body` must be an object.'],
    ['call_operation', { id: 'getCustomerById', path: { customerId: '' } }, '`path.customerId` is required.'],
    ['pay', { confirm: 'w', from: 'a' }, 'executes the quote from the dry run'],
    ['pay', {}, '`from` and `to` are required.'],
    ['list_payments', [], 'arguments must be an object.'],
    ['list_payments', 'all', 'arguments must be an object.'],
  ])('%s %j: %s', expectRefusal)

  it('refuses what no schema declares, for every tool and argument', async () => {
    const named = fc.constantFrom(...tools.map(({ name }) => name))
    await fc.assert(
      fc.asyncProperty(named, fc.string(), fc.jsonValue(), fc.nat(), async (name, key, value, pick) => {
        const schema = schemaOf(name)
        const right = rightArguments(schema)
        if (!Object.hasOwn(schema.properties, key)) {
          const unknown = Object.fromEntries([...Object.entries(right), [key, value]])
          await expectRefusal(name, unknown, 'argument')
        }
        const missing = schema.required[pick % schema.required.length]
        if (missing !== undefined) {
          const { [missing]: _, ...rest } = right
          await expectRefusal(name, rest, `\`${missing}\` is required.`)
        }
        const wrong = Object.keys(schema.properties)[pick % Object.keys(schema.properties).length]
        if (wrong === undefined || isOfType(value, schema.properties[wrong]!)) return
        await expectRefusal(name, { ...right, [wrong]: value }, `\`${wrong}\` must`)
      }),
      { numRuns: effort(500, 20_000) },
    )
  })
})

function isOfType(value: unknown, { type, enum: allowed, minimum }: Schema['properties'][string]): boolean {
  if (allowed) return allowed.includes(value as string)
  if (type === 'integer') return Number.isInteger(value) && (value as number) >= (minimum ?? -Infinity)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === 'string' && value !== ''
}

describe('the protocol', () => {
  const initialize = (protocolVersion: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion } })
  const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' })
  const started = async (version: unknown) => {
    const answer = answering(tools, 'test')
    return { answer, agreed: JSON.parse((await answer(initialize(version)))!).result.protocolVersion }
  }

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2024-10-07', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
    [7, '2025-11-25'],
  ])('of a client that asks for %s is %s', async (asked, expected) => {
    expect((await started(asked)).agreed).toBe(expected)
  })

  it('answers batches in the version that has them, and in no other', async () => {
    const batch = JSON.stringify([ping(1), { jsonrpc: '2.0', method: 'notifications/x' }, 7, ping('b')])
    const { answer } = await started('2025-03-26')
    expect(JSON.parse((await answer(batch))!)).toMatchObject([
      { id: 1, result: {} },
      { id: null, error: { code: -32600 } },
      { id: 'b', result: {} },
    ])
    expect(await answer(JSON.stringify([{ jsonrpc: '2.0', method: 'notifications/x' }]))).toBeUndefined()
    for (const refused of [[], Array.from({ length: 101 }, ping)]) {
      expect(JSON.parse((await answer(JSON.stringify(refused)))!).error.code).toBe(-32600)
    }
    const newest = await started('2025-11-25')
    expect(JSON.parse((await newest.answer(batch))!).error.code).toBe(-32600)
  })

  it('survives every line', async () => {
    const { answer } = await started('2025-03-26')
    const method = fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call', 'x')
    const params = fc.oneof(
      fc.jsonValue(),
      fc.record({ name: fc.constantFrom('explain', 'audit', 'x'), arguments: fc.jsonValue() }),
    )
    const request = fc.record({ jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method, params })
    await fc.assert(
      fc.asyncProperty(fc.oneof(request, fc.jsonValue(), fc.array(request)), async (message) => {
        const answered = await answer(JSON.stringify(message))
        for (const each of [JSON.parse(answered ?? '[]')].flat()) expect(each.jsonrpc).toBe('2.0')
      }),
      { numRuns: effort(300, 20_000) },
    )
  })
})
