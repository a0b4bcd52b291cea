import type { FactorLiveness } from '@corridor/engine/ports/factors.ts'

/** No provider: the operator's people make sure who is asking, and decide (customers 13.6). */
export const reviewedLiveness: FactorLiveness = {
  start: async () => ({}),
  outcome: async () => 'PENDING_REVIEW',
}
