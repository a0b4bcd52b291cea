/**
 * Recomputes every amount of an explanation from the explanation alone, with arithmetic of its own: nothing of the
 * engine is imported. Run: `npx tsx scripts/recompute-explanations.ts FILE…` with explanations as JSON, one in each file.
 */

import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

interface Step {
  readonly name: string
  readonly formula: string
  readonly inputs: Readonly<Record<string, string>>
  readonly exact: string
  readonly rounding: string
  readonly result: { readonly amount: string; readonly currency: string }
  readonly residue?: { readonly exact: string }
}

/** Numerator and denominator; the denominator is positive. */
type Fraction = readonly [bigint, bigint]

const read = (text: string): Fraction => {
  const [n, d = '1'] = text.split('/')
  return [BigInt(n!), BigInt(d)]
}
const equal = ([a, b]: Fraction, [c, d]: Fraction) => a * d === c * b
const floor = ([n, d]: Fraction) => (n - (((n % d) + d) % d)) / d
const rounded: Record<string, (value: Fraction) => bigint | undefined> = {
  NONE: ([n, d]) => (n % d === 0n ? n / d : undefined),
  FLOOR: floor,
  CEIL: ([n, d]) => -floor([-n, d]),
  HALF_UP: ([n, d]) => floor([2n * n + d, 2n * d]),
}
const operators: Record<string, (a: Fraction, b: Fraction) => Fraction> = {
  '+': ([a, b], [c, d]) => [a * d + c * b, b * d],
  '−': ([a, b], [c, d]) => [a * d - c * b, b * d],
  '×': ([a, b], [c, d]) => [a * c, b * d],
  '÷': ([a, b], [c, d]) => [a * d, b * c],
}

/** What a formula comes to: × and ÷ bind closer than + and −. */
function evaluate(formula: string, inputs: Step['inputs']): Fraction {
  const tokens = formula.match(/[a-zA-Z]+|[+−×÷()]/g) ?? []
  let at = 0
  function chain(next: () => Fraction, signs: string): Fraction {
    let value = next()
    while (at < tokens.length && signs.includes(tokens[at]!)) value = operators[tokens[at++]!]!(value, next())
    return value
  }
  function factor(): Fraction {
    const token = tokens[at++]!
    if (token === '(') {
      const value = sum()
      at++
      return value
    }
    if (inputs[token] === undefined) throw new Error(`${token} is no input`)
    return read(inputs[token])
  }
  const sum = (): Fraction => chain(() => chain(factor, '×÷'), '+−')
  return sum()
}

/** What differs, in words; nothing where everything comes out as the explanation says. */
export function differences(derivation: readonly Step[]): string[] {
  const found: string[] = []
  const results = new Map<string, string>()
  for (const { name, formula, inputs, exact, rounding, result, residue } of derivation) {
    const value = evaluate(formula, inputs)
    if (!equal(value, read(exact))) found.push(`${name}: exact is not ${exact}`)
    const amount = rounded[rounding]!(value)
    if (amount !== BigInt(result.amount)) found.push(`${name}: ${amount} is not ${result.amount}`)
    const left: Fraction = [value[0] - BigInt(result.amount) * value[1], value[1]]
    if (residue && !equal(left, read(residue.exact))) found.push(`${name}: residue is not ${residue.exact}`)
    for (const [input, text] of Object.entries(inputs)) {
      const before = results.get(input)
      if (before !== undefined && before !== text) found.push(`${name}: ${input} was ${before}`)
    }
    results.set(name, result.amount)
  }
  return [...found, ...notSmallest(derivation)]
}

/** Of a locked receiving amount: that the sending amount delivers it, and that one unit less does not. */
function notSmallest(derivation: readonly Step[]): string[] {
  const locked = derivation.find(({ name }) => name === 'receivingLocked')
  if (!locked) return []
  const step = (name: string) => derivation.find((each) => each.name === name)!
  const amount = (name: string) => BigInt(step(name).result.amount)
  const share = read(step('serviceVariable').inputs.serviceRate!)
  const platformShare = read(step('platformVariable').inputs.platformRate!)
  const rate = read(step('grossReceiving').inputs.crossRate!)
  const fixed = amount('serviceFixed') + amount('networkFee') + amount('platformFixed')
  const delivers = (sending: bigint) => {
    const variable = rounded.HALF_UP!([sending * share[0], share[1]])!
    const platform = rounded.HALF_UP!([(sending - fixed) * platformShare[0], platformShare[1]])!
    const net = sending - fixed - variable - platform
    return floor([net * rate[0], rate[1]]) - amount('counterpartyFee') >= BigInt(locked.result.amount)
  }
  const sending = amount('sending')
  const found = delivers(sending) ? [] : ['the sending amount does not deliver the locked one']
  return sending > 1n && delivers(sending - 1n) ? [...found, 'a unit less delivers it as well'] : found
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  let wrong = 0
  for (const file of process.argv.slice(2)) {
    const { derivation } = JSON.parse(readFileSync(file, 'utf8')) as { derivation: Step[] }
    for (const difference of differences(derivation)) {
      wrong++
      process.stdout.write(`${file}: ${difference}\n`)
    }
  }
  process.stdout.write(`${process.argv.length - 2} explanations, ${wrong} differences\n`)
  process.exitCode = wrong > 0 ? 1 : 0
}
