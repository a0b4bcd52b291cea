import { t } from '../language/t.ts'

interface Currency {
  readonly code: string
  readonly decimals: number
}

/** So many digits behind the point are written out; a rate that has more is cut, and says so. */
const mostDigits = 8

/**
 * `1 USD = 0.755 GBP` of the exact ratio of the smallest units that explanations have (`151/200`), by integers alone: `≈` stands
 * where digits were left out. Undefined where it is no ratio.
 */
export function exactRateOf(exact: string, from: Currency, to: Currency): string | undefined {
  const [, over, under = '1'] = /^(\d+)(?:\/(\d+))?$/.exec(exact) ?? []
  if (over === undefined || BigInt(under) === 0n) return undefined
  const by = (count: number) => 10n ** BigInt(Math.max(0, count))
  const numerator = BigInt(over) * by(from.decimals - to.decimals)
  const denominator = BigInt(under) * by(to.decimals - from.decimals)
  const whole = numerator / denominator
  let rest = numerator % denominator
  let digits = ''
  // Leading zeros tell nothing of how exact it is.
  while (rest > 0n && digits.replace(/^0+/, '').length < mostDigits && digits.length < 24) {
    rest *= 10n
    digits += rest / denominator
    rest %= denominator
  }
  const rate = digits === '' ? String(whole) : `${whole}.${digits}`
  return rest === 0n
    ? t('1 {from} = {rate} {to}', { from: from.code, rate, to: to.code })
    : t('1 {from} ≈ {rate} {to}', { from: from.code, rate, to: to.code })
}
