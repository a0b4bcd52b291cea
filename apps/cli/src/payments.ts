import { type Answer, type Corridor, formatMoney, type Transaction, toMinorUnits } from '@corridor/sdk'
import { mayBeDone } from './doubt.ts'
import { misused } from './exit.ts'

/** A payment in the steps that people and agents take: quote, show, execute. */

export type Quote = Answer<'createQuote'>

export interface Wish {
  readonly from: string
  readonly to: string
  /** `1000.00USD`: exactly one of the two. */
  readonly send?: string | undefined
  readonly receive?: string | undefined
  readonly description?: string | undefined
}

/** What is locked of a quote: an amount in minor units, on one of its sides. */
export interface Locked {
  readonly lockedCurrencySide: 'SENDING' | 'RECEIVING'
  readonly lockedCurrencyAmount: number
}

/** An amount as it is written in the smallest unit. What is nothing is refused in these words: the API speaks of units alone. */
export function amountOf(text: string, decimals: number): number {
  const amount = toMinorUnits(text, decimals)
  if (amount === 0) throw misused(`${text} is not a valid amount. The amount must be more than 0.`)
  return amount
}

/** The amount of a wish, read by the currencies of the account that it comes from. */
export async function lockedBy(
  client: Corridor,
  { from, send, receive }: Pick<Wish, 'from' | 'send' | 'receive'>,
): Promise<Locked> {
  const text = send ?? receive
  if (text === undefined || (send !== undefined && receive !== undefined)) {
    throw misused('Give exactly one amount, to send or to receive, in the form 1000.00USD.')
  }
  const [, amount, code] = /^([\d.,_]{1,24}) ?([A-Za-z]{2,12})$/.exec(text) ?? []
  if (!amount || !code) throw misused(`"${text}" is not an amount with a currency. Example: 1000.00USD.`)
  const source = await client.internalAccounts.get(from)
  const decimals =
    send !== undefined
      ? decimalsOf(source.balance.currency, code)
      : await receivedDecimals(client, source.balance.currency.code, code)
  return {
    lockedCurrencySide: send !== undefined ? 'SENDING' : 'RECEIVING',
    lockedCurrencyAmount: amountOf(amount, decimals),
  }
}

/** Locks the rate, the fee and both amounts. Nothing has moved yet. With a key, the same quote each time. */
export function quoteOf(
  client: Corridor,
  { from, to, description }: Wish,
  locked: Locked,
  idempotencyKey?: string,
): PromiseLike<Quote> {
  return client.quotes.create(
    {
      source: { sourceType: 'ACCOUNT', accountId: from },
      destination: { destinationType: 'ACCOUNT', accountId: to },
      ...locked,
      ...(description ? { description } : {}),
    },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )
}

function decimalsOf(currency: { code: string; decimals: number }, code: string): number {
  if (currency.code !== code.toUpperCase())
    throw misused(`The account is in ${currency.code}, not in ${code}.`)
  return currency.decimals
}

async function receivedDecimals(client: Corridor, source: string, code: string): Promise<number> {
  const [rate] = await client.exchangeRates
    .list({ sourceCurrency: source, destinationCurrency: [code.toUpperCase()] })
    .first(1)
  if (!rate) throw misused(`There is no corridor from ${source} to ${code}.`)
  return rate.destinationCurrency.decimals
}

/** `1,000.00 USD to be sent, 855.70 EUR to be received, fee 5.00 USD, rate 0.86`: nothing of it has happened yet. */
export function summaryOf(quote: Quote): string {
  const sent = formatMoney({ amount: quote.totalSendingAmount, currency: quote.sendingCurrency })
  const received = formatMoney({ amount: quote.totalReceivingAmount, currency: quote.receivingCurrency })
  const fee = formatMoney({ amount: quote.feesIncluded, currency: quote.sendingCurrency })
  return `send ${sent}, receive ${received}, fee ${fee}, rate ${quote.exchangeRate}, valid until ${quote.expiresAt}`
}

/**
 * Executes a quote and waits for the end. Where that fails `onDoubt` is told that it may have been paid all the same: whoever began
 * anew without a key would pay twice.
 */
export async function executed(
  client: Corridor,
  { id, transactionId }: Pick<Quote, 'id' | 'transactionId'>,
  {
    idempotencyKey,
    timeoutMs = 60_000,
    onDoubt,
  }: {
    readonly idempotencyKey: string
    readonly timeoutMs?: number
    readonly onDoubt: (doubt: string) => void
  },
): Promise<Transaction> {
  const inDoubt = (isDoubtful: (error: unknown) => boolean, doubt: string) => (error: unknown) => {
    if (isDoubtful(error)) onDoubt(doubt)
    throw error
  }
  await client.quotes
    .execute(id, { idempotencyKey })
    .catch(inDoubt(mayBeDone, 'The payment may have been made'))
  return client.transactions
    .waitFor(transactionId, { timeoutMs })
    .catch(inDoubt(() => true, 'The quote was executed, but the result is unknown'))
}

/** A payment that was cancelled is COMPLETED as well, with the refund of what was sent (accounts 10.1). */
const isGivenBack = (payment: Transaction): boolean => payment.status === 'COMPLETED' && 'refund' in payment

export const isDelivered = (payment: Transaction): boolean =>
  payment.status === 'COMPLETED' && !isGivenBack(payment)

/** Of a payment that has ended: `✓ COMPLETED  Transaction:…`, and what the status alone would not say. */
export function endOf(payment: Transaction): string {
  const end = `${isDelivered(payment) ? '✓' : '✕'} ${payment.status}  ${payment.id}`
  return isGivenBack(payment) ? `${end}  cancelled and refunded` : end
}
