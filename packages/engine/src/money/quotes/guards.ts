import { type Customer, whileCustomerStays } from '../../people/customers/index.ts'
import { type InternalAccount, whileStatusStays } from '../../platform/internal-accounts/index.ts'
import type { Decision, Requirement } from '../../vocabulary/decision.ts'
import type { ExternalAccount } from '../external-accounts/index.ts'

/** Whom a payment was allowed for, as the facts showed them. */
export interface Allowed {
  readonly internal: readonly InternalAccount[]
  readonly external: readonly ExternalAccount[]
  readonly customers: readonly Customer[]
}

export type Guards = Required<Pick<Decision, 'requires'>>

/**
 * Makes the start of a payment stale when an account or a customer that it was allowed for changes at the same
 * moment: a freeze, a closing, a deletion (accounts 3.1).
 */
export function guardsOf({ internal, external, customers }: Allowed): Guards {
  return {
    requires: [
      ...byId(internal).map(whileStatusStays),
      ...byId(external).map(whileAccountStays),
      ...customers.map(whileCustomerStays),
    ],
  }
}

function whileAccountStays({ id, version }: ExternalAccount): Requirement {
  return { table: 'external_accounts', id, version }
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}
