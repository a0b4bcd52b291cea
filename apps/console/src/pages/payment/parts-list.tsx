import { t } from '../../language/t.ts'
import type { Explanation } from '../../parts/explanation/use-explanation.ts'

/** What stands on the page of a payment, with how much of it there is, each a way to get there. */
export function Parts({ of: { derivation, checks, journals, timeline } }: { readonly of: Explanation }) {
  const postings = journals.reduce((sum, journal) => sum + journal.postings.length, 0)
  const parts = [
    ...(postings > 0 ? [['flow', t('Flow')] as const] : []),
    ['derivation', t('Derivation'), derivation.length],
    ['checks', t('Checks'), checks.length],
    ['posted', t('Postings'), postings],
    ['timeline', t('Timeline'), timeline.length],
    ['facts', t('Facts')],
    ['raw', t('Raw')],
  ] as const
  return (
    <nav className="views parts" aria-label={t('Parts of this page')}>
      {parts
        .filter(([, , count]) => count !== 0)
        .map(([id, name, count]) => (
          <a key={id} href={`#${id}`}>
            {name}
            {count !== undefined && ` ${count}`}
          </a>
        ))}
    </nav>
  )
}
