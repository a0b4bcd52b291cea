import type { Corridor, Item } from '@corridor/sdk/index.ts'
import { newId } from '../../app/calls.ts'
import { t } from '../../language/t.ts'

/** What the sandbox is told of money that comes in, and what it answers: no page, so that it can be tested without one. */

type Account = Item<'listCustomerInternalAccounts'>
type Instructions = Account['fundingPaymentInstructions']

/** What is chosen of what money can come to: an id, which stands in the address. */
export interface Into {
  readonly id: string
  readonly onChange: (id: string) => void
}

/** How money reaches an account. */
export interface Way {
  readonly name: string
  readonly currency: string
  /** What the payer has to write; undefined where the coordinates alone say whose the money is. */
  readonly reference: string | undefined
}

/** What became of one payment. */
export interface Arrived {
  readonly outcome: Outcome
  readonly transactionId?: string
}

type Outcome = 'CREDITED' | 'FUNDED_QUOTE' | 'REFUNDED' | 'SUSPENSE' | 'PENDING'

/** Said to whoever let it arrive. */
export const outcomes: Readonly<Record<Outcome, string>> = {
  CREDITED: t('It was credited.'),
  FUNDED_QUOTE: t('It funds the quote, and the payment continues.'),
  REFUNDED: t('The amount does not match the quote, or it is too late: the sender gets it back.'),
  SUSPENSE: t('Its owner is unknown: it waits in suspense until an operator decides.'),
  PENDING: t('Waiting for the response of your endpoint.'),
}

function textIn(info: object, name: string): string | undefined {
  const value = (info as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : undefined
}

/** The reference that the first of these entries carries which has one. */
export function referenceIn(instructions: Instructions | undefined): string | undefined {
  return instructions
    ?.map(({ accountOrWalletInfo }) => textIn(accountOrWalletInfo, 'reference'))
    .find(Boolean)
}

/** Those first that money reaches by bank, as most that comes in does. */
export function byBankFirst(accounts: readonly Account[]): Account[] {
  const isByBank = ({ fundingPaymentInstructions: how }: Account) => referenceIn(how) !== undefined
  return [...accounts].sort((a, b) => Number(isByBank(b)) - Number(isByBank(a)))
}

/** By bank first, then each chain with its asset; where nothing is known of how, in the currency of the account. */
export function waysTo(account: Pick<Account, 'balance' | 'fundingPaymentInstructions'>): Way[] {
  const { code } = account.balance.currency
  const reference = referenceIn(account.fundingPaymentInstructions)
  const ways = new Map<string, Way>()
  for (const { accountOrWalletInfo: info } of account.fundingPaymentInstructions) {
    const isChain = textIn(info, 'address') !== undefined
    const currency = (isChain && textIn(info, 'assetType')) || code
    const chain = info.accountType.replace(/_(WALLET|L1)$/, '').toLowerCase()
    const name = isChain
      ? t('{currency} over {chain}', { currency, chain: `${chain.charAt(0).toUpperCase()}${chain.slice(1)}` })
      : t('{currency} by bank', { currency })
    ways.set(name, { name, currency, reference })
  }
  // Without a reference it is put in, which is done in the currency of the account alone.
  const found = [...ways.values()].filter(({ currency }) => reference !== undefined || currency === code)
  return found.length > 0 ? found : [{ name: code, currency: code, reference }]
}

interface Arriving {
  readonly currency: string
  /** In the smallest unit of the currency. */
  readonly amount: number
  readonly reference: string | undefined
  /** The name of the payer, as its rail tells it; empty: it does not. */
  readonly payer?: string
}

/** Nobody has it: what is made out to it names none. */
export const nobodys = 'NOBODY-AWAITS-THIS'

/** As its rail tells of it, once for each id that the rail gives it: the same id twice is one payment, told twice. */
export async function arrive(
  corridor: Corridor,
  { currency, amount, reference, payer }: Arriving,
  railReferences: readonly (string | undefined)[] = [undefined],
): Promise<Arrived[]> {
  const arrived: Arrived[] = []
  for (const railReference of railReferences) {
    const body = {
      currency,
      amount,
      ...(reference ? { reference } : {}),
      ...(payer?.trim() ? { accountHolderName: payer.trim() } : {}),
      ...(railReference ? { railReference } : {}),
    }
    arrived.push(await corridor.sandbox.inboundPayments.create(body as never))
  }
  return arrived
}

/** A rail's id of a payment that was never told of before. */
export const freshRailReference = () => `console-${newId()}`

/** Somebody, an account elsewhere, and a quote that waits until it is paid in; its id. */
export async function makeWaitingQuote(corridor: Corridor): Promise<string> {
  const customer = await corridor.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Ana Lopez',
    region: 'US',
    currencies: ['USD'],
  } as never)
  const payee = await corridor.customers.externalAccounts.create({
    customerId: customer.id,
    currency: 'GBP',
    accountInfo: {
      accountType: 'GBP_ACCOUNT',
      sortCode: '200000',
      accountNumber: '12345678',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta Lindholm' },
    },
  } as never)
  const quote = await corridor.quotes.create({
    source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'USD' },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 100_000,
    description: 'Quote that waits for money',
  } as never)
  return quote.id
}
