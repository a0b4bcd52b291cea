import { identifiers, outcomes } from '../../generated/sandbox.ts'
import { t } from '../../language/t.ts'
import type { Payee } from '../../parts/payee.tsx'

/** What the sandbox makes of a payment to this account. Undefined: the account has no number that says so. */
export function outcomeOf({ accountInfo }: Pick<Payee, 'accountInfo'>): string | undefined {
  const info = accountInfo as unknown as Readonly<Record<string, unknown>>
  const number = info[identifiers[String(info.accountType)] ?? '']
  if (typeof number !== 'string') return undefined
  const ending = number.split('@')[0]!.slice(-3)
  const outcome = outcomes[ending]
  return outcome ? t('ends in {ending}: {outcome}', { ending, outcome }) : t('successful payment')
}
