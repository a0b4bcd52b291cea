import { rich, t } from '../../language/t.ts'
import { Id } from '../facts.tsx'
import { Part } from '../page.tsx'
import { amountText, type Currency } from './explanation.tsx'
import type { Explanation } from './use-explanation.ts'

interface BalancesProps {
  readonly of: Explanation
  readonly currencies: readonly Currency[]
}

/** What each balance was before, in between and after, in one line: `5,000.00 USD → 2,500.00 USD → 5,000.00 USD`. */
export function Balances({ of, currencies }: BalancesProps) {
  if (!of.balances || of.balances.length === 0) return null
  return (
    <Part title={t('Balances')}>
      <ul className="checks">
        {of.balances.map(({ account, currency, changes }) => (
          <li key={account}>
            {rich('<account></account> could spend <amounts></amounts>', {
              account: () => <Id id={account} short />,
              amounts: () => (
                <span className="money chain">
                  {lineOf(changes)
                    .map((amount) => (amount === '…' ? amount : amountText({ amount, currency }, currencies)))
                    // An amount and its currency are one, and the arrow ends a line.
                    .map((text) => text.replaceAll(' ', '\u00a0'))
                    .join('\u00a0→ ')}
                </span>
              ),
            })}
          </li>
        ))}
      </ul>
    </Part>
  )
}

type Change = NonNullable<Explanation['balances']>[number]['changes'][number]

/** Each amount once; `…` where something else moved it in between. */
function lineOf(changes: readonly Change[]): string[] {
  return changes.flatMap(({ before, after }, index) => {
    if (index === 0) return [before, after]
    return changes[index - 1]!.after === before ? [after] : ['…', before, after]
  })
}
