import { useKeys } from '../../app/keys.ts'
import { t } from '../../language/t.ts'
import { csvOf } from '../../parts/csv.ts'
import { saveFile } from '../../parts/save-file.ts'
import type { Selection } from '../../parts/selection.ts'
import { exportHead, exportOf } from './payment-cells.ts'
import type { Payment } from './payments-page.tsx'

interface PickedProps {
  readonly of: Selection<Payment>
  /** Of the file, without its ending. */
  readonly name: string
}

/** What is marked in the list, as a file: `x`, as the button. */
export function Picked({ of: { rows, clear }, name }: PickedProps) {
  const save = () => {
    if (rows.length === 0) return
    saveFile(`${name}.csv`, new Blob([csvOf(exportHead, rows.map(exportOf))], { type: 'text/csv' }))
  }
  useKeys({ x: save })
  return (
    <p className="acts" role="status">
      {rows.length > 0 && (
        <>
          <span>{t('{rows, plural, one {One selected} other {# selected}}', { rows: rows.length })}</span>
          <button type="button" aria-keyshortcuts="x" onClick={save}>
            {t('Export the selection (x)')}
          </button>
          <button type="button" className="quiet" onClick={clear}>
            {t('Select none')}
          </button>
        </>
      )}
    </p>
  )
}
