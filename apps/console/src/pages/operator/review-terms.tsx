import { t } from '../../language/t.ts'
import { textOf } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ageOf } from './ages.ts'
import type { ReviewSummary, ReviewTerms } from './operator-api.ts'

/** How long there is to decide; what is overdue says so in a word, too. */
export function TimeLeft({ of: { secondsLeft } }: { readonly of: Pick<ReviewTerms, 'secondsLeft'> }) {
  if (secondsLeft >= 0) return t('{time} left', { time: ageOf(secondsLeft) })
  return (
    <span className="overdue">
      <Icon name="warning" /> {t('overdue by {time}', { time: ageOf(-secondsLeft) })}
    </span>
  )
}

const dollars = { code: 'USD', name: 'USD', symbol: '$', decimals: 2 }

const exact = (minor: number) => textOf({ amount: BigInt(minor), currency: dollars })

/** The most that the customer says it will move in a month, which is what the limit looks at. */
export function mostOfReview({ amount }: Pick<ReviewTerms, 'amount'>): string {
  if (!amount) return '—'
  return amount.atMost === undefined
    ? t('> {amount}', { amount: exact(amount.atLeast) })
    : t('≤ {amount}', { amount: exact(amount.atMost) })
}

/** How long it has waited, in seconds, on the clock of its environment. */
export function waitedSeconds({ submittedAt, dueAt, secondsLeft }: ReviewSummary): number {
  return (Date.parse(dueAt) - Date.parse(submittedAt)) / 1_000 - secondsLeft
}

/** What the customer says that it will move in a month. */
export function amountOfReview({ amount }: Pick<ReviewTerms, 'amount'>): string {
  if (!amount) return t('not said')
  const { atLeast, atMost } = amount
  if (atMost === undefined) return t('over {least} a month', { least: exact(atLeast) })
  if (atLeast === 0) return t('up to {most} a month', { most: exact(atMost) })
  return t('{least} to {most} a month', { least: exact(atLeast), most: exact(atMost) })
}
