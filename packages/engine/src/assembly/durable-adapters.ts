import type { Database } from '../mechanisms/db/database.ts'
import type { Adapters } from '../ports/adapters.ts'

type Confirmed = Pick<Database, 'server' | 'whenDurable'>

/**
 * Adapters that wait for durability. Before a caller hands money, a message or a document to a third party, Corridor confirms that
 * everything the caller has read is durable. Concurrent calls share a confirmation. The embedded database, and a server without a
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

/** The call leaves something behind at a third party, so it waits for the confirmation. */
const waits = true
/** The call only asks, or calls nobody. */
const asks = false

/** Every method of a port. If one is missing, the code does not compile, so each new method needs a decision. */
type Methods<T> = { readonly [M in keyof T as IsMethod<T[M]> extends true ? M : never]-?: boolean }
type IsMethod<F> = NonNullable<F> extends (...parameters: never[]) => unknown ? true : false

/** Every adapter, for the same reason. */
type Complete = { readonly [A in keyof Required<Adapters>]: Adapters[A] }

function confirmedFirst(adapters: Adapters, confirm: () => Promise<void> | undefined): Adapters {
  const told = <T extends object>(port: T, methods: Methods<T>): T => waiting(port, methods, confirm)
  const { factors, lightning, cards, stablecoins } = adapters
  const complete: Complete = {
    rail(railId) {
      const client = adapters.rail(railId)
      return (
        client &&
        told(client, {
          submitPayout: waits,
          submitPull: waits,
          requestCancel: waits,
          fetchPayout: asks,
          fetchPull: asks,
          reaches: asks,
          decides: asks,
        })
      )
    },
    prepareRail: adapters.prepareRail,
    instructions(currency) {
      const issuer = adapters.instructions(currency)
      return issuer && told(issuer, { forAccount: waits, forQuote: waits })
    },
    rates: told(adapters.rates, { snapshot: asks, isToBeHad: asks }),
    beneficiaries: told(adapters.beneficiaries, { verify: asks }),
    identity: told(adapters.identity, {
      decide: waits,
      inspectDocument: waits,
      decideAtCreation: asks,
      decideOwner: asks,
      embeddingToken: asks,
    }),
    ownership: told(adapters.ownership, { startLiveness: waits, fetchLiveness: asks, verifySignature: asks }),
    factors: {
      ...factors,
      totp: told(factors.totp, { uri: asks, match: asks }),
      liveness: told(factors.liveness, { start: waits, outcome: asks }),
    },
    uma: told(adapters.uma, { resolve: asks, simulatedPayer: asks, exchange: asks }),
    peers: told(adapters.peers, { get: waits, post: waits }),
    lightning:
      lightning &&
      told(lightning, {
        createInvoice: waits,
        cancelInvoice: waits,
        pay: waits,
        lookUpInvoice: asks,
        decode: asks,
        track: asks,
        outputsOf: asks,
      }),
    webhooks: told(adapters.webhooks, { send: waits, firstAttemptAt: asks }),
    messenger: told(adapters.messenger, { sendEmail: waits, sendSms: waits }),
    codes: told(adapters.codes, { issue: asks }),
    openId: told(adapters.openId, { supports: asks, verifySignature: asks }),
    cards:
      cards &&
      told(cards, {
        provision: waits,
        screenAccount: asks,
        screen: asks,
        pullCourse: asks,
        fetchPull: asks,
        reveal: asks,
      }),
    stablecoins:
      stablecoins &&
      told(stablecoins, {
        submit: waits,
        checkCredentials: asks,
        findToken: asks,
        fetchIssuance: asks,
        fetchOperation: asks,
        enablementDecision: asks,
      }),
    rules: adapters.rules,
  }
  return complete as Adapters
}

/** Wraps a port. The methods that wait reject without calling the third party if the confirmation fails. */
function waiting<T extends object>(
  port: T,
  methods: Readonly<Record<string, boolean>>,
  confirm: () => Promise<void> | undefined,
): T {
  if (!Object.values(methods).includes(waits)) return port
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof name === 'symbol' || !methods[name] || typeof method !== 'function') return method
      return (...parameters: unknown[]) => {
        const confirmed = confirm()
        if (!confirmed) return method.apply(target, parameters)
        return confirmed.then(() => method.apply(target, parameters))
      }
    },
  })
}
