import { retention } from '@corridor/engine/assembly/features.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import {
  forgetOld,
  lookedAtAtOnce,
  type RetentionDays,
  removeOld,
} from '@corridor/engine/mechanisms/retention/retention.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import { internalAccountOf, openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { customerApi } from '../e2e/customer-api.ts'
import { planByIndex } from './plans.ts'

/** What goes by itself, and how it is found among all that stays. */

const server = await openTestServer()
const { database } = server.engine
const dayMs = 24 * 60 * 60_000
const forget = (days: RetentionDays) => forgetOld(database, retention, days, server.world.now())

const insertEvents = statement(
  'test.retention.insertEvents',
  // Ids rise with time, as those of events do.
  `insert into events (platform_id, environment, id, type, resource_id, body, status, created_at, last_response)
   select $1, $2, 'Webhook:' || $6 || lpad(n::text, 8, '0'), 'TEST', 'Thing:' || n, '{}', $3, $4, 'said'
   from generate_series(1, $5::int) n`,
)
const countEvents = statement(
  'test.retention.countEvents',
  `select status, count(*) as count, count(last_response) as answered from events
   where platform_id = $1 and environment = $2 group by status order by status`,
)
const moveClock = statement(
  'test.retention.moveClock',
  'update books set clock_offset_ms = $3 where platform_id = $1 and environment = $2',
)

let made = 0
/** The front of an id of that time. */
function idAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${String(made++).padStart(3, '0')}-8000-0000`
}

function events(book: Book) {
  const { platformId, environment } = book
  return {
    insert: (status: string, ageDays: number, count: number) => {
      const at = new Date(server.world.now() - ageDays * dayMs).toISOString()
      return database.read(book, insertEvents, [
        platformId,
        environment,
        status,
        at,
        count,
        idAt(Date.parse(at)),
      ])
    },
    count: async () => {
      const rows = await database.read<{ status: string; count: bigint; answered: bigint }>(
        book,
        countEvents,
        [platformId, environment],
      )
      return rows.map(({ status, count, answered }) => `${status} ${count} ${answered}`)
    },
  }
}

it('removes events that were told, however many, in small transactions, and none that may still be told', async () => {
  const { insert, count } = events(await server.platform())
  await insert('RETRYING', 40, 3)
  await insert('DELIVERED', 40, 2 * lookedAtAtOnce + 500)
  await insert('FAILED', 40, 2)
  await insert('STORED', 40, 2)
  await insert('DELIVERED', 29, 4)
  const sizes: bigint[] = []
  const watched = {
    ...database,
    maintenance: (work: Parameters<typeof database.maintenance>[0]) =>
      database.maintenance(async (connection) => {
        const rows = (await work(connection)) as { removed: bigint }[]
        sizes.push(rows[0]!.removed)
        return rows
      }),
  } as typeof database
  await forgetOld(watched, retention, { events: 30 }, server.world.now())
  expect(await count()).toEqual(['DELIVERED 4 4', 'RETRYING 3 3'])
  expect(sizes.every((size) => size <= BigInt(lookedAtAtOnce))).toBe(true)
  expect(sizes.length).toBeGreaterThanOrEqual(3)
})

it('removes what endpoints answered before the events themselves', async () => {
  const { insert, count } = events(await server.platform())
  await insert('FAILED', 20, 3)
  await insert('FAILED', 5, 2)
  await forget({ events: 30, deliveries: 14 })
  expect(await count()).toEqual(['FAILED 5 2'])
})

it('removes what was answered to attempts when it is old, and with its event', async () => {
  const platform = await server.platform()
  const { platformId, environment } = platform
  const at = new Date(server.world.now() - 20 * dayMs).toISOString()
  await events(platform).insert('FAILED', 40, 1)
  const [event] = await server.rows<{ id: string }>('select id from events where platform_id = $1', [
    platformId,
  ])
  const answer = (eventId: string) =>
    server.rows(
      `insert into webhook_answers (platform_id, environment, id, event_id, via, attempt, body, created_at)
       values ($1, $2, $3 || ' endpoint 1', $3, 'endpoint', 1, 'sealed', $4)`,
      [platformId, environment, eventId, at],
    )
  const left = async () =>
    (await server.rows('select id from webhook_answers where platform_id = $1', [platformId])).length
  await answer(event!.id)
  await forget({ events: 10 })
  // The event went before its answer in this round, or goes in the next.
  await forget({ events: 10 })
  expect(await left()).toBe(0)
  await answer(`Webhook:${idAt(Date.parse(at))}`)
  await forget({ deliveries: 30 })
  expect(await left()).toBe(1)
  await forget({ deliveries: 14 })
  expect(await left()).toBe(0)
})

it('removes nothing for which no time is set', async () => {
  const { insert, count } = events(await server.platform())
  await insert('DELIVERED', 4_000, 1)
  await forget({})
  await forget({ events: 0, deliveries: 0 })
  expect(await count()).toEqual(['DELIVERED 1 1'])
})

it('goes by the clock of each book', async () => {
  const moved = await server.platform()
  await database.read(moved, moveClock, [moved.platformId, moved.environment, 100 * dayMs])
  const [ahead, onTime] = [events(moved), events(await server.platform())]
  for (const { insert } of [ahead, onTime]) await insert('DELIVERED', 0, 1)
  await forget({ events: 90 })
  expect(await ahead.count()).toEqual([])
  expect(await onTime.count()).toEqual(['DELIVERED 1 1'])
})

it('removes messages and requests that are over, and no young one', async () => {
  const { platform, api, customer } = await customerApi(server)
  const ask = async (name: string) => {
    const { id } = await customer({ email: `${name}@retention.example`, region: 'US', currencies: ['USD'] })
    const wallet = await internalAccountOf(api, id, 'USDB')
    await api.PATCH('/internal-accounts/{id}', {
      params: { path: { id: wallet.id } },
      body: { privateEnabled: true },
    })
    const german = await customer({ email: `${name}@german.example`, region: 'DE' })
    await api.POST('/customers/{customerId}/verify-email', { params: { path: { customerId: german.id } } })
  }
  const left = async () => {
    const counts: number[] = []
    for (const table of ['messages', 'signed_requests']) {
      const text = `select count(*) as count from ${table} where platform_id = $1`
      const [row] = await server.rows<{ count: bigint }>(text, [platform.platformId])
      counts.push(Number(row!.count))
    }
    return counts
  }
  await ask('old')
  expect(await left()).toEqual([1, 1])
  await server.settle()
  await server.pass(20 * dayMs)
  await forget({ messages: 30, requests: 30 })
  expect(await left()).toEqual([1, 1])
  await ask('young')
  await server.settle()
  await forget({ messages: 10, requests: 10 })
  expect(await left()).toEqual([1, 1])
})

it('removes what listeners have tried, but nothing that one of them still has to know', async () => {
  const platform = await server.platform()
  const { platformId, environment } = platform
  const time = (days: number) => new Date(server.world.now() - days * dayMs).toISOString()
  const listener = (id: string, connectedDays: number, doneDays: number) =>
    server.rows(
      `insert into webhook_listeners (platform_id, environment, id, name, session, only_here, done_until,
         next_done_until, next_since, connected_until, created_at, updated_at)
       values ($1, $2, $3, $3, '', false, $4, $4, $4, $5, $6, $6)`,
      [platformId, environment, id, time(doneDays), time(connectedDays), time(60)],
    )
  const attempt = (by: string, event: string, status: string, days: number) =>
    server.rows(
      `insert into webhook_attempts (platform_id, environment, listener_id, event_id, status, attempts, milliseconds,
         attempted_at) values ($1, $2, $3, $4, $5, 1, 1, $6)`,
      [platformId, environment, by, event, status, time(days)],
    )
  await listener('there', 1, 5)
  await listener('behind', 1, 40)
  await listener('gone', 30, 45)
  for (const by of ['there', 'behind', 'gone']) {
    await attempt(by, 'Webhook:1', 'DELIVERED', 35)
    await attempt(by, 'Webhook:2', 'RETRYING', 35)
    await attempt(by, 'Webhook:3', 'DELIVERED', 3)
  }
  const left = async () => {
    const rows = await server.rows<{ by: string; event: string }>(
      `select listener_id as by, event_id as event from webhook_attempts where platform_id = $1 order by 1, 2`,
      [platformId],
    )
    return rows.map(({ by, event }) => `${by} ${event.slice(-1)}`)
  }
  await forget({})
  expect(await left()).toHaveLength(9)
  await forget({ deliveries: 14 })
  expect(await left()).toEqual(['behind 1', 'behind 2', 'behind 3', 'gone 3', 'there 2', 'there 3'])

  // A sandbox that is a year ahead keeps who is connected now.
  await database.read(platform, moveClock, [platformId, environment, 365 * dayMs])
  await forget({ deliveries: 14 })
  expect(await left()).toEqual(['behind 1', 'behind 2', 'behind 3', 'there 2', 'there 3'])
})

it.each(retention.map((each) => [`${each.of} in ${each.table}`, each] as const))(
  'finds %s along an index',
  async (_name, each) => {
    const at = new Date(server.world.now()).toISOString()
    const parameters = [at, '', lookedAtAtOnce]
    const nodes = await planByIndex(database, { statement: removeOld(each), parameters })
    const about = JSON.stringify(nodes)
    expect(
      nodes.filter((node) => /^Sort$/.test(node['Node Type'])),
      about,
    ).toEqual([])
    const read = nodes.filter(
      (node) => node['Relation Name'] === each.table && /Scan/.test(node['Node Type']),
    )
    expect(read.length, about).toBeGreaterThan(0)
    const first = each.keys?.[0] ?? 'id'
    const byPlace = read.filter((node) => node['Node Type'] === 'Tid Scan')
    expect(byPlace, about).toHaveLength(1)
    for (const node of read.filter((node) => !byPlace.includes(node)))
      expect(node['Index Cond'], about).toMatch(new RegExp(`\\(${first} [>=]`))
  },
)
