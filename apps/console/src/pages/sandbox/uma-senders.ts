import { t } from '../../language/t.ts'
import type { Choice } from './choice.ts'

/** Users of the simulated institution, who pay from outside; what becomes of it is in their name. */
const users = [
  ['success.usd', t('from dollars')],
  ['success.eur', t('from euros')],
  ['success.mxn', t('from pesos')],
  ['pending.long.usd', t('takes about six minutes')],
  ['fail.compliance.usd', t('is rejected by a compliance check')],
] as const

export const umaSenders: readonly Choice[] = users.map(([name, what]) => {
  const value = `$${name}@sandbox.uma.money`
  return { value, name: t('{address}: {what}', { address: value, what }) }
})
