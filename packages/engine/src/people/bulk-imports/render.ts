import { toTimestamp } from '@corridor/kernel'
import type { BulkCustomerImportJob } from './contract.ts'
import { type BulkImport, type RowFailure, shownErrors } from './store.ts'

export function renderImport(
  { id, status, total, successful, failed, completedAt }: BulkImport,
  errors: readonly RowFailure[],
): BulkCustomerImportJob {
  return {
    id,
    status,
    progress: { total, processed: successful + failed, successful, failed },
    errors: errors.slice(0, shownErrors),
    ...(completedAt === null ? {} : { completedAt: toTimestamp(completedAt) }),
  }
}
