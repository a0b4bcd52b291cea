import { failed, type Id, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { UploadedFile } from '../../mechanisms/http/uploads.ts'
import type { OwnedJob } from '../../mechanisms/jobs/runner.ts'
import { createTurns } from '../../mechanisms/jobs/turns.ts'
import { claimLost } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Scope, silently } from '../../vocabulary/scope.ts'
import { maxImportBytes } from './contract.ts'
import { packBytes } from './file.ts'
import { renderImport } from './render.ts'
import { decideUpload, forgetUpload } from './rules.ts'
import { loadErrors, loadImport, storePiece } from './store.ts'

/** Takes a file and answers at once; a job reads it (customers 6.1). */
export async function uploadFile(
  engine: Engine,
  scope: Scope,
  file: UploadedFile | string,
): Promise<Result<Reply, Failure>> {
  const refuse = (message: string) => failed(failFields([{ field: 'file', message }]))
  if (typeof file === 'string')
    return refuse('is not a file: give its part a file name, such as filename="customers.csv"')
  if (file.size > maxImportBytes) return failed(fail('PAYLOAD_TOO_LARGE', { maxBytes: maxImportBytes }))
  if (file.size === 0) return refuse('is empty')
  const id = engine.world.id('Job')
  return storing.take(async () => {
    const forgetting = await writeForgetting(engine, scope, id)
    // The file comes first and the import last, so that there is no import of half a file.
    if (!(await storeFile(engine, scope, id, file))) {
      await engine.jobs.runOwned(engine, scope, forgetting)
      return refuse('is not UTF-8: save it as "CSV UTF-8"')
    }
    const made = await commit(engine.applier, scope, async () =>
      ok(decideUpload(scope, id, forgetting.owner)),
    )
    if (made.ok || made.failure !== claimLost) return made
    // Others took this call for dead and removed what was there by then.
    await engine.jobs.runOwned(engine, scope, await writeForgetting(engine, scope, id))
    return failed(fail('SERVICE_UNAVAILABLE'))
  })
}

/**
 * What removes the pieces of a file that never becomes an import, before there are any. It is this call's until
 * the import is made, which ends it; if the call dies, or takes longer than a lease, others run it.
 */
async function writeForgetting(engine: Engine, scope: Scope, id: Id<'Job'>): Promise<OwnedJob> {
  const job = engine.jobs.own(engine, forgetUpload(id))
  await commit(engine.applier, silently(scope), async () => ok({ jobs: [job], result: () => undefined }))
  return job
}

/** Sealing and writing are quick; of many uploads at once few are at it, and few of their pieces in memory. */
const storing = createTurns(2)

/** Keeps the pieces of a file in the database; false as soon as one is no text. */
async function storeFile(engine: Engine, scope: Scope, id: string, file: UploadedFile): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const isText = (bytes: Uint8Array, stream: boolean) => {
    try {
      decoder.decode(bytes, { stream })
      return true
    } catch {
      return false
    }
  }
  let position = 0
  for await (const piece of file.pieces()) {
    if (!isText(piece, true)) return false
    const place = { book: scope, importId: id, kind: 'FILE', position: ++position } as const
    const content = await packBytes(engine.keys, place, piece)
    await storePiece(engine.database, scope, { importId: id, position, content })
  }
  return isText(new Uint8Array(), false)
}

export async function readImport(
  { database }: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  const bulkImport = await loadImport(database, scope, id)
  if (!bulkImport) return failed(fail('BULK_UPLOAD_JOB_NOT_FOUND', { resourceType: 'Job', id }))
  const errors =
    bulkImport.failed > 0 || bulkImport.status === 'FAILED' ? await loadErrors(database, scope, id) : []
  return ok({ status: 200, body: renderImport(bulkImport, errors) })
}
