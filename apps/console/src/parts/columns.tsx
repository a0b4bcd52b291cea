import type { ReactNode } from 'react'
import { LinksAreText } from '../app/places.tsx'

/** The columns of a list: what they show, how wide they are, and what of them stands in the two lines of a phone. */

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => ReactNode
  /** Of an amount that is drawn as more than its text: by this its width is known. */
  readonly text?: (row: T) => string
  readonly isAmount?: boolean
  /** It says nothing without its title: a phone, which has no heads of columns, shows the title in front of it, and no "—". */
  readonly isNamed?: boolean
  /** Left out where the screen is narrow. */
  readonly isWide?: boolean
  /** Left out where the screen is not very wide. */
  readonly isExtra?: boolean
  /** One of the widths of the style sheet. */
  readonly width?:
    | 'moment'
    | 'event'
    | 'ledger'
    | 'flow'
    | 'digits'
    | 'end'
    | 'party'
    | 'attempts'
    | 'rate'
    | 'result'
    | 'act'
    | 'rest'
}

const lengths = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>()

/**
 * How many characters the longest amount of each column has, of all pages that were read: what amounts leave is room for words. Each
 * page is looked at once.
 */
export function longestOf<T>(
  pages: readonly { readonly data: readonly T[] }[],
  columns: readonly Column<T>[],
): ReadonlyMap<string, number> {
  const longest = new Map<string, number>()
  for (const { data } of pages) {
    let ofPage = lengths.get(data)
    if (!ofPage) {
      const found = new Map<string, number>()
      for (const { title, width, cell, text } of columns) {
        if (width !== 'digits') continue
        const texts = data.map(text ?? cell)
        // What is no text is as wide as the style sheet has it.
        if (texts.some((text) => typeof text !== 'string')) continue
        found.set(title, Math.max(...texts.map((text) => (text as string).length)))
      }
      ofPage = found
      lengths.set(data, ofPage)
    }
    for (const [title, length] of ofPage) longest.set(title, Math.max(longest.get(title) ?? 0, length))
  }
  return longest
}

/** Room for a head, and no more than the longest amount that there can be. */
const [fewest, most] = [11, 25]
/** Of a character of the font of amounts, in pixels, and of what is beside them in a cell. */
const [ofCharacter, ofCell] = [7.8, 17]

export function widthOf(characters: number | undefined) {
  if (characters === undefined) return undefined
  return { width: Math.ceil(Math.min(most, Math.max(fewest, characters)) * ofCharacter) + ofCell }
}

/** Of the columns between the first and the last, so many find room below them. */
const mostBelow = 3

/**
 * On a phone a row has two lines, or three where two have no room for it: the first and the last column, and below them what is
 * never left out of those between, then others as far as there is room. They have no heads above them, so a moment has its name
 * in front, and so has each of several amounts, but where a figure stands between them and says which is which. Of a row that has a page, what may be left out is no link, and an act stands there.
 */
export function twoLines<T>(
  all: readonly Column<T>[],
  to: (row: T) => string | undefined,
): readonly Column<T>[] {
  const columns = all.filter(({ width }) => width !== 'act')
  const weight = ({ isWide, isExtra }: Column<T>) => (isExtra ? 2 : isWide ? 1 : 0)
  const inner = columns.slice(1, -1)
  const between = [...inner].sort((a, b) => weight(a) - weight(b)).slice(0, mostBelow)
  const ends = [columns[0]!, ...columns.slice(1).slice(-1)].map((column) => ({
    ...column,
    cell: (row: T) => <Shown of={column} row={row} isNamed={column.isNamed} />,
  }))
  if (between.length === 0) return ends
  const areAmountsNamed =
    between.filter(({ isAmount }) => isAmount).length > 1 && !between.some(({ width }) => width === 'flow')
  const hasName = ({ isNamed, isAmount, width }: Column<T>) =>
    isNamed || width === 'moment' || (isAmount && areAmountsNamed)
  const partOf = (row: T) => (column: Column<T>) => (
    <span key={column.title} className={column.isAmount ? 'whole' : undefined}>
      {hasName(column) ? <Shown of={column} row={row} isNamed /> : column.cell(row)}
    </span>
  )
  const kept = between.filter((column) => weight(column) === 0)
  const others = between.filter((column) => weight(column) > 0)
  const rest: Column<T> = {
    title: between.map(({ title }) => title).join(', '),
    width: 'rest',
    cell: (row) => (
      <>
        {kept.length > 0 && <span className="kept">{kept.map(partOf(row))}</span>}
        <LinksAreText value={to(row) !== undefined}>{others.map(partOf(row))}</LinksAreText>
      </>
    ),
  }
  return [...ends, rest]
}

interface ShownProps<T> {
  readonly of: Column<T>
  readonly row: T
  readonly isNamed: boolean | undefined
}

/** What a column shows, where it needs it with its title in front; nothing of what there is not. */
function Shown<T>({ of: { title, cell }, row, isNamed }: ShownProps<T>) {
  const shown = cell(row)
  if (shown === '—') return null
  return (
    <>
      {isNamed && <small>{title} </small>}
      {shown}
    </>
  )
}

export function classOf({ isAmount, isWide, width }: Column<never>): string | undefined {
  const names = [isAmount && 'amount', isWide && 'wide', width].filter(Boolean)
  return names.length > 0 ? names.join(' ') : undefined
}
