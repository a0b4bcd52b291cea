import { type Corridor, Corridor as Sdk } from '@corridor/sdk/index.ts'
import { formatMoney, toMinorUnits } from '@corridor/sdk/money.ts'
import { useQuery } from '@tanstack/react-query'
import { useSessions } from '../app/session.tsx'
import { t } from '../language/t.ts'

/**
 * Filters by an amount: the address and the API have the smallest unit, people write `100.00 USD`. Its decimals are those that the
 * API gives the currency.
 */

/** In the order in which they say what an amount is compared in: what was sent, else what was received. */
const currencyNames = ['sentCurrency', 'receivedCurrency'] as const

type Given = Readonly<Record<string, string | undefined>>

/** `100.00`, `1,000`, `100.00 USD`, or `10000 minor` where no currency says what its unit is. */
const form = /^([\d.,_]+)(?:\s+([A-Za-z0-9]{3,10}))?$/

const minor = 'minor'

/** What a person wrote as the API takes it, with the currency it names. Throws with a sentence where it is no amount. */
export async function amountGiven(
  corridor: Corridor,
  text: string,
  given: Given,
): Promise<Given & { amount: string }> {
  const [, digits, named] = form.exec(text) ?? []
  if (digits === undefined) throw new RangeError(t('Write it as 100.00 USD.'))
  if (named?.toLowerCase() === minor) return { amount: String(toMinorUnits(digits, 0)) }
  const code = named?.toUpperCase() ?? currencyIn(given)
  if (code === undefined) throw new RangeError(t('Add the currency: 100.00 USD.'))
  const decimals = await decimalsOf(corridor, code)
  if (decimals === undefined) throw new RangeError(t('No payments or rates in {code}.', { code }))
  const [sent, received] = currencyNames
  return {
    amount: String(toMinorUnits(digits, decimals)),
    ...(named === undefined ? {} : { [given.type === 'INCOMING' ? received : sent]: code }),
  }
}

/** The same back: how an amount of the address is written, `10000` → `100.00 USD`. */
export function useAmountText(given: Given): (amount: string) => string {
  const { session } = useSessions()
  const code = currencyIn(given)
  const decimals = useQuery({
    queryKey: ['decimals', code],
    queryFn: async () => (await decimalsOf(session!.corridor, code!)) ?? null,
    enabled:
      session !== undefined && code !== undefined && (given.minAmount ?? given.maxAmount) !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  return (amount) => {
    if (!/^\d{1,16}$/.test(amount)) return amount
    if (typeof decimals !== 'number' || code === undefined) return `${amount} ${minor}`
    return formatMoney({ amount: BigInt(amount), currency: { code, decimals } })
  }
}

function currencyIn(given: Given): string | undefined {
  return currencyNames
    .map((name) => given[name])
    .find((code) => code)
    ?.toUpperCase()
}

/** Of a payment that is in it, else of a rate: undefined where there is neither. */
async function decimalsOf(corridor: Corridor, code: string): Promise<number | undefined> {
  for (const name of currencyNames) {
    const [payment] = (await corridor.transactions.list({ [name]: code, limit: 1 } as never)).data
    if (!payment || payment.type === 'CARD') continue
    const found = [payment.sentAmount, payment.receivedAmount].find((each) => each?.currency.code === code)
    if (found) return found.currency.decimals
  }
  const isRefusal = (error: unknown) => error instanceof Sdk.Error && error.status < 500
  for (const [name, side] of [
    ['sourceCurrency', 'sourceCurrency'],
    ['destinationCurrency', 'destinationCurrency'],
  ] as const) {
    const rates = await corridor.exchangeRates.list({ [name]: code } as never).then(
      ({ data }) => data,
      (error: unknown) => {
        // A currency that there is not.
        if (isRefusal(error)) return []
        throw error
      },
    )
    if (rates[0]) return rates[0][side].decimals
  }
  return undefined
}
