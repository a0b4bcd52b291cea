import { createPayee } from '@corridor/testkit/index.ts'

/** The platform, customers, banks and payees of random histories of money (money-actions.ts), made by HTTP alone. */

// biome-ignore lint/suspicious/noExplicitAny: a success or a refusal of any operation
export type Answer = { readonly status: number; readonly body: any }

export interface Caller {
  /** A call of the platform. Calls that create something carry a key, so that the caller may repeat them. */
  readonly call: (method: string, path: string, body?: object, key?: string) => Promise<Answer>
  readonly operate: (method: string, path: string, body?: object) => Promise<Answer>
  readonly platformId: string
}

export interface MoneyOptions {
  /** Delays of returns, in seconds of the sandbox clock. */
  readonly returnsAfter: readonly number[]
  readonly hasCards: boolean
}

export interface Account {
  readonly id: string
  readonly currency: string
  readonly reference?: string
}

export interface Customer {
  readonly id: string
  readonly accounts: readonly Account[]
  /** Bank accounts to collect from; all but the first take collections back, each after another time. */
  readonly banks: readonly { readonly id: string }[]
  /** Payees in another currency, by the outcome of a payment to them. */
  readonly payees: readonly { readonly id: string }[]
  /** Bank accounts in dollars, which fail in several ways. */
  readonly dollars: readonly { readonly id: string }[]
  readonly cardId?: string
}

/** `expect` outside of tests: what does not go as it has to ends the history. */
function done({ status, body }: Answer): Answer['body'] {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

const payeeEndings = ['12345678', '12345002', '12345003', '12345004', '12345005', '12345006', '12345007']
const transferEndings = ['000987654891', '000987654002', '000987654004', '000987654005']

export async function openStage(
  { call }: Caller,
  key: () => string,
  { returnsAfter, hasCards }: MoneyOptions,
) {
  async function create(path: string, body: object): Promise<Answer['body']> {
    return done(await call('POST', path, body, key()))
  }
  const payeeOf = async (kind: string, number: string, customerId: string) => {
    // The factory knows the fields of an account; its client is this caller.
    const api = {
      POST: async (path: string, { body }: { body: object }) => told(await call('POST', path, body, key())),
    }
    const told = (answer: Answer) => ({ data: done(answer), response: new Response() })
    return createPayee(api as never, kind, number, { customerId })
  }
  const failing = (accountId: string, seconds: number) =>
    create('/sandbox/faults', {
      kind: 'OUTCOME',
      target: 'RAIL',
      match: { accountId },
      params: { outcome: '005', seconds },
    })

  async function openCustomer(fullName: string, isMain: boolean): Promise<Customer> {
    const { id } = await create('/customers', {
      customerType: 'INDIVIDUAL',
      fullName,
      currencies: ['USD', 'EUR', 'USDC'],
    })
    const accounts = await accountsOf(`/customers/internal-accounts?customerId=${id}`)
    const banks = [await payeeOf('USD', '000123456891', id)]
    for (const [index, seconds] of returnsAfter.entries()) {
      banks.push(await payeeOf('USD', `00012345${index}891`, id))
      await failing(banks.at(-1)!.id, seconds)
    }
    const payees = []
    for (const number of payeeEndings) payees.push(await payeeOf('GBP', number, id))
    const late = await payeeOf('GBP', '87654321', id)
    await failing(late.id, returnsAfter.at(-1)!)
    const dollars = []
    for (const number of transferEndings) dollars.push(await payeeOf('USD', number, id))
    const card = hasCards && isMain ? { cardId: await cardOf(id, accounts) } : {}
    return { id, accounts, banks, payees: [...payees, late], dollars, ...card }
  }

  async function accountsOf(path: string): Promise<Account[]> {
    const { data } = done(await call('GET', path))
    type Shown = {
      id: string
      balance: { currency: { code: string } }
      fundingPaymentInstructions?: object[]
    }
    return (data as Shown[]).map(({ id, balance, fundingPaymentInstructions: [first] = [] }) => {
      const { reference } =
        ((first ?? {}) as { accountOrWalletInfo?: { reference?: string } }).accountOrWalletInfo ?? {}
      return { id, currency: balance.currency.code, ...(reference ? { reference } : {}) }
    })
  }

  async function cardOf(cardholderId: string, accounts: readonly Account[]): Promise<string> {
    const funding = accounts.find(({ currency }) => currency === 'USD')!
    return (await create('/cards', { cardholderId, form: 'VIRTUAL', fundingSources: [funding.id] })).id
  }

  const feeConfig = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 30 }
  done(
    await call('PATCH', '/config', {
      feeConfigs: [{ ...feeConfig, fixedFee: { amount: 50, currency: 'USD' } }],
    }),
  )
  const customers = [await openCustomer('Ana Lopez', true), await openCustomer('Ben Okafor', false)]
  const own = (await accountsOf('/platform/internal-accounts')).filter(({ currency }) =>
    ['USD', 'EUR'].includes(currency),
  )
  return { customers, own }
}
