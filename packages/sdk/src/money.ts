/** An amount in the smallest unit of its currency, as the API writes it. */
export interface Amount {
  readonly amount: number
  readonly currency: { readonly code: string; readonly decimals: number }
}

/** An amount in any exact integer: the API sends numbers, sums of them may be more than a number holds. */
export type ExactAmount = Omit<Amount, 'amount'> & { readonly amount: number | bigint }

/** The amount as an exact integer, with the code of its currency. */
export function money({ amount, currency }: Amount): { amount: bigint; currency: string } {
  return { amount: BigInt(amount), currency: currency.code }
}

/**
 * `49750` of a currency with two decimals → `497.50 USD`. Digits are moved and grouped as the locale does; nothing
 * is divided, so nothing is rounded.
 */
export function formatMoney({ amount, currency }: ExactAmount, locale = 'en'): string {
  const minor = BigInt(amount)
  const digits = String(minor < 0n ? -minor : minor).padStart(currency.decimals + 1, '0')
  const split = digits.length - currency.decimals
  const { grouped, point } = writingOf(locale)
  const whole = grouped.format(BigInt(digits.slice(0, split)))
  const fraction = currency.decimals > 0 ? `${point}${digits.slice(split)}` : ''
  return `${amount < 0 ? '-' : ''}${whole}${fraction} ${currency.code}`
}

interface Writing {
  readonly grouped: Intl.NumberFormat
  readonly point: string
}

const writings = new Map<string, Writing>()
/** Whoever writes for strangers may be given any number of names. */
const mostWritings = 100

/** Making one takes longer than all the rest, and a list writes thousands of amounts in one locale. */
function writingOf(locale: string): Writing {
  let writing = writings.get(locale)
  if (!writing) {
    const grouped = new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
    const point = grouped.formatToParts(1.5).find(({ type }) => type === 'decimal')!.value
    writing = { grouped, point }
    if (writings.size >= mostWritings) writings.clear()
    writings.set(locale, writing)
  }
  return writing
}

/** Digits alone, or in groups of three from the right; then perhaps a point and the fraction, which has no groups. */
const amountForm = /^(\d{1,15}|\d{1,3}(?:,\d{3}){1,4}|\d{1,3}(?:_\d{3}){1,4})(?:\.(\d{1,18}))?$/

/**
 * `497.50` in a currency with two decimals → 49750, and `1,000` → 100000. Refuses more decimals than the currency has, and
 * commas that may be meant for a point.
 */
export function toMinorUnits(text: string, decimals: number): number {
  if (/^\d{16,}(?:\.\d*)?$/.test(text)) throw new RangeError(`${text} is more than an amount can be`)
  const match = amountForm.exec(text)
  const fraction = (match?.[2] ?? '').padEnd(decimals, '0')
  if (!match || fraction.length > decimals) {
    throw new RangeError(`${text} is not an amount with at most ${decimals} decimals`)
  }
  const minor = Number(match[1]!.replaceAll(/[,_]/g, '') + fraction)
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${text} is more than an amount can be`)
  return minor
}
