import { webhook } from '../../vocabulary/webhook.ts'
import { BulkCustomerImportJob } from './contract.ts'

export const bulkUploadWebhook = webhook({
  name: 'bulk-upload',
  id: 'bulkUploadWebhook',
  summary: 'An import of customers ended',
  types: {
    'BULK_UPLOAD.COMPLETED': 'At least one customer was created; some rows may have failed.',
    'BULK_UPLOAD.FAILED': 'No customer was created.',
  },
  component: 'BulkUploadWebhook',
  data: BulkCustomerImportJob,
})
