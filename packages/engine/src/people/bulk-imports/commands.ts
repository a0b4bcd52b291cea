import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { UploadedFile } from '../../mechanisms/http/uploads.ts'
import { createTurns } from '../../mechanisms/jobs/turns.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { maxImportBytes } from './contract.ts'
import { packBytes } from './file.ts'
import { renderImport } from './render.ts'
import { decideUpload } from './rules.ts'
import { loadErrors, loadImport, removeFile, storePiece } from './store.ts'

/** Takes a file and answers at once; a job reads it (customers 6.1). */
export async function uploadFile(
  engine: Engine,
  scope: Scope,
  file: UploadedFile | string,
): Promise<Result<Reply, Failure>> {
  const refuse = (message: string) => failed(failFields([{ field: 'file', message }]))
  if (typeof file === 'string') return refuse('is not a file')
  if (file.size > maxImportBytes) return failed(fail('PAYLOAD_TOO_LARGE', { maxBytes: maxImportBytes }))
  if (file.size === 0) return refuse('is empty')
  const id = engine.world.id('Job')
  // The file comes first and the import last, so that there is no import of half a file.
  const isText = await storing.take(() => storeFile(engine, scope, id, file))
  if (!isText) {
    await removeFile(engine.database, scope, id)
    return refuse('is not UTF-8')
  }
  return commit(engine.applier, scope, async () => ok(decideUpload(scope, id)))
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
