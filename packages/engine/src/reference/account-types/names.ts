import { type TSchema, Type } from 'typebox'
import type { AccountKind } from './account-type.ts'

/** Older names of USD_ACCOUNT, MXN_ACCOUNT and LIGHTNING (accounts 4.3). */
const ALIASES = ['US_ACCOUNT', 'CLABE', 'LIGHTNING_ACCOUNT']
/** Ways to be paid that cannot be the account of somebody else (accounts 3.3). */
const FUNDING_ONLY = ['US_ACCOUNT', 'ARS_ACCOUNT', 'BITCOIN_L1', 'EMBEDDED_WALLET']

/** The discriminators that every variant refers to: of an account of somebody else, and of a way to be paid. */
export interface AccountTypeNames {
  readonly external: TSchema & { readonly enum: readonly string[] }
  readonly payment: TSchema & { readonly enum: readonly string[] }
}

/** Accounts first, then wallets, then Lightning; by name within each. */
export function namesOf(
  types: readonly { readonly name: string; readonly kind: AccountKind }[],
): AccountTypeNames {
  const rank = ({ kind }: { kind: AccountKind }) => (kind === 'LIGHTNING' ? 2 : kind === 'WALLET' ? 1 : 0)
  const names = [...types]
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
  return {
    external: Type.Enum([...names, ...ALIASES], { $id: 'ExternalAccountType', type: 'string' }),
    payment: Type.Enum([...names, ...FUNDING_ONLY], { $id: 'PaymentAccountType', type: 'string' }),
  }
}
