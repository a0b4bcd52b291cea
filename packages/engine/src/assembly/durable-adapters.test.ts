import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../mechanisms/db/availability.ts'
import { engineFromNow } from '../mechanisms/db/durability.ts'
import type { Adapters } from '../ports/adapters.ts'
import { adaptersSince, durableAdapters } from './durable-adapters.ts'

/** Calls of third parties that arrived, by the names of port and method. */
const reached: string[] = []

/** A port that takes every call. */
const portOf = (port: string, methods: readonly string[]) =>
  Object.fromEntries(methods.map((method) => [method, async () => void reached.push(`${port}.${method}`)]))

/** Calls that leave something behind at a third party: money, a message, or the account of a person. */
const effects = {
  rail: ['submitPayout', 'submitPull', 'requestCancel'],
  instructions: ['forAccount', 'forQuote'],
  identity: ['decide', 'inspectDocument'],
  ownership: ['startLiveness'],
  liveness: ['start'],
  webhooks: ['send'],
  messenger: ['sendEmail', 'sendSms'],
  peers: ['get', 'post'],
  lightning: ['createInvoice', 'cancelInvoice', 'pay'],
  cards: ['provision'],
  stablecoins: ['submit'],
} as const
const all = Object.entries(effects).flatMap(([port, methods]) =>
  methods.map((method) => [port as keyof typeof effects, method] as const),
)

const ports = Object.fromEntries(
  Object.entries(effects).map(([port, methods]) => [port, portOf(port, methods)]),
)
const adapters = {
  ...ports,
  factors: { liveness: ports.liveness },
  rail: () => ports.rail,
  instructions: () => ports.instructions,
} as unknown as Adapters

function call(told: Adapters, port: keyof typeof effects, method: string): Promise<unknown> {
  return (portIn(told, port) as unknown as Record<string, () => Promise<unknown>>)[method]!()
}

function portIn(told: Adapters, port: keyof typeof effects) {
  if (port === 'liveness') return told.factors.liveness
  return port === 'rail' || port === 'instructions' ? told[port]('any') : told[port]
}

it.each(all)('%s.%s waits for the confirmation, and is not called without one', async (port, method) => {
  reached.length = 0
  let isAway = false
  const whenDurable = async () => {
    if (isAway) throw new DatabaseUnavailable('AWAY', 'no standby')
  }
  const told = durableAdapters(adapters, { server: () => 'one', whenDurable })
  await call(told, port, method)
  expect(reached).toEqual([`${port}.${method}`])
  isAway = true
  await expect(call(told, port, method)).rejects.toThrow('no standby')
  expect(reached).toHaveLength(1)
})

it('calls no third party for work that began before another server took over', async () => {
  reached.length = 0
  let current = 'one'
  const database = {
    server: () => current,
    whenDurable: (since: string) =>
      since === current ? Promise.resolve() : Promise.reject(new DatabaseUnavailable('AWAY', 'taken over')),
  }
  const durable = durableAdapters(adapters, database)
  const engine = {
    database,
    adapters: durable,
    adaptersSince: (server: string) => adaptersSince(durable, database, server),
  }
  const before = engineFromNow(engine)
  expect(engineFromNow(engine)).toBe(before)
  expect(engineFromNow(before)).toBe(before)
  await call(before.adapters, 'rail', 'submitPayout')
  current = 'two'
  await expect(call(before.adapters, 'rail', 'submitPayout')).rejects.toThrow('taken over')
  await call(engineFromNow(before).adapters, 'rail', 'submitPayout')
  expect(reached).toEqual(['rail.submitPayout', 'rail.submitPayout'])
})

it('lets work go on after a restart of a server without a standby', async () => {
  reached.length = 0
  const database = { server: () => 'two', whenDurable: () => undefined }
  const since = adaptersSince(durableAdapters(adapters, database), database, 'one')
  await call(since, 'rail', 'submitPayout')
  expect(reached).toEqual(['rail.submitPayout'])
})
