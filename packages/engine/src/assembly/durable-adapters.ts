import type { Database } from '../mechanisms/db/database.ts'
import type { Adapters } from '../ports/adapters.ts'

type Confirmed = Pick<Database, 'server' | 'whenDurable'>

/**
 * Adapters that wait for durability. Before a caller hands money or a message to a third party, Corridor confirms that everything
 * the caller has read is durable. Concurrent calls share a confirmation. The embedded database, and a server without a
 * synchronous standby, need none.
 */
export function durableAdapters(adapters: Adapters, database: Confirmed): Adapters {
  return confirmedFirst(adapters, () => database.whenDurable(database.server()))
}

/** The same for work that began to read from a server: once another has taken over, it calls no third party. */
export function adaptersSince(durable: Adapters, database: Confirmed, since: string): Adapters {
  const isGone = () => database.server() !== since
  return confirmedFirst(durable, () => (isGone() ? database.whenDurable(since) : undefined))
}

function confirmedFirst(adapters: Adapters, confirm: () => Promise<void> | undefined): Adapters {
  const told = <T extends object>(port: T, methods: readonly (keyof T)[]): T =>
    waiting(port, methods, confirm)
  const { factors, lightning, cards, stablecoins } = adapters
  return {
    ...adapters,
    rail(railId) {
      const client = adapters.rail(railId)
      return client && told(client, ['submitPayout', 'submitPull', 'requestCancel'])
    },
    instructions(currency) {
      const issuer = adapters.instructions(currency)
      return issuer && told(issuer, ['forAccount', 'forQuote'])
    },
    identity: told(adapters.identity, ['decide']),
    ownership: told(adapters.ownership, ['startLiveness']),
    factors: { ...factors, liveness: told(factors.liveness, ['start']) },
    webhooks: told(adapters.webhooks, ['send']),
    messenger: told(adapters.messenger, ['sendEmail', 'sendSms']),
    peers: told(adapters.peers, ['get', 'post']),
    lightning: lightning && told(lightning, ['createInvoice', 'cancelInvoice', 'pay']),
    cards: cards && told(cards, ['provision']),
    stablecoins: stablecoins && told(stablecoins, ['submit']),
  }
}

/** Wraps a port. The named methods wait for the confirmation first. If it fails, they reject without calling the third party. */
function waiting<T extends object>(
  port: T,
  methods: readonly (keyof T)[],
  confirm: () => Promise<void> | undefined,
): T {
  const names: ReadonlySet<PropertyKey> = new Set(methods)
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (!names.has(name) || typeof method !== 'function') return method
      return (...parameters: unknown[]) => {
        const confirmed = confirm()
        if (!confirmed) return method.apply(target, parameters)
        return confirmed.then(() => method.apply(target, parameters))
      }
    },
  })
}
