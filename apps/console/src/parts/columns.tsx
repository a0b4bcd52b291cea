import type { ReactNode } from 'react'

/** The columns of a list: what they show, how wide they are, and what of them stands in the two lines of a phone. */

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => ReactNode
  readonly isAmount?: boolean
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
      for (const { title, width, cell } of columns) {
        if (width !== 'digits') continue
        const texts = data.map(cell)
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

/** Of the columns between the first and the last, so many find room in the second line. */
const mostInLine = 3

/**
 * On a phone a row has two lines: the first and the last column, and below them what is never left out of those between, then
 * others as far as there is room. Amounts have no heads above them, so each of several has its name in front, but where a figure
 * stands between them and says which is which.
 */
export function twoLines<T>(columns: readonly Column<T>[]): readonly Column<T>[] {
  const weight = ({ isWide, isExtra }: Column<T>) => (isExtra ? 2 : isWide ? 1 : 0)
  const inner = columns.slice(1, -1)
  const between = [...inner].sort((a, b) => weight(a) - weight(b)).slice(0, mostInLine)
  if (between.length === 0) return columns
  const isNamed =
    between.filter(({ isAmount }) => isAmount).length > 1 && !between.some(({ width }) => width === 'flow')
  const partOf = (row: T) => (column: Column<T>) => (
    <span key={column.title} className={column.isAmount ? 'whole' : undefined}>
      {isNamed && column.isAmount && <small>{column.title} </small>}
      {column.cell(row)}
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
        {others.map(partOf(row))}
      </>
    ),
  }
  return [columns[0]!, columns.at(-1)!, rest]
}

export function classOf({ isAmount, isWide, width }: Column<never>): string | undefined {
  const names = [isAmount && 'amount', isWide && 'wide', width].filter(Boolean)
  return names.length > 0 ? names.join(' ') : undefined
}
