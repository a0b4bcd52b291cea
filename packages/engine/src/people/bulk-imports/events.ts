import { webhook } from '../../vocabulary/webhook.ts'
import { BulkCustomerImportJob } from './contract.ts'

export const bulkUploadWebhook = webhook({
  name: 'bulk-upload',
  id: 'bulkUploadWebhook',
  summary: 'The end of an import of customers',
  types: {
    'BULK_UPLOAD.COMPLETED': 'At least one row became a customer; others may have failed.',
    'BULK_UPLOAD.FAILED': 'Nothing was imported.',
  },
  component: 'BulkUploadWebhook',
  data: BulkCustomerImportJob,
})
