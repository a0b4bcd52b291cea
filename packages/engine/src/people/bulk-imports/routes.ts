import { route } from '../../mechanisms/feature/bound.ts'
import type { UploadedFile } from '../../mechanisms/http/uploads.ts'
import { readImport, uploadFile } from './commands.ts'
import { getBulkCustomerImportJob, uploadCustomersCsv } from './contract.ts'

export const bulkImportRoutes = [
  // A form's file arrives as such; what its schema calls it is text.
  route(uploadCustomersCsv, (engine, { scope, body }) =>
    uploadFile(engine, scope, body.file as string | UploadedFile),
  ),

  route(getBulkCustomerImportJob, (engine, { scope, params }) => readImport(engine, scope, params.jobId)),
]
