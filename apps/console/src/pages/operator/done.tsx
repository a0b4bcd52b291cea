import { t } from '../../language/t.ts'
export type Outcome = 'DONE' | 'PROPOSED'

/** What became of what an operator wanted: some of it waits for a second person. */
export function Done({ outcome }: { readonly outcome: Outcome | undefined }) {
  return (
    <div role="status">
      {outcome === 'DONE' && <p className="news">{t('Done.')}</p>}
      {outcome === 'PROPOSED' && (
        <p className="news">
          {t('Proposed. Another operator has to approve it within a day, on the page Staff.')}
        </p>
      )}
    </div>
  )
}
