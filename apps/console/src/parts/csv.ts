import type { ExactAmount } from '@corridor/sdk/money.ts'

/** A cell: what is not there is empty. */
export type Cell = string | undefined

/** A spreadsheet takes a text that begins so for a formula, and runs it. */
const beginsAFormula = /^[\s]*[=+\-@\t\r]/

/**
 * Rows as a file that spreadsheets open (RFC 4180, with a mark that says it is UTF-8). A text that would be a formula gets an
 * apostrophe in front of it; amounts have none, as they are digits.
 */
export function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map(quoted).join(','))
  return `\uFEFF${lines.join('\r\n')}\r\n`
}

/** `{ 49750, USD }` → `497.50`, without groups, so that programs read it; digits are moved, so nothing is rounded. */
export function decimalOf({ amount, currency: { decimals } }: ExactAmount): string {
  const minor = BigInt(amount)
  const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, '0')
  const split = digits.length - decimals
  return `${minor < 0n ? '-' : ''}${digits.slice(0, split)}${decimals > 0 ? `.${digits.slice(split)}` : ''}`
}

/** An amount below zero begins with a sign as a formula does, and is none. */
const isNumber = /^-?\d+(\.\d+)?$/

function quoted(cell: Cell): string {
  if (cell === undefined) return ''
  const text = beginsAFormula.test(cell) && !isNumber.test(cell) ? `'${cell}` : cell
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
