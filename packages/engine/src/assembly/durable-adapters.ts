import type { Database } from '../mechanisms/db/database.ts'
import type { Adapters } from '../ports/adapters.ts'

type Confirmed = Pick<Database, 'server' | 'whenDurable'>

/**
 * Adapters that wait for durability. Before a caller hands money or a message to a third party, Corridor confirms that everything
 * the caller has read is durable. Concurrent calls share a confirmation. The embedded database, and a server without a
 * synchronous standby, need none.
 */
export function durableAdapters(adapters: Adapters, database: Confirmed): Adapters {
  const told = <T extends object>(port: T, methods: readonly (keyof T)[]): T =>
    confirmedFirst(port, methods, database)
  const { lightning, cards, stablecoins } = adapters
  return {
    ...adapters,
    rail(railId) {
      const client = adapters.rail(railId)
      return client && told(client, ['submitPayout', 'submitPull', 'requestCancel'])
    },
    webhooks: told(adapters.webhooks, ['send']),
    messenger: told(adapters.messenger, ['sendEmail', 'sendSms']),
    peers: told(adapters.peers, ['get', 'post']),
    lightning: lightning && told(lightning, ['createInvoice', 'cancelInvoice', 'pay']),
    cards: cards && told(cards, ['provision']),
    stablecoins: stablecoins && told(stablecoins, ['submit']),
  }
}

/** Wraps a port. The named methods wait for the confirmation first. If it fails, they reject without calling the third party. */
function confirmedFirst<T extends object>(
  port: T,
  methods: readonly (keyof T)[],
  { server, whenDurable }: Confirmed,
): T {
  const names: ReadonlySet<PropertyKey> = new Set(methods)
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (!names.has(name) || typeof method !== 'function') return method
      return (...parameters: unknown[]) => {
        const confirmed = whenDurable(server())
        if (!confirmed) return method.apply(target, parameters)
        return confirmed.then(() => method.apply(target, parameters))
      }
    },
  })
}
