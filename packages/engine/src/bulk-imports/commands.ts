import { isUtf8 } from 'node:buffer'
import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../db/apply.ts'
import type { Engine } from '../engine.ts'
import { type Failure, fail, failFields } from '../http/errors.ts'
import type { UploadedFile } from '../http/multipart.ts'
import type { Reply } from '../http/operation.ts'
import type { Scope } from '../http/scope.ts'
import { maxImportBytes } from './contract.ts'
import { packBytes } from './file.ts'
import { renderImport } from './render.ts'
import { decideUpload } from './rules.ts'
import { loadErrors, loadImport } from './store.ts'

/** Takes a file and answers at once; a job reads it (customers 6.1). */
export async function uploadFile(
  engine: Engine,
  scope: Scope,
  file: UploadedFile | string,
): Promise<Result<Reply, Failure>> {
  const refuse = (message: string) => failed(failFields([{ field: 'file', message }]))
  if (typeof file === 'string') return refuse('is not a file')
  const { bytes } = file
  if (bytes.length > maxImportBytes) return failed(fail('PAYLOAD_TOO_LARGE', { maxBytes: maxImportBytes }))
  if (bytes.length === 0) return refuse('is empty')
  if (!isUtf8(bytes)) return refuse('is not UTF-8')
  const id = engine.world.id('Job')
  const packed = await packBytes(engine.keys, bytes)
  return commit(engine.applier, scope, async () => ok(decideUpload(scope, id, packed)))
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
