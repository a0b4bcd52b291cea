import { formatMinor } from '../../reference/currencies/index.ts'
import type { SearchMatch } from './contract.ts'

/** What a row tells in plain, under names of its kind's own. */
export type Facts = Readonly<Record<string, string | null>>

export interface Kind {
  readonly table: string
  /** The tag of the operation that lists it: a token that is held to other areas does not find it. */
  readonly tag: string
  /** Which rows its list shows, where not all. */
  readonly where?: string
  readonly id?: string
  readonly status: string
  /** Columns and expressions of texts that the title is made of. */
  readonly facts: Readonly<Record<string, string>>
  say(facts: Facts): { title: string; detail: string }
}

const amount = (minor: string | null | undefined, currency: string | null | undefined) =>
  minor && currency ? formatMinor(BigInt(minor), currency) : undefined

const joined = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')

const words = (name: string | null | undefined) => (name ?? '').toLowerCase().replaceAll('_', ' ')

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Both sides of a payment, or the one that is known. */
function sides({ sent, sentCurrency, received, receivedCurrency }: Facts): string {
  const [from, to] = [amount(sent, sentCurrency), amount(received, receivedCurrency)]
  return from && to && from !== to ? `${from} → ${to}` : (to ?? from ?? '')
}

/** Customers and external accounts are called by what is sealed, which `routes.ts` opens. */
export const kinds: Readonly<Record<SearchMatch['resourceType'], Kind>> = {
  Customer: {
    table: 'customers',
    tag: 'Customers',
    status: 'status',
    facts: {
      type: 'customer_type',
      platformCustomerId: 'platform_customer_id',
      umaAddress: 'uma_address',
      gone: `case when deleted_at is not null then 'deleted' end`,
    },
    say: ({ type, platformCustomerId, umaAddress, gone }) => ({
      title: sentence(words(type)),
      detail: joined(platformCustomerId, umaAddress, gone),
    }),
  },
  Transaction: {
    table: 'transactions',
    tag: 'Transactions',
    status: 'status',
    facts: {
      type: 'type',
      sent: 'sent_amount::text',
      sentCurrency: 'sent_currency',
      received: 'received_amount::text',
      receivedCurrency: 'received_currency',
      reference: 'reference',
      platformCustomerId: 'platform_customer_id',
    },
    say: (facts) => ({
      title: sides(facts),
      detail: joined(words(facts.type), facts.platformCustomerId, facts.reference),
    }),
  },
  Quote: {
    table: 'quotes',
    tag: 'Cross-Currency Transfers',
    status: 'status',
    facts: {
      sent: 'sending_amount::text',
      sentCurrency: 'sending_currency',
      received: 'receiving_amount::text',
      receivedCurrency: 'receiving_currency',
      reference: 'payment_reference',
    },
    say: (facts) => ({ title: sides(facts), detail: joined('quote', facts.reference) }),
  },
  ExternalAccount: {
    table: 'external_accounts',
    tag: 'External Accounts',
    where: 'deleted_at is null',
    status: 'status',
    facts: { currency: 'currency', type: 'account_type', label: 'platform_account_id', owner: 'owner_id' },
    say: ({ currency, type, label }) => ({ title: `${words(type)} ${currency}`, detail: joined(label) }),
  },
  InternalAccount: {
    table: 'internal_accounts',
    tag: 'Internal Accounts',
    status: 'status',
    facts: { currency: 'currency', type: 'type', owner: 'owner_id', reference: 'funding_reference' },
    say: ({ currency, type, owner, reference }) => ({
      title: `${currency} balance`,
      detail: joined(words(type), owner, reference),
    }),
  },
  Card: {
    table: 'cards',
    tag: 'Cards',
    status: 'status',
    facts: { last4: 'last4', brand: 'brand', currency: 'currency', name: 'platform_card_id' },
    say: ({ last4, brand, currency, name }) => ({
      title: last4 ? `${brand ? sentence(words(brand)) : 'Card'} •••• ${last4}` : 'Card',
      detail: joined(currency, name),
    }),
  },
  CardTransaction: {
    table: 'card_transactions',
    tag: 'Transactions',
    status: 'status',
    facts: {
      amount: 'authorized::text',
      currency: 'currency',
      merchant: `merchant ->> 'descriptor'`,
      platformCustomerId: 'platform_customer_id',
    },
    say: ({ amount: minor, currency, merchant, platformCustomerId }) => ({
      title: amount(minor, currency) ?? '',
      detail: joined('card', merchant, platformCustomerId),
    }),
  },
  Receivable: {
    table: 'receivables',
    tag: 'Receivables',
    status: 'status',
    facts: { amount: 'amount::text', currency: 'currency', cause: 'cause', owner: 'owner_id' },
    say: ({ amount: minor, currency, cause, owner }) => ({
      title: amount(minor, currency) ?? '',
      detail: joined('receivable', words(cause), owner),
    }),
  },
  Webhook: {
    table: 'events',
    tag: 'Webhooks',
    status: 'status',
    facts: { type: 'type', about: 'resource_id' },
    say: ({ type, about }) => ({ title: type ?? '', detail: about ?? '' }),
  },
  Request: {
    table: 'request_log',
    tag: 'API Tokens',
    id: 'request_id',
    status: 'status::text',
    facts: { method: 'method', path: 'path', code: 'code' },
    say: ({ method, path, code }) => ({ title: `${method} ${path}`, detail: code ?? '' }),
  },
  Verification: {
    table: 'verifications',
    tag: 'KYC/KYB Verifications',
    status: 'status',
    facts: { customer: 'customer_id' },
    say: ({ customer }) => ({ title: 'Verification', detail: customer ?? '' }),
  },
  BeneficialOwner: {
    table: 'beneficial_owners',
    tag: 'KYC/KYB Verifications',
    status: 'status',
    facts: { customer: 'customer_id', share: 'ownership_percentage::text' },
    say: ({ customer, share }) => ({ title: 'Beneficial owner', detail: joined(`${share} %`, customer) }),
  },
  Document: {
    table: 'documents',
    tag: 'Documents',
    where: 'deleted_at is null',
    status: 'status',
    facts: { type: 'document_type', holder: 'holder_id' },
    say: ({ type, holder }) => ({ title: sentence(words(type)), detail: holder ?? '' }),
  },
  Agent: {
    table: 'agents',
    tag: 'Agent Management',
    where: `deleted_at is null and (
      select c.deleted_at from customers c where c.platform_id = agents.platform_id and c.environment = agents.environment
        and c.id = agents.customer_id) is null`,
    status: 'null::text',
    facts: { name: 'name', customer: 'customer_id' },
    say: ({ name, customer }) => ({ title: name ?? '', detail: joined('agent', customer) }),
  },
  DelegatedKey: {
    table: 'delegated_keys',
    tag: 'Embedded Wallet Auth',
    status: 'status',
    facts: { nickname: 'nickname', account: 'account_id' },
    say: ({ nickname, account }) => ({ title: nickname ?? '', detail: joined('delegated key', account) }),
  },
  Stablecoin: {
    table: 'stablecoins',
    tag: 'Stablecoins',
    status: 'issuance_status',
    facts: { name: 'name', symbol: 'symbol', network: 'network' },
    say: ({ name, symbol, network }) => ({ title: joined(symbol, name), detail: network ?? '' }),
  },
  StablecoinOperation: {
    table: 'stablecoin_operations',
    tag: 'Stablecoins',
    status: 'status',
    facts: { type: 'operation_type', coin: 'coin_id' },
    say: ({ type, coin }) => ({ title: sentence(words(type)), detail: coin ?? '' }),
  },
  StablecoinProviderAccount: {
    table: 'stablecoin_provider_accounts',
    tag: 'Stablecoins',
    status: 'status',
    facts: { provider: 'provider', account: 'provider_account_id' },
    say: ({ provider, account }) => ({ title: sentence(words(provider)), detail: account ?? '' }),
  },
  Token: {
    table: 'tokens',
    tag: 'API Tokens',
    where: 'deleted_at is null',
    status: 'null::text',
    facts: { name: 'name', clientId: 'client_id' },
    say: ({ name, clientId }) => ({ title: name ?? '', detail: joined('token', clientId) }),
  },
  Job: {
    table: 'bulk_imports',
    tag: 'Customers',
    status: 'status',
    facts: { total: 'total::text' },
    say: ({ total }) => ({ title: 'Import of customers', detail: `${total} rows` }),
  },
  Fault: {
    table: 'faults',
    tag: 'Sandbox',
    where: 'deleted_at is null',
    status: 'null::text',
    facts: { kind: 'kind', target: 'target' },
    say: ({ kind, target }) => ({ title: `Fault ${words(kind)}`, detail: target ?? '' }),
  },
}
