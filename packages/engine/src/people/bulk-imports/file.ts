import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import type { Keys } from '../../mechanisms/keys/keys.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { type Row, requiredColumns, toRow } from './columns.ts'
import { separationOf, startOf } from './separators.ts'

export const maxRows = 10_000

/** What is wrong with a file as a whole (customers 6.2). */
export interface StructuralProblem {
  readonly reason: 'missing_required_column' | 'too_many_rows' | 'unparseable' | 'no_rows'
  readonly column?: string
  /** The line on which the row begins that cannot be read. */
  readonly line?: number
  readonly hint?: string
}

export type Parsed =
  | { readonly rowCount: number; readonly problem?: undefined }
  /** How many data rows were seen, all of them counted as failed. */
  | { readonly problem: StructuralProblem; readonly rowCount: number }

/** A data row, or why it is none. */
export type ParsedRow = { readonly row: Row; readonly isTooLong?: true }

/** How much text is handed to the parser at a time: between two pieces other work gets its turn. */
const pieceBytes = 8 * 1024
/** More than any row of the known columns holds; nothing longer is looked for the end of. */
const maxRecordCharacters = 64 * 1024
const maxColumns = 200

/**
 * Reads a file in the form of customers 6.1: RFC 4180, with a header row, columns by name; cells may also be separated by
 * semicolons, tabs or bars. Rows are handed on as they come; when there is a problem those handed on count for nothing.
 * Rows without any text are left out: spreadsheets write them for every row that was ever touched.
 */
export async function parseFile(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: (row: ParsedRow) => Promise<void> | void,
): Promise<Parsed> {
  const { start, all } = await startOf(pieces(content))
  const { separator, hasSeparatorLine } = separationOf(start)
  let lastLine = 0
  let twiceCounted = 0
  const parser = Readable.from(all).pipe(
    parse({
      bom: true,
      delimiter: separator,
      fromLine: hasSeparatorLine ? 2 : 1,
      // At once: rows that wait in the stream are lost when a later one cannot be read.
      onRecord: (cells: string[], { lines }) => {
        // The parser counts CRLF within a cell as two lines.
        for (const cell of cells) twiceCounted += cell.split('\r\n').length - 1
        lastLine = lines - twiceCounted
        return cells
      },
      relaxColumnCount: true,
      skipEmptyLines: true,
      recordDelimiter: ['\r\n', '\n', '\r'],
      maxRecordSize: maxRecordCharacters,
    }),
  )
  let header: readonly string[] | undefined
  let problem: StructuralProblem | undefined
  let rowCount = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (cells.every((cell) => cell.trim() === '')) continue
      if (!header) {
        header = cells.map((cell) => cell.trim())
        problem = headerProblem(header)
        continue
      }
      rowCount++
      if (rowCount > maxRows) problem ??= { reason: 'too_many_rows' }
      if (problem) continue
      await take({ row: toRow(header, cells), ...(cells.length > header.length ? { isTooLong: true } : {}) })
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // How far the parser came says nothing about how many rows there are.
    return { problem: { reason: 'unparseable', line: lastLine + 1, hint: hintOf(error) }, rowCount: 0 }
  }
  if (!header || (rowCount === 0 && !problem)) return { problem: { reason: 'no_rows' }, rowCount }
  return problem ? { problem, rowCount } : { rowCount }
}

function hintOf({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE' || code === 'CSV_QUOTE_NOT_CLOSED')
    return 'a quote is opened here and not closed'
  return 'a cell that contains a quote must be in quotes, and that quote must be written twice'
}

function headerProblem(header: readonly string[]): StructuralProblem | undefined {
  if (header.length > maxColumns) return { reason: 'unparseable' }
  const missing = requiredColumns.find((column) => !header.includes(column))
  if (missing !== undefined) {
    const hint =
      header.length === 1 ? { hint: 'the first line must name the columns, with commas between them' } : {}
    return { reason: 'missing_required_column', column: missing, ...hint }
  }
  const twice = header.find((column, index) => column !== '' && header.indexOf(column) !== index)
  return twice === undefined ? undefined : { reason: 'unparseable', column: twice }
}

async function* pieces(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<Buffer> {
  for await (const bytes of content) {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let start = 0; start < all.length; start += pieceBytes) {
      yield all.subarray(start, start + pieceBytes)
      // A stream goes on in the same turn of the event loop for as long as there is something to read.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

// --- keeping what is not done yet -----------------------------------------------------------------

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Files are full of personal data: what waits in the database is sealed, and small. */
export const sealedParts: SealedColumn = {
  table: 'bulk_import_parts',
  column: 'content',
  row: "import_id || ' ' || kind || ' ' || position",
}

/** Which part of which import: `position` of the file is 1. */
export interface PartPlace {
  readonly book: Book
  readonly importId: string
  readonly kind: 'FILE' | 'ROWS'
  readonly position: number
}

function rowOf({ importId, kind, position }: PartPlace): string {
  return `${importId} ${kind} ${position}`
}

export async function packBytes(
  keys: Pick<Keys, 'seal'>,
  place: PartPlace,
  bytes: Uint8Array,
): Promise<string> {
  return keys.seal(place.book, sealedParts, rowOf(place), (await compress(bytes)).toString('base64'))
}

export async function unpackBytes(
  keys: Pick<Keys, 'open'>,
  place: PartPlace,
  packed: string,
): Promise<Buffer> {
  return decompress(Buffer.from(keys.open(place.book, sealedParts, rowOf(place), packed), 'base64'))
}

export async function packRows(
  keys: Pick<Keys, 'seal'>,
  place: PartPlace,
  rows: readonly ParsedRow[],
): Promise<string> {
  return packBytes(keys, place, Buffer.from(JSON.stringify(rows)))
}

export async function unpackRows(
  keys: Pick<Keys, 'open'>,
  place: PartPlace,
  packed: string,
): Promise<ParsedRow[]> {
  return JSON.parse((await unpackBytes(keys, place, packed)).toString('utf8')) as ParsedRow[]
}
