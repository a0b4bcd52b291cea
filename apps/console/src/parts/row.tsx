import { type KeyboardEvent, memo } from 'react'
import { Go, LinksAreText } from '../app/places.tsx'
import { preferenceOf } from '../app/preferences.ts'
import { type Column, classOf } from './columns.tsx'

export interface RowProps {
  readonly row: unknown
  readonly index: number
  readonly columns: readonly Column<unknown>[]
  readonly to: (row: unknown) => string | undefined
  /** What the box in front of it is for; undefined where there is none. */
  readonly says: ((row: unknown) => string) | undefined
  readonly isPicked: boolean
  /** It stands open beside the list. */
  readonly isOpen: boolean
  readonly pick: (row: unknown) => void
  /** Opens the page of a row, or the row beside the list. */
  readonly choose: (index: number, place: string, isByKeys: boolean) => void
}

/** Drawn once, however often the list around it is: scrolling draws only what comes into view. */
export const Row = memo(({ row, index, columns, to, says, isPicked, isOpen, pick, choose }: RowProps) => {
  const place = to(row)
  return (
    // The link in the row does the same with the keys.
    <tr
      // biome-ignore lint/a11y/noRedundantRoles: a row of two lines is none to browsers unless it says so
      role="row"
      aria-rowindex={index + 2}
      aria-current={isOpen || undefined}
      className={isPicked ? 'picked' : undefined}
      onClick={(event) => {
        if (place && !(event.target as HTMLElement).closest('a,button,.pick')) choose(index, place, false)
      }}
    >
      {says !== undefined && (
        // biome-ignore lint/a11y/noRedundantRoles: likewise
        <td role="cell" className="pick">
          <input type="checkbox" aria-label={says(row)} checked={isPicked} onChange={() => pick(row)} />
        </td>
      )}
      {columns.map((column, at) => (
        // biome-ignore lint/a11y/noRedundantRoles: likewise
        <td key={column.title} role="cell" className={classOf(column)}>
          {at === 0 && place ? (
            <Go to={place} follow={(event) => choose(index, place, event.detail === 0)}>
              <LinksAreText value>{column.cell(row)}</LinksAreText>
            </Go>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  )
})

/** The space bar marks the row whose link has the focus; elsewhere it does what it does. */
export function pickByKey(event: KeyboardEvent, pick: (index: number) => void): void {
  const link = event.target as HTMLElement
  if (event.key !== ' ' || link.tagName !== 'A' || preferenceOf('keys') === 'off') return
  event.preventDefault()
  pick(Number(link.closest('tr')?.getAttribute('aria-rowindex')) - 2)
}
