import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { BulkCustomerImportJob } from './contract.ts'

export interface BulkImport {
  readonly id: Id<'Job'>
  readonly version: bigint
  readonly status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  readonly total: number
  readonly successful: number
  readonly failed: number
  readonly completedAt: Instant | null
}

export type RowFailure = BulkCustomerImportJob['errors'][number]

/** Failures that are shown; the counts know all of them (customers 6.2). */
export const shownErrors = 1000

const load = statement(
  'bulkImports.load',
  `select id, version, status, total, successful, failed, completed_at as "completedAt"
   from bulk_imports where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadImport(
  database: Database,
  book: Book,
  id: string,
): Promise<BulkImport | undefined> {
  const [found] = await database.read<BulkImport>(book, load, [book.platformId, book.environment, id])
  return found
}

const loadFailures = statement(
  'bulkImports.loadErrors',
  `select entry from bulk_import_errors where platform_id = $1 and environment = $2 and import_id = $3
   order by position limit $4`,
)

export async function loadErrors(database: Database, book: Book, id: string): Promise<RowFailure[]> {
  const parameters = [book.platformId, book.environment, id, shownErrors]
  const rows = await database.read<{ entry: RowFailure }>(book, loadFailures, parameters)
  return rows.map(({ entry }) => entry)
}

export interface ImportPart {
  readonly kind: 'FILE' | 'ROWS'
  /** Of rows: of the first of them. Of a piece of the file: its own. Both counted from 1. */
  readonly position: number
  readonly content: string
}

const loadNext = statement(
  'bulkImports.loadNextPart',
  `select kind, position, content from bulk_import_parts
   where platform_id = $1 and environment = $2 and import_id = $3 order by kind, position limit 1`,
)

/** What is to be done next: the file as a whole, then its rows in order. */
export async function loadNextPart(
  database: Database,
  book: Book,
  importId: string,
): Promise<ImportPart | undefined> {
  const [part] = await database.read<ImportPart>(book, loadNext, [
    book.platformId,
    book.environment,
    importId,
  ])
  return part
}

const loadPiece = statement(
  'bulkImports.loadPiece',
  `select content from bulk_import_parts
   where platform_id = $1 and environment = $2 and import_id = $3 and kind = 'FILE' and position = $4`,
)

/** The pieces of the file in order, one in memory at a time. */
export async function* loadPieces(database: Database, book: Book, importId: string): AsyncIterable<string> {
  for (let position = 1; ; position++) {
    const parameters = [book.platformId, book.environment, importId, position]
    const [piece] = await database.read<{ content: string }>(book, loadPiece, parameters)
    if (!piece) return
    yield piece.content
  }
}

const insertPiece = statement(
  'bulkImports.storePiece',
  `insert into bulk_import_parts (platform_id, environment, import_id, kind, position, content)
   values ($1, $2, $3, 'FILE', $4, $5)`,
)

/** A piece of a file whose import is yet to be made. */
export async function storePiece(
  database: Database,
  book: Book,
  { importId, position, content }: { importId: string; position: number; content: string },
): Promise<void> {
  await database.write(book, insertPiece, [book.platformId, book.environment, importId, position, content])
}
