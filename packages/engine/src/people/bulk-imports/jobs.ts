import { ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { createTurns } from '../../mechanisms/jobs/turns.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type ParsedRow, type PartPlace, packRows, parseFile, unpackBytes, unpackRows } from './file.ts'
import { decideRows } from './rows.ts'
import {
  decideForget,
  decideParsed,
  decideStep,
  decideUnusable,
  forgetJob,
  importJob,
  rowsPerStep,
} from './rules.ts'
import {
  type BulkImport,
  type ImportPart,
  loadErrors,
  loadImport,
  loadNextPart,
  loadPieces,
} from './store.ts'

const nothing: Decision = { result: () => undefined }

/**
 * One step of an import: the parsing of the file, or a few of its rows, and the next step as a job of its
 * own, so that other work comes in between. A process that dies in a step has done nothing of it.
 */
const importStep = jobHandler<{ importId: string }>({
  kind: importJob,
  async run(engine, scope, { importId }) {
    const bulkImport = await loadImport(engine.database, scope, importId)
    const part = await loadNextPart(engine.database, scope, importId)
    if (!bulkImport || !part) return ok(nothing)
    const step = part.kind === 'FILE' ? parseStep : rowsStep
    return ok(await step(engine, scope, bulkImport, part))
  },
})

function placeOf(
  book: Scope,
  { id }: BulkImport,
  { kind, position }: Pick<ImportPart, 'kind' | 'position'>,
): PartPlace {
  return { book, importId: id, kind, position }
}

/** Rows of many files at once would fill the memory. */
const parsing = createTurns(1)

async function parseStep(engine: Engine, scope: Scope, bulkImport: BulkImport) {
  return parsing.take(async () => {
    const { keys } = engine
    const steps: { position: number; packed: string }[] = []
    let rows: ParsedRow[] = []
    const pack = async () => {
      const position = steps.length * rowsPerStep + 1
      steps.push({
        position,
        packed: await packRows(keys, placeOf(scope, bulkImport, { kind: 'ROWS', position }), rows),
      })
      rows = []
    }
    const parsed = await parseFile(pieces(engine, scope, bulkImport), async (row) => {
      if (rows.push(row) === rowsPerStep) await pack()
    })
    if (parsed.problem) return decideUnusable(scope, bulkImport, parsed)
    if (rows.length > 0) await pack()
    return decideParsed(bulkImport, parsed.rowCount, steps)
  })
}

/** The file, piece by piece. */
async function* pieces(
  { keys, database }: Engine,
  scope: Scope,
  bulkImport: BulkImport,
): AsyncIterable<Uint8Array> {
  let position = 0
  for await (const piece of loadPieces(database, scope, bulkImport.id)) {
    const place = placeOf(scope, bulkImport, { kind: 'FILE', position: ++position })
    yield await unpackBytes(keys, place, piece)
  }
}

async function rowsStep(engine: Engine, scope: Scope, bulkImport: BulkImport, part: ImportPart) {
  const rows = await unpackRows(engine.keys, placeOf(scope, bulkImport, part), part.content)
  const outcomes = await decideRows(engine, scope, rows)
  const isLast = bulkImport.successful + bulkImport.failed + rows.length === bulkImport.total
  const errorsBefore = isLast ? await loadErrors(engine.database, scope, bulkImport.id) : []
  return decideStep(scope, bulkImport, { part, outcomes, errorsBefore })
}

const forget = jobHandler<{ importId: string }>({
  kind: forgetJob,
  run: async (_engine, _scope, { importId }) => ok(decideForget(importId)),
})

export const bulkImportJobs = [importStep, forget]
