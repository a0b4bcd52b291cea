import { assert, type Instant, toTimestamp, type World } from '@corridor/kernel'
import { currencyOf, isCurrencyCode } from '../currencies/index.ts'
import type { Insert } from '../db/decision.ts'
import { fundingInstructions } from './funding-instructions.ts'
import { type InternalAccount, platformOwner } from './store.ts'

/** Internal accounts are never asked for: their owner gets one per currency (accounts 3.1). */
export interface AccountsToOpen {
  /** A customer id, or `platformOwner`. */
  readonly ownerId: string
  readonly currencies: readonly string[]
  readonly now: Instant
  readonly status: 'ACTIVE' | 'PENDING'
}

/**
 * The rows of new internal accounts, in the order of the currencies. Opening one that exists is opening
 * none, so a currency that is added twice or from two sides is added once.
 */
export function openAccounts(
  world: Pick<World, 'now' | 'randomBytes' | 'id'>,
  { ownerId, currencies, now, status }: AccountsToOpen,
): Insert[] {
  return currencies.map((currency, index) => {
    assert(isCurrencyCode(currency), `accounts are opened in known currencies, not ${currency}`)
    // One millisecond apart, so that the first currency of the list stays the first account.
    const at = toTimestamp(now + index)
    const reference = fundingReference(world)
    const type = accountType(currency, ownerId)
    const account = { ownerId, currency, type, fundingReference: reference }
    return {
      table: 'internal_accounts',
      ifAbsent: true,
      row: {
        id: world.id('InternalAccount'),
        owner_id: ownerId,
        currency,
        type,
        status,
        private_enabled: type === 'EMBEDDED_WALLET' ? false : null,
        funding_instructions: status === 'ACTIVE' ? newInstructions(world, account) : [],
        funding_reference: reference,
        created_at: at,
        updated_at: at,
      },
    }
  })
}

/** The coordinates of an account that becomes active for the first time; embedded wallets have none (accounts 3.3). */
export function newInstructions(
  world: Pick<World, 'randomBytes'>,
  account: Pick<InternalAccount, 'ownerId' | 'currency' | 'type' | 'fundingReference'>,
): InternalAccount['fundingInstructions'] {
  const { ownerId, currency, type, fundingReference: reference } = account
  if (type === 'EMBEDDED_WALLET') return []
  return fundingInstructions(world, { currency, reference, isPlatformAccount: ownerId === platformOwner })
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
