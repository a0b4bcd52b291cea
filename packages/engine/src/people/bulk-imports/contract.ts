import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, idOf, openObject, timestamp } from '../../vocabulary/shapes.ts'

export const maxImportBytes = 20_000_000

const tag = 'Customers'

export const BulkCustomerImportJobAccepted = Type.Object(
  { jobId: idOf('Job'), status: enumOf(['PENDING', 'PROCESSING']) },
  { $id: 'BulkCustomerImportJobAccepted' },
)

export const BulkCustomerImportJob = Type.Object(
  {
    id: idOf('Job'),
    status: enumOf(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']),
    progress: Type.Object({
      total: Type.Integer({ minimum: 0 }),
      processed: Type.Integer({ minimum: 0, description: 'Number of processed rows: successful + failed.' }),
      successful: Type.Integer({ minimum: 0 }),
      failed: Type.Integer({ minimum: 0 }),
    }),
    errors: Type.Array(
      Type.Object(
        {
          correlationId: Type.String({
            description: 'platformCustomerId of the row, or row_<n> if the row has none.',
          }),
          code: Type.String(),
          message: Type.String(),
          details: openObject(),
        },
        { $id: 'BulkCustomerImportErrorEntry' },
      ),
      { description: 'The first 1,000 failed rows. progress contains the exact numbers.' },
    ),
    completedAt: Type.Optional(timestamp()),
  },
  { $id: 'BulkCustomerImportJob' },
)
export type BulkCustomerImportJob = Static<typeof BulkCustomerImportJob>

export const uploadCustomersCsv = operation({
  id: 'uploadCustomersCsv',
  method: 'POST',
  path: '/customers/bulk/csv',
  tag,
  summary: 'Create customers from a CSV file',
  description:
    'The file must be UTF-8 with a header row, and have at most 20 MB and 10,000 rows. Separate cells with commas, semicolons, tabs or bars. The import job reports errors in the content.',
  auth: 'basic',
  permissions: ['MANAGE'],
  bodyType: 'multipart',
  largestFile: { bytes: maxImportBytes },
  body: Type.Object({ file: Type.String({ format: 'binary' }) }),
  responses: { 202: BulkCustomerImportJobAccepted },
  errors: [],
  events: ['BULK_UPLOAD.COMPLETED', 'BULK_UPLOAD.FAILED'],
})

export const getBulkCustomerImportJob = operation({
  id: 'getBulkCustomerImportJob',
  method: 'GET',
  path: '/customers/bulk/jobs/{jobId}',
  tag,
  summary: 'Read an import job',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ jobId: Type.String() }),
  responses: { 200: BulkCustomerImportJob },
  errors: ['BULK_UPLOAD_JOB_NOT_FOUND'],
})
