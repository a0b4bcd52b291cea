import type { Adapters } from '../../ports/adapters.ts'
import type { Clock } from '../jobs/clock.ts'
import type { Keys } from '../keys/keys.ts'
import type { Faults } from './faults.ts'
import { faultyIdentity } from './faulty-identity.ts'
import { faultyMessenger } from './faulty-messenger.ts'
import { faultyRail } from './faulty-rail.ts'
import { faultyRates } from './faulty-rates.ts'
import { faultyUma } from './faulty-uma.ts'
import { faultyWebhooks } from './faulty-webhooks.ts'
import { overlaid } from './overlay.ts'

/** The third parties of the sandbox as its faults make them appear. A call without a context meets no fault. */
export function faultyAdapters(
  adapters: Adapters,
  parts: { readonly faults: Faults; readonly keys: Keys; readonly clock: Clock },
): Adapters {
  const { faults } = parts
  return overlaid<Adapters>(adapters, {
    rail: (rail) => (railId) => {
      const client = rail(railId)
      return client && faultyRail(client, faults)
    },
    prepareRail: (prepare) => (client) => faultyRail(prepare ? prepare(client) : client, faults),
    rates: (rates) => faultyRates(rates, faults),
    identity: (identity) => faultyIdentity(identity, faults),
    uma: (uma) => faultyUma(uma, faults),
    webhooks: (webhooks) => faultyWebhooks(webhooks, parts),
    messenger: (messenger) => faultyMessenger(messenger, faults),
  })
}
