import type { components } from '@corridor/sdk/index.ts'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'

type Schemas = components['schemas']
export type Customer = Schemas['CustomerOneOf']
export type InternalAccount = Schemas['InternalAccount']
export type ExternalAccount = Schemas['ExternalAccount']
export type Quote = Schemas['Quote']

/** Unwraps an answer that has to be a success; a refusal fails the test with its body. */
export async function must<T>(
  answer: Promise<{ data?: T | undefined; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer
  if (data === undefined) throw new Error(`${response.status} ${JSON.stringify(error)}`)
  return data
}

/** An individual with the accounts of the worked examples. */
export async function createCustomer(
  api: CorridorClient,
  overrides: Partial<Schemas['IndividualCustomerCreateRequest']> = {},
): Promise<Customer> {
  const body = {
    customerType: 'INDIVIDUAL' as const,
    fullName: 'Ana Lopez',
    currencies: ['USD', 'EUR', 'BTC', 'USDC'],
    ...overrides,
  }
  return must(api.POST('/customers', { body }))
}

export async function internalAccountOf(
  api: CorridorClient,
  customerId: string,
  currency: string,
): Promise<InternalAccount> {
  const { data } = await must(
    api.GET('/internal-account', { params: { query: { customerId: customerId as never, currency } } }),
  )
  const [account] = data
  if (!account) throw new Error(`no ${currency} account`)
  return account
}

export async function fund(api: CorridorClient, accountId: string, amount: number): Promise<InternalAccount> {
  return must(
    api.POST('/sandbox/internal-accounts/{accountId}/fund', {
      params: { path: { accountId } },
      body: { amount },
    }),
  )
}

const beneficiary = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Greta Lindholm',
  birthDate: '1979-04-02',
  nationality: 'SE',
} as const

/** Details of payees by currency or kind; `primary` is the identifier whose ending decides the outcome. */
const payees: Record<
  string,
  (primary: string) => { currency: string; accountInfo: Record<string, unknown> }
> = {
  EUR: (iban) => ({ currency: 'EUR', accountInfo: { accountType: 'EUR_ACCOUNT', iban, beneficiary } }),
  MXN: (clabeNumber) => ({
    currency: 'MXN',
    accountInfo: { accountType: 'MXN_ACCOUNT', clabeNumber, beneficiary },
  }),
  GBP: (accountNumber) => ({
    currency: 'GBP',
    accountInfo: { accountType: 'GBP_ACCOUNT', sortCode: '200000', accountNumber, beneficiary },
  }),
  PHP: (accountNumber) => ({
    currency: 'PHP',
    accountInfo: { accountType: 'PHP_ACCOUNT', accountNumber, bankName: 'BDO Unibank', beneficiary },
  }),
  VND: (accountNumber) => ({
    currency: 'VND',
    accountInfo: {
      accountType: 'VND_ACCOUNT',
      accountNumber,
      bankName: 'Vietcombank',
      swiftCode: 'BFTVVNVX',
      beneficiary,
    },
  }),
  USD: (accountNumber) => ({
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber,
      routingNumber: '021000021',
      bankAccountType: 'CHECKING',
      beneficiary,
    },
  }),
  BRL: (pixKey) => ({
    currency: 'BRL',
    accountInfo: {
      accountType: 'BRL_ACCOUNT',
      pixKey,
      pixKeyType: 'EMAIL',
      taxId: '12345678909',
      beneficiary,
    },
  }),
  SPARK: (address) => ({ currency: 'BTC', accountInfo: { accountType: 'SPARK_WALLET', address } }),
  SOLANA: (address) => ({ currency: 'USDC', accountInfo: { accountType: 'SOLANA_WALLET', address } }),
}

/** Registers a payee. `kind` is a currency or a chain. */
export async function createPayee(
  api: CorridorClient,
  kind: keyof typeof payees & string,
  primary: string,
  { customerId, ...more }: { customerId?: string } & Record<string, unknown> = {},
): Promise<ExternalAccount> {
  const body = { ...payees[kind]!(primary), ...(customerId ? { customerId } : {}), ...more }
  return must(api.POST('/customers/external-accounts', { body: body as never }))
}

/** A quote from one account to another with the sending side locked, unless said otherwise. */
export function quoteBody(
  source: { id: string },
  destination: { id: string },
  amount: number,
  more: Partial<Schemas['QuoteRequest']> = {},
): Schemas['QuoteRequest'] {
  return {
    source: { sourceType: 'ACCOUNT', accountId: source.id as never },
    destination: { destinationType: 'ACCOUNT', accountId: destination.id as never },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: amount,
    ...more,
  }
}

export async function createQuote(api: CorridorClient, body: Schemas['QuoteRequest']): Promise<Quote> {
  return must(api.POST('/quotes', { body }))
}

export async function execute(api: CorridorClient, quoteId: string, headers: Record<string, string> = {}) {
  return api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId } }, headers })
}
