import type { Corridor } from '@corridor/sdk/index.ts'
import { type Amount, toMinorUnits } from '@corridor/sdk/money.ts'
import { t } from '../language/t.ts'

/**
 * The decimals of a currency: those of an amount that is in it, else as the rates from that one name them. Throws where
 * there is no rate.
 */
export async function decimalsOf(
  corridor: Corridor,
  code: string,
  { currency: known }: Pick<Amount, 'currency'>,
): Promise<number> {
  if (known.code === code) return known.decimals
  const query = { sourceCurrency: known.code, destinationCurrency: code }
  const { data } = await corridor.exchangeRates.list(query as never)
  const found = data[0]?.destinationCurrency.decimals
  if (found === undefined) throw new Error(t('There is no rate to {code}.', { code }))
  return found
}

/** The text of a person as an amount of a currency. Throws where it is none, and where it is nothing. */
export async function amountIn(
  corridor: Corridor,
  text: string,
  code: string,
  known: Pick<Amount, 'currency'>,
): Promise<number> {
  const amount = toMinorUnits(text.trim(), await decimalsOf(corridor, code, known))
  if (amount === 0) throw new RangeError(t('Enter an amount above 0.'))
  return amount
}
