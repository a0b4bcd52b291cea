import type { Static } from 'typebox'
import { enumOf } from './shapes.ts'

export const PauseReason = enumOf(['RAIL_UNAVAILABLE', 'INVESTIGATION', 'MAINTENANCE', 'OTHER'], {
  $id: 'PauseReason',
  description: 'Reason code, also visible to platforms.',
})
export type PauseReason = Static<typeof PauseReason>
