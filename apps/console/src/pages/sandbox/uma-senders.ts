import type { Choice } from './choice.ts'

/** Users of the simulated institution, who pay from outside; what becomes of it is in their name. */
const users = [
  ['success.usd', 'from dollars'],
  ['success.eur', 'from euros'],
  ['success.mxn', 'from pesos'],
  ['pending.long.usd', 'takes about six minutes'],
  ['fail.compliance.usd', 'is refused by a compliance check'],
] as const

export const umaSenders: readonly Choice[] = users.map(([name, what]) => {
  const value = `$${name}@sandbox.uma.money`
  return { value, name: `${value}: ${what}` }
})
