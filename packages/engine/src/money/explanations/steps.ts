import { mulDivCeil, mulDivFloor, mulDivHalfUp } from '@corridor/kernel'
import type { ExplanationStep } from './contract.ts'

/** An exact ratio that may be zero or negative; the denominator is positive. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const whole = (numerator: bigint): Ratio => ({ numerator, denominator: 1n })

export function lowest({ numerator, denominator }: Ratio): Ratio {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator]
  while (b !== 0n) [a, b] = [b, a % b]
  return { numerator: numerator / a, denominator: denominator / a }
}

/** `3/4`, and `5` where it is whole. */
export function ratioText(ratio: Ratio): string {
  const { numerator, denominator } = lowest(ratio)
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`
}

/** One step of a computation; `result` is what is on record. */
export interface Computed {
  readonly name: string
  readonly formula: string
  readonly inputs: Readonly<Record<string, Ratio>>
  readonly exact: Ratio
  readonly rounding: ExplanationStep['rounding']
  readonly result: bigint
  readonly currency: string
  readonly goesTo?: string
  readonly rule: string
}

export function renderSteps(steps: readonly Computed[]): ExplanationStep[] {
  return steps.map(({ inputs, exact, result, currency, goesTo, name, formula, rounding, rule }, index) => {
    const { numerator, denominator } = exact
    const left = { numerator: numerator - result * denominator, denominator }
    return {
      step: index + 1,
      name,
      formula,
      inputs: Object.fromEntries(Object.entries(inputs).map(([key, ratio]) => [key, ratioText(ratio)])),
      exact: ratioText(exact),
      rounding,
      result: { amount: `${result}`, currency },
      ...(goesTo && left.numerator !== 0n ? { residue: { exact: ratioText(left), goesTo } } : {}),
      rule,
    }
  })
}

/** Whether what is on record is what the exact value rounds to, in each step. */
export function isRecomputed(steps: readonly Computed[]): boolean {
  return steps.every(({ exact: { numerator, denominator }, rounding, result }) => {
    if (rounding === 'NONE') return numerator === result * denominator
    const round = { FLOOR: mulDivFloor, CEIL: mulDivCeil, HALF_UP: mulDivHalfUp }[rounding]
    return round(numerator, 1n, denominator) === result
  })
}
