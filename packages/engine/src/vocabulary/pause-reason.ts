import type { Static } from 'typebox'
import { enumOf } from './shapes.ts'

export const PauseReason = enumOf(['RAIL_UNAVAILABLE', 'INVESTIGATION', 'MAINTENANCE', 'OTHER'], {
  $id: 'PauseReason',
  description: 'Reason code. Platforms can also see this code.',
})
export type PauseReason = Static<typeof PauseReason>
