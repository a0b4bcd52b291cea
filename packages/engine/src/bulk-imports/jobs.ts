import { ok } from '@corridor/kernel'
import type { Decision } from '../db/decision.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../http/scope.ts'
import { jobHandler } from '../jobs/runner.ts'
import { packRows, parseFile, unpackBytes, unpackRows } from './file.ts'
import { decideRows } from './rows.ts'
import { decideParsed, decideStep, decideUnusable, importJob, rowsPerStep } from './rules.ts'
import { type BulkImport, type ImportPart, loadErrors, loadImport, loadNextPart } from './store.ts'

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

async function parseStep({ keys }: Engine, scope: Scope, bulkImport: BulkImport, part: ImportPart) {
  const parsed = await parseFile(await unpackBytes(keys, part.content))
  if (parsed.problem) return decideUnusable(scope, bulkImport, parsed)
  const steps: { position: number; packed: string }[] = []
  for (let first = 0; first < parsed.rows.length; first += rowsPerStep) {
    const packed = await packRows(keys, parsed.rows.slice(first, first + rowsPerStep))
    steps.push({ position: first + 1, packed })
  }
  return decideParsed(bulkImport, parsed.rows.length, steps)
}

async function rowsStep(engine: Engine, scope: Scope, bulkImport: BulkImport, part: ImportPart) {
  const rows = await unpackRows(engine.keys, part.content)
  const outcomes = await decideRows(engine, scope, rows)
  const isLast = bulkImport.successful + bulkImport.failed + rows.length === bulkImport.total
  const errorsBefore = isLast ? await loadErrors(engine.database, scope, bulkImport.id) : []
  return decideStep(scope, bulkImport, { part, outcomes, errorsBefore })
}

export const bulkImportJobs = [importStep]
