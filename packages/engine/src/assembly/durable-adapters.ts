import type { Database } from '../mechanisms/db/database.ts'
import type { Adapters } from '../ports/adapters.ts'

type Confirmed = Pick<Database, 'server' | 'whenDurable'>

/**
 * The outside world, told only of what is durable. Whatever a caller has read when it hands money or a message over is
 * confirmed first; the calls of one moment share a confirmation. The embedded database and a server without a synchronous
 * standby have nothing to confirm.
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

/** The same port. What is called by these names waits for the confirmation, or rejects and has told nobody anything. */
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
