import { type Id, type Result, stateAfter, toTimestamp } from '@corridor/kernel'
import type { Decision, Insert, JobClaim, NewEvent, NewJob, Update } from '../../vocabulary/decision.ts'
import { entryOf, type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { correlationIdOf, type Row } from './columns.ts'
import { maxRows, type StructuralProblem } from './file.ts'
import { bulkImportMachine } from './machine.ts'
import { renderImport } from './render.ts'
import type { BulkImport, ImportPart, RowFailure } from './store.ts'

export const importJob = 'importCustomers'

/** How many rows one transaction imports: enough to be quick, few enough to hold nobody up. */
export const rowsPerStep = 25

/**
 * Takes a file in that is stored already (customers 6.1). Everything about its content is reported by the job.
 * Refused when `forgetting` is not the caller's any more: then its pieces are gone.
 */
export function decideUpload(scope: Scope, id: Id<'Job'>, forgetting: JobClaim): Decision<Reply> {
  return {
    completes: [forgetting],
    inserts: [{ table: 'bulk_imports', row: { id, status: 'PENDING', created_at: toTimestamp(scope.now) } }],
    jobs: [nextStep(id)],
    result: () => ({ status: 202, body: { jobId: id, status: 'PENDING' } }),
  }
}

export const forgetJob = 'forgetUpload'

/** The job that removes the pieces of a file whose import was never made. */
export function forgetUpload(importId: string): NewJob {
  return { kind: forgetJob, payload: { importId }, key: importId }
}

export function decideForget(importId: string): Decision {
  return { deletes: [{ table: 'bulk_import_parts', row: { import_id: importId } }], result: () => undefined }
}

function nextStep(importId: string) {
  return { kind: importJob, payload: { importId }, key: importId }
}

/** The file is parsed: its rows, packed in steps, take its place. */
export function decideParsed(
  bulkImport: BulkImport,
  rowCount: number,
  steps: readonly { readonly position: number; readonly packed: string }[],
): Decision {
  return {
    updates: [guarded(bulkImport, { status: stateAfter(bulkImportMachine, 'parse'), total: rowCount })],
    deletes: [{ table: 'bulk_import_parts', row: { import_id: bulkImport.id, kind: 'FILE' } }],
    inserts: steps.map(({ position, packed }) => ({
      table: 'bulk_import_parts',
      row: { import_id: bulkImport.id, kind: 'ROWS', position, content: packed },
    })),
    jobs: [nextStep(bulkImport.id)],
    result: () => undefined,
  }
}

/** The file as a whole is of no use: one error, and every row counts as failed (customers 6.2). */
export function decideUnusable(
  scope: Scope,
  bulkImport: BulkImport,
  { problem, rowCount }: { readonly problem: StructuralProblem; readonly rowCount: number },
): Decision {
  const messages = {
    missing_required_column: 'A required column is missing.',
    too_many_rows: `The file has more than ${maxRows} rows.`,
    unparseable:
      problem.line === undefined
        ? 'The file is not valid CSV.'
        : `The file is not valid CSV at line ${problem.line}: ${problem.hint}.`,
    no_rows: 'The file has no rows.',
  }
  const entry: RowFailure = {
    correlationId: 'row_1',
    code: 'INVALID_INPUT',
    message: messages[problem.reason],
    details: { ...problem },
  }
  const ended = end(scope, { ...bulkImport, total: rowCount, failed: rowCount })
  return {
    updates: [guarded(bulkImport, columnsOf(ended))],
    deletes: [{ table: 'bulk_import_parts', row: { import_id: bulkImport.id, kind: 'FILE' } }],
    inserts: [errorRow(bulkImport.id, 1, entry)],
    events: [endEvent(ended, [entry])],
    result: () => undefined,
  }
}

/** What became of one row. */
export interface RowOutcome {
  readonly row: Row
  readonly made: Result<Decision, Failure>
}

/**
 * A step: the rows that are customers now, the errors of the others, and the counts, all in one
 * transaction. Whoever repeats it finds the version risen and the step gone (customers 6.2).
 */
export function decideStep(
  scope: Scope,
  bulkImport: BulkImport,
  facts: {
    readonly part: ImportPart
    readonly outcomes: readonly RowOutcome[]
    /** Those of earlier steps; needed where this one is the last. */
    readonly errorsBefore: readonly RowFailure[]
  },
): Decision {
  const { part, outcomes, errorsBefore } = facts
  const created = outcomes.flatMap(({ made }) => (made.ok ? [made.value] : []))
  const errors = outcomes.flatMap(({ row, made }, index) =>
    made.ok
      ? []
      : [{ position: part.position + index, entry: rowFailure(row, part.position + index, made.failure) }],
  )
  const counted = {
    ...bulkImport,
    successful: bulkImport.successful + created.length,
    failed: bulkImport.failed + errors.length,
  }
  const isLast = counted.successful + counted.failed === counted.total
  const after = isLast ? end(scope, counted) : counted
  const shown = [...errorsBefore, ...errors.map(({ entry }) => entry)]
  return {
    updates: [guarded(bulkImport, columnsOf(after))],
    deletes: [
      {
        table: 'bulk_import_parts',
        row: { import_id: bulkImport.id, kind: 'ROWS', position: part.position },
      },
    ],
    inserts: [
      ...created.flatMap(({ inserts = [] }) => inserts),
      ...errors.map(({ position, entry }) => errorRow(bulkImport.id, position, entry)),
    ],
    events: [...created.flatMap(({ events = [] }) => events), ...(isLast ? [endEvent(after, shown)] : [])],
    jobs: isLast ? [] : [nextStep(bulkImport.id)],
    // Somebody took a name a moment ago: the facts will say which row has lost it.
    unique: { customers_platform_customer_id: 'stale', uma_addresses_pkey: 'stale' },
    result: () => undefined,
  }
}

function guarded(bulkImport: BulkImport, set: Update['set']): Update {
  const { id, version, status } = bulkImport
  return { table: 'bulk_imports', id, version, from: [status], set }
}

function columnsOf({ status, total, successful, failed, completedAt }: BulkImport) {
  return {
    status,
    total,
    successful,
    failed,
    completed_at: completedAt === null ? null : toTimestamp(completedAt),
  }
}

/** Completed with a single success, failed with none (customers 6.2). */
function end(scope: Scope, bulkImport: BulkImport): BulkImport {
  return {
    ...bulkImport,
    status: stateAfter(bulkImportMachine, bulkImport.successful > 0 ? 'complete' : 'fail'),
    completedAt: scope.now,
  }
}

function endEvent(ended: BulkImport, errors: readonly RowFailure[]): NewEvent {
  return {
    type: `BULK_UPLOAD.${ended.status}`,
    resourceId: ended.id,
    // Of many rows, by their numbers: of those that failed there is no customer.
    subjectId: null,
    data: renderImport(ended, errors),
  }
}

function errorRow(importId: string, position: number, entry: RowFailure): Insert {
  return { table: 'bulk_import_errors', row: { import_id: importId, position, entry } }
}

const rowCodes: readonly string[] = ['CONFLICT', 'UMA_ADDRESS_EXISTS', 'INVALID_UMA_ADDRESS']

/** Rows know four codes: whatever else is wrong with the fields is INVALID_INPUT (customers 6.2). */
function rowFailure(row: Row, position: number, { code, details }: Failure): RowFailure {
  const named = rowCodes.includes(code) ? code : 'INVALID_INPUT'
  return {
    correlationId: correlationIdOf(row, position),
    code: named,
    message: entryOf(named as Failure['code']).message,
    details,
  }
}

/** A row with more cells than the header names. */
export const tooLongRow: Failure = fail('INVALID_INPUT', { reason: 'TOO_MANY_CELLS' })
