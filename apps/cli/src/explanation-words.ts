import type { Answer } from '@corridor/sdk'

type Step = Answer<'explain'>['derivation'][number]

/** The names that formulas use, as a person would say them. */
const names: Readonly<Record<string, string>> = {
  sending: 'sent, including fees',
  receivingLocked: 'to be received',
  serviceFixed: 'service fee, fixed',
  serviceVariable: 'service fee, share',
  networkFee: 'network fee',
  platformFixed: 'platform fee, fixed',
  platformVariable: 'platform fee, share',
  counterpartyFee: "receiver's fee",
  netConverted: 'converted',
  grossReceiving: 'after conversion',
  fxSurplus: 'surplus over the locked amount',
  receiving: 'for the recipient',
  feesIncluded: 'all fees',
  available: 'available',
  underReview: 'under review',
}
export const widestName = Math.max(...Object.values(names).map(({ length }) => length))

export const stepName = ({ name }: Step): string => names[name] ?? name

/** What there may be none of, and then it is no line. */
const optional: ReadonlySet<string> = new Set([
  'serviceFixed',
  'serviceVariable',
  'networkFee',
  'platformFixed',
  'platformVariable',
  'counterpartyFee',
  'fxSurplus',
  'feesIncluded',
  'underReview',
])

/** Whether a step says something: a fee that there is not says nothing. */
export const isTold = ({ name, result }: Step): boolean => result.amount !== '0' || !optional.has(name)

/** A formula with its figures, in the smallest units; what is nothing is left out: `100000 − 500`. */
export function filledIn({ formula, inputs }: Pick<Step, 'formula' | 'inputs'>): string {
  const told = formula.replaceAll(/\(([^()]*)\)/g, (_, sum: string) => `(${withoutNothing(sum, inputs)})`)
  return withoutNothing(told, inputs).replaceAll(/[A-Za-z]+/g, (name) => inputs[name] ?? name)
}

function withoutNothing(sum: string, inputs: Step['inputs']): string {
  const terms = sum.split(/ (?=[+−] )(?![^(]*\))/)
  const told = terms.filter((term) => inputs[term.replace(/^[+−] /, '').split(' ')[0]!] !== '0')
  return told.join(' ').replace(/^\+ /, '') || '0'
}
