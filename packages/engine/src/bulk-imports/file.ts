import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import type { Keys } from '../keys/keys.ts'
import { type Row, requiredColumns, toRow } from './columns.ts'

export const maxRows = 10_000

/** What is wrong with a file as a whole (customers 6.2). */
export interface StructuralProblem {
  readonly reason: 'missing_required_column' | 'too_many_rows' | 'unparseable' | 'no_rows'
  readonly column?: string
}

export type Parsed =
  | { readonly rows: readonly ParsedRow[]; readonly problem?: undefined }
  /** How many data rows were seen, all of them counted as failed. */
  | { readonly problem: StructuralProblem; readonly rowCount: number }

/** A data row, or why it is none. */
export type ParsedRow = { readonly row: Row; readonly isTooLong?: true }

/** How much text is handed to the parser at a time: between two pieces other work gets its turn. */
const pieceBytes = 64 * 1024

/** Reads a file in the form of customers 6.1: RFC 4180, with a header row, columns by name. */
export async function parseFile(bytes: Uint8Array): Promise<Parsed> {
  const parser = Readable.from(pieces(bytes)).pipe(
    parse({ bom: true, relaxColumnCount: true, skipEmptyLines: true, recordDelimiter: ['\r\n', '\n', '\r'] }),
  )
  let header: readonly string[] | undefined
  let problem: StructuralProblem | undefined
  const rows: ParsedRow[] = []
  let rowCount = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (cells.length === 1 && cells[0]!.trim() === '') continue
      if (!header) {
        header = cells
        problem = headerProblem(header)
        continue
      }
      rowCount++
      if (rowCount > maxRows) problem ??= { reason: 'too_many_rows' }
      if (problem) rows.length = 0
      else
        rows.push({ row: toRow(header, cells), ...(cells.length > header.length ? { isTooLong: true } : {}) })
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // How far the parser came says nothing about how many rows there are.
    return { problem: { reason: 'unparseable' }, rowCount: 0 }
  }
  if (!header || (rowCount === 0 && !problem)) return { problem: { reason: 'no_rows' }, rowCount }
  return problem ? { problem, rowCount } : { rows }
}

function headerProblem(header: readonly string[]): StructuralProblem | undefined {
  const missing = requiredColumns.find((column) => !header.includes(column))
  if (missing !== undefined) return { reason: 'missing_required_column', column: missing }
  const twice = header.find((column, index) => column !== '' && header.indexOf(column) !== index)
  return twice === undefined ? undefined : { reason: 'unparseable', column: twice }
}

function* pieces(bytes: Uint8Array): Iterable<Buffer> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let start = 0; start < all.length; start += pieceBytes) yield all.subarray(start, start + pieceBytes)
}

// --- keeping what is not done yet -----------------------------------------------------------------

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Files are full of personal data: what waits in the database is sealed, and small. */
export async function packBytes(keys: Pick<Keys, 'seal'>, bytes: Uint8Array): Promise<string> {
  return keys.seal((await compress(bytes)).toString('base64'))
}

export async function unpackBytes(keys: Pick<Keys, 'open'>, packed: string): Promise<Buffer> {
  return decompress(Buffer.from(keys.open(packed), 'base64'))
}

export async function packRows(keys: Pick<Keys, 'seal'>, rows: readonly ParsedRow[]): Promise<string> {
  return packBytes(keys, Buffer.from(JSON.stringify(rows)))
}

export async function unpackRows(keys: Pick<Keys, 'open'>, packed: string): Promise<ParsedRow[]> {
  return JSON.parse((await unpackBytes(keys, packed)).toString('utf8')) as ParsedRow[]
}
