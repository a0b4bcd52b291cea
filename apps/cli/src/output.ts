import { type Amount, formatMoney } from '@corridor/sdk'
import type { Terminal } from './terminal.ts'

/** How data is shown: a table for people, JSON for programs. */
export interface OutputSettings {
  readonly json: boolean
  readonly jsonl: boolean
  readonly quiet: boolean
  readonly hasHeaders: boolean
  readonly columns: readonly string[] | undefined
}

type Row = Readonly<Record<string, unknown>>

/** Shown first where a list says nothing about columns. */
const preferred = [
  'createdAt',
  'type',
  'status',
  'state',
  'name',
  'fullName',
  'customerType',
  'currency',
  'sentAmount',
  'receivedAmount',
  'balance',
  'text',
  'code',
  'to',
  'id',
]
const mostColumns = 7

const glyphs: Readonly<Record<string, string>> = {
  COMPLETED: '✓',
  APPROVED: '✓',
  ACTIVE: '✓',
  PENDING: '◔',
  PROCESSING: '◔',
  PENDING_AUTHORIZATION: '⚿',
  FAILED: '✕',
  REJECTED: '✕',
  EXPIRED: '⌛',
  REFUNDED: '↩',
}

/** A list: `--json` prints `body`, the answer of the API; `--jsonl` one entry per line. */
export function showList(
  terminal: Terminal,
  settings: OutputSettings,
  rows: readonly Row[],
  body: unknown,
): void {
  if (settings.json) {
    terminal.out(JSON.stringify(body, null, 2))
    return
  }
  if (settings.jsonl || settings.quiet) {
    for (const row of rows) terminal.out(settings.jsonl ? JSON.stringify(row) : idOf(row))
    return
  }
  if (rows.length === 0) {
    terminal.note('Nothing found.')
    return
  }
  const shown = rows.map(asReceived)
  const columns = settings.columns ?? columnsOf(shown)
  const cells = shown.map((row) => columns.map((column) => cell(terminal, column, valueAt(row, column))))
  const isRight = columns.map((column) => isOfNumbers(shown.map((row) => valueAt(row, column))))
  const lines = settings.hasHeaders ? [columns, ...cells] : cells
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)))
  for (const line of lines) {
    const padded = line.map((text, index) =>
      isRight[index] ? text.padStart(widths[index]!) : text.padEnd(widths[index]!),
    )
    terminal.out(padded.join('  ').trimEnd())
  }
}

/** Of these nobody has received what they name, or it went back. */
const unreceived: ReadonlySet<unknown> = new Set(['FAILED', 'REJECTED', 'EXPIRED', 'REFUNDED'])

/** A payment that nobody received has nothing there in a table, as in the console; cancelled, it is completed and given back. */
function asReceived(row: Row): Row {
  const isGivenBack = row.status === 'COMPLETED' && row.refund !== undefined
  const isReceived = !('receivedAmount' in row) || !(unreceived.has(row.status) || isGivenBack)
  return isReceived ? row : { ...row, receivedAmount: undefined }
}

/** One object. */
export function showOne(terminal: Terminal, settings: OutputSettings, value: unknown): void {
  if (value === undefined) return
  const text = settings.json ? JSON.stringify(value, null, 2) : JSON.stringify(value)
  if (settings.json || settings.jsonl || typeof value !== 'object' || value === null) {
    terminal.out(text)
    return
  }
  const row = value as Row
  if (settings.quiet) {
    terminal.out(idOf(row))
    return
  }
  const columns = settings.columns ?? Object.keys(row)
  const width = Math.max(...columns.map((column) => column.length))
  for (const column of columns) {
    const found = valueAt(row, column)
    const text = isPlain(found) ? cell(terminal, column, found) : JSON.stringify(found)
    terminal.out(`${column.padEnd(width)}  ${text}`)
  }
}

/** Its own, or that of what it found. */
function idOf(row: Row): string {
  return String(row.id ?? row.resourceId ?? '')
}

function columnsOf(rows: readonly Row[]): string[] {
  const plain = new Set(rows.flatMap((row) => Object.keys(row).filter((key) => isPlain(row[key]))))
  const first = preferred.filter((name) => plain.has(name))
  const others = [...plain].filter((name) => !preferred.includes(name))
  return [...first, ...others].slice(0, Math.max(first.length, mostColumns))
}

function isAmount(value: unknown): value is Amount {
  return typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null || isAmount(value) || isCurrency(value)
}

function isCurrency(value: unknown): value is { code: string } {
  return typeof value === 'object' && value !== null && 'code' in value && 'decimals' in value
}

const isNumeric = (value: unknown) => typeof value === 'number' || isAmount(value)

/** Whether a column has numbers alone, of rows that have something there. */
function isOfNumbers(values: readonly unknown[]): boolean {
  const found = values.filter((value) => value !== undefined && value !== null)
  return found.length > 0 && found.every(isNumeric)
}

function valueAt(row: Row, path: string): unknown {
  return path.split('.').reduce<unknown>((node, name) => (node as Row | undefined)?.[name], row)
}

function cell(terminal: Terminal, column: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (isAmount(value)) return formatMoney(value)
  if (isCurrency(value)) return value.code
  if (typeof value === 'object') return JSON.stringify(value)
  const text = printable(String(value))
  if (column === 'status' || column.endsWith('Status')) return glyphs[text] ? `${glyphs[text]} ${text}` : text
  // Whole where it goes to a program, short where a person reads it.
  if (terminal.isPerson && column !== 'id' && /^[A-Z]\w+:[0-9a-f-]{36}$/.test(text))
    return `…${text.slice(-6)}`
  return text
}

/** What others wrote cannot move the cursor. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}
