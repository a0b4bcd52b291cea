import { readFileSync } from 'node:fs'
import { operations, retention } from '@corridor/engine/assembly/features.ts'
import { forgetOld } from '@corridor/engine/mechanisms/retention/retention.ts'
import type { Operation } from '@corridor/engine/vocabulary/operation.ts'
import type { Log } from '@corridor/kernel'
import { operatorKey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { basic } from '../e2e/raw-calls.ts'
import { bytesOfFiles, columnsInDatabase, placesInBackup, placesInGuide } from './canary-scan.ts'
import { prepareWrite } from './write-bodies.ts'

/**
 * Every operation that writes is sent texts that exist nowhere else, in each field that takes free text. What the guide to
 * personal data does not name as standing in plain text must hold none of them; once customers are erased, what it does
 * not name as staying; and once what is over has gone by itself, neither. That is so in the database, in a backup of it as
 * the command makes it, in the files, the log and the metrics.
 */

const dayMs = 24 * 60 * 60_000
const logged: string[] = []
const line = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
const log: Log = { debug: line, info: line, warn: line, error: line }

let server: TestServer
const watched = new Map<string, string>()

const writes = operations.filter(
  ({ method, auth }) =>
    (method === 'POST' || method === 'PATCH' || method === 'PUT') && (auth === 'basic' || auth === 'agent'),
)

/** Texts that people write: neither ids, nor words of a list, nor numbers, dates or addresses on the web. */
function isFreeText(text: string): boolean {
  return /^[\p{L}][\p{L} .,'#0-9-]{2,}$/u.test(text) && /\p{Ll}/u.test(text) && !/^\d|:\w|-.*-/.test(text)
}

let made = 0
const canary = /Zq[BCDFGHJKLM]{4}/g
const letters = (count: number) =>
  [...String(count).padStart(4, '0')].map((digit) => 'BCDFGHJKLM'[Number(digit)]).join('')

type Change = (body: unknown) => { body: unknown; own: Map<string, string> }

/** Bodies with a canary in every free text, and in optional texts that they leave out. */
function changesOf(operation: Operation): Change[] {
  const optional = optionalTexts(operation)
  return [
    (body) => withCanaries(operation, body, { added: optional }),
    (body) => withCanaries(operation, body, { added: [] }),
    ...optional.map(
      (name): Change =>
        (body) =>
          withCanaries(operation, body, { added: [name], only: true }),
    ),
  ]
}

function withCanaries(
  operation: Operation,
  body: unknown,
  { added, only = false }: { added: readonly string[]; only?: boolean },
) {
  const own = new Map<string, string>()
  const watch = (path: string) => {
    const text = `Zq${letters(made++)}`
    own.set(text, `${operation.id} ${path}`)
    return text
  }
  const walk = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each, index) => walk(each, `${path}[${index}]`))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, walk(member, path ? `${path}.${name}` : name)]),
      )
    }
    if (only || typeof value !== 'string' || !isFreeText(value)) return value
    return `${value} ${watch(path)}`
  }
  const changed = walk(body, '') as Record<string, unknown>
  for (const name of added) changed[name] ??= watch(name)
  return { body: changed, own }
}

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: unknown
  readonly const?: unknown
  readonly pattern?: unknown
  readonly format?: unknown
}

function optionalTexts({ body }: Operation): string[] {
  const collect = ({ properties = {}, anyOf = [], oneOf = [], allOf = [] }: Schema): string[] => [
    ...Object.entries(properties)
      .filter(
        ([, part]) => part.type === 'string' && !part.enum && !part.const && !part.pattern && !part.format,
      )
      .map(([name]) => name),
    ...[...anyOf, ...oneOf, ...allOf].flatMap(collect),
  ]
  return body ? [...new Set(collect(body as Schema))] : []
}

async function send(
  operation: Operation,
  change: (body: unknown) => { body: unknown; own: Map<string, string> },
) {
  const platform = await server.platform({ settings: { counterpartyRules: true } })
  const { path, body, headers, succeeds } = await prepareWrite(server, platform, operation)
  if (body === undefined || body instanceof FormData)
    return { ok: false, own: new Map<string, string>(), succeeds }
  const { body: changed, own } = change(body)
  const response = await server.fetch(`${server.baseUrl}${path}`, {
    method: operation.method,
    headers: {
      authorization: basic(platform),
      'content-type': 'application/json',
      'idempotency-key': `canary-${operation.id}`,
      ...headers,
    },
    body: JSON.stringify(changed),
  })
  await response.text()
  return { ok: response.ok, own, succeeds }
}

beforeAll(async () => {
  server = await startTestServer({ log, network: (async () => new Response('ok')) as typeof fetch })
  for (const operation of writes) {
    // All at once, then without what was added, then each alone: some refuse some texts.
    const attempts = [...changesOf(operation)]
    for (const change of attempts) {
      const { ok, own, succeeds } = await send(operation, change)
      if (ok || !succeeds) for (const [text, field] of own) watched.set(text, field)
      if (!succeeds) break
      if (ok && own.size > 0) break
    }
  }
  await server.settle()
})
afterAll(() => server.close({ audited: false }))

/** Whatever stood in plain at some time: the files of an embedded database hold it until its space is used again. */
const oncePlain = new Set<string>()
/** Those that the last scan found in the backup, so that it is known to have looked at one. */
let inBackup = new Set<string>()

/** Where which canaries are found, as `field in table.column`; in a backup as `backup: table.column`. */
async function sightings(): Promise<{ field: string; place: string }[]> {
  const places = await columnsInDatabase(server.engine.database)
  for (const text of watched.keys()) {
    for (const place of guide.plain) if (places.get(place)?.includes(text)) oncePlain.add(text)
  }
  inBackup = new Set()
  for (const [place, text] of await placesInBackup(server.engine.database)) {
    for (const found of text.match(canary) ?? []) inBackup.add(found)
    if (place === bytesOfFiles) places.set(place, withoutPlain(text))
    else places.set(place, `${places.get(place) ?? ''}\n${text}`)
  }
  for (const [key, bytes] of server.blobs.files) {
    places.set(`file ${key}`, Buffer.from(bytes).toString('latin1'))
  }
  places.set('log', logged.join('\n'))
  const metrics = await server.fetch('http://corridor.test/metrics', {
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  places.set('metrics', await metrics.text())
  return [...watched].flatMap(([text, field]) =>
    [...places].filter(([, found]) => found.includes(text)).map(([place]) => ({ field, place })),
  )
}

/** The canaries in these bytes that never stood in plain where they may. */
function withoutPlain(bytes: string): string {
  const inBytes = bytes.match(canary) ?? []
  return [...new Set(inBytes)].filter((text) => !oncePlain.has(text)).join('\n')
}

const guide = placesInGuide(
  readFileSync(new URL('../../docs/guides/personal-data.md', import.meta.url), 'utf8'),
)

it('reaches the operations that take texts', () => {
  expect(watched.size).toBeGreaterThan(30)
})

it('leaves texts in plain nowhere but where the guide says so', async () => {
  const outside = (await sightings()).filter(({ place }) => !guide.plain.has(place))
  expect(outside).toEqual([])
  expect([...oncePlain].filter((text) => !inBackup.has(text))).toEqual([])
  expect(oncePlain.size).toBeGreaterThan(5)
})

it('leaves nothing of an erased customer but what the guide says stays', async () => {
  await server.pass(40 * dayMs)
  const customers = await server.rows<{ id: string }>('select id from customers where true')
  for (const { id } of customers) {
    await server.rows('update customers set deleted_at = coalesce(deleted_at, created_at) where id = $1', [
      id,
    ])
    const response = await server.fetch(`http://corridor.test/operator/customers/${id}/erase`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    expect([204, 409]).toContain(response.status)
  }
  const outside = (await sightings()).filter(({ place }) => !guide.stays.has(place))
  expect(outside).toEqual([])
})

it('leaves no more once what is over has gone by itself', async () => {
  await server.pass(400 * dayMs)
  await forgetOld(
    server.engine.database,
    retention,
    { events: 90, deliveries: 14, messages: 30, requests: 7 },
    server.world.now(),
  )
  const outside = (await sightings()).filter(({ place }) => !guide.stays.has(place))
  expect(outside).toEqual([])
})
