import { type Id, type Instant, toTimestamp, type World } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { currencyOf } from '../../reference/currencies/index.ts'
import type { Insert } from '../../vocabulary/decision.ts'
import type { Environment } from '../../vocabulary/scope.ts'
import { issueForAccount } from './issue.ts'
import { platformOwner } from './store.ts'

/** Internal accounts are never asked for: their owner gets one per currency (accounts 3.1). */
export interface AccountsToOpen {
  /** A customer id, or `platformOwner`. */
  readonly ownerId: string
  readonly currencies: readonly string[]
  readonly now: Instant
  /** The last characters of the ids, where they steer a simulation (cards 1.7). */
  readonly idEnding?: string | undefined
}

/**
 * The rows of new internal accounts, in the order of the currencies. Opening one that exists is opening
 * none, so a currency that is added twice or from two sides is added once. Where accounts start active their
 * coordinates are asked for first; one whose coordinates cannot be had at once stays pending. Never inside a
 * transaction.
 */
export function openAccounts(
  engine: Pick<Engine, 'world' | 'adapters'>,
  environment: Environment,
  { ownerId, currencies, now, idEnding = '' }: AccountsToOpen,
): Promise<Insert[]> {
  const { world } = engine
  const startsActive = engine.adapters[environment].rules.newInternalAccountStatus === 'ACTIVE'
  const rows = currencies.map(async (currency, index): Promise<Insert> => {
    // One millisecond apart, so that the first currency of the list stays the first account.
    const at = toTimestamp(now + index)
    const type = accountType(currency, ownerId)
    const account = {
      id: withEnding(world.id('InternalAccount'), idEnding),
      ownerId,
      currency,
      type,
      fundingReference: fundingReference(world),
    }
    const issued = startsActive ? await issueForAccount(engine, environment, account) : undefined
    return {
      table: 'internal_accounts',
      ifAbsent: true,
      row: {
        id: account.id,
        owner_id: ownerId,
        currency,
        type,
        status: issued?.ok ? 'ACTIVE' : 'PENDING',
        private_enabled: type === 'EMBEDDED_WALLET' ? false : null,
        funding_instructions: issued?.ok ? issued.value : [],
        funding_reference: account.fundingReference,
        created_at: at,
        updated_at: at,
      },
    }
  })
  return Promise.all(rows)
}

function withEnding(id: Id<'InternalAccount'>, ending: string): Id<'InternalAccount'> {
  return ending === '' ? id : (`${id.slice(0, -ending.length)}${ending}` as Id<'InternalAccount'>)
}

/** A customer's USDB account is its embedded wallet; the platform's is an ordinary one (accounts 3.1). */
function accountType(
  currency: string,
  ownerId: string,
): 'INTERNAL_FIAT' | 'INTERNAL_CRYPTO' | 'EMBEDDED_WALLET' {
  if (currency === 'USDB' && ownerId !== platformOwner) return 'EMBEDDED_WALLET'
  return currencyOf(currency).kind === 'FIAT' ? 'INTERNAL_FIAT' : 'INTERNAL_CRYPTO'
}

/** Letters and digits that cannot be mistaken for one another when read aloud. */
const unambiguous = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Ten unambiguous characters: 50 random bits, unique by index (accounts 3.3). */
export function fundingReference(world: Pick<World, 'randomBytes'>): string {
  return [...world.randomBytes(10)].map((byte) => unambiguous[byte % 32]).join('')
}
