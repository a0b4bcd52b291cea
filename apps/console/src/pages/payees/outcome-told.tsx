import { Icon } from '../../parts/icon.tsx'
import type { Payee } from '../../parts/payee.tsx'
import { outcomeOf } from '../quote/outcome.ts'

/** What the sandbox makes of a payment to an account, with a warning where it does not simply arrive. */
export function Outcome({ of }: { readonly of: Payee }) {
  const outcome = outcomeOf(of)
  if (outcome === undefined) return <>—</>
  const isSpecial = /\d{3}/.test(outcome)
  return (
    <span title={outcome}>
      {isSpecial && <Icon name="warning" />} {outcome}
    </span>
  )
}
