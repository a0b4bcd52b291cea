import type { Static } from 'typebox'
import { enumOf } from './shapes.ts'

export const PauseReason = enumOf(['RAIL_UNAVAILABLE', 'INVESTIGATION', 'MAINTENANCE', 'OTHER'], {
  $id: 'PauseReason',
  description: 'Why, in a word that platforms are told, too.',
})
export type PauseReason = Static<typeof PauseReason>
