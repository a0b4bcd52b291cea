import { words } from '../words.ts'

export interface Entry {
  /** The first part of its address. */
  readonly to: string
  readonly name: string
  /** Pages of the sandbox do not exist in production. */
  readonly only?: 'sandbox'
  /** First parts of other addresses that belong to it. */
  readonly also?: readonly string[]
}

/** Where the pages of a platform are. */
export const menu: readonly Entry[] = [
  { to: '', name: words.pages.home },
  { to: 'payments', name: words.pages.payments, also: ['quotes'] },
  { to: 'customers', name: words.pages.customers, also: ['beneficial-owners', 'imports'] },
  { to: 'accounts', name: words.pages.accounts, also: ['external-accounts', 'delegated-keys'] },
  { to: 'receivables', name: words.pages.receivables },
  { to: 'webhooks', name: words.pages.webhooks },
  { to: 'requests', name: words.pages.requests },
  { to: 'ledger', name: words.pages.ledger },
  { to: 'sandbox', name: words.pages.sandbox, only: 'sandbox' },
  { to: 'cards', name: words.pages.cards },
  { to: 'agents', name: words.pages.agents },
  {
    to: 'stablecoins',
    name: words.pages.stablecoins,
    also: ['stablecoin-operations', 'stablecoin-provider-accounts'],
  },
  { to: 'verifications', name: words.pages.verifications },
  { to: 'documents', name: words.pages.documents },
  { to: 'network', name: words.pages.network, also: ['invitations'] },
  { to: 'rates', name: words.pages.rates },
  { to: 'settings', name: words.pages.settings },
]

export const operatorMenu: readonly Entry[] = [
  { to: '', name: words.operator.overview },
  { to: 'platforms', name: words.operator.platforms },
  { to: 'reviews', name: words.operator.reviews },
  { to: 'rails', name: words.operator.rails, also: ['pauses'] },
  { to: 'jobs', name: words.operator.jobs },
  { to: 'events', name: words.operator.events },
  { to: 'suspense', name: words.operator.suspense },
  { to: 'receivables', name: words.operator.receivables },
  { to: 'audit-log', name: words.operator.auditLog },
  { to: 'staff', name: words.operator.staff },
]

/** Whether the page at an address, as the router writes it or in full, is one of this entry. */
export function isOf({ to, also = [] }: Entry, path: string): boolean {
  const [first, second, third = ''] = path
    .replace(/^\/console(?=\/|$)/, '')
    .split('/')
    .slice(1)
  const area = first === 'operator' ? (second ?? '') : third
  return area === to || also.includes(area)
}
