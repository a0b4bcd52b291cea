import { webhook } from '../../vocabulary/webhook.ts'
import { BulkCustomerImportJob } from './contract.ts'

export const bulkUploadWebhook = webhook({
  name: 'bulk-upload',
  id: 'bulkUploadWebhook',
  summary: 'An import of customers ended',
  types: {
    'BULK_UPLOAD.COMPLETED': 'The import created at least one customer. Some rows may have failed.',
    'BULK_UPLOAD.FAILED': 'The import created no customer.',
  },
  component: 'BulkUploadWebhook',
  data: BulkCustomerImportJob,
})
