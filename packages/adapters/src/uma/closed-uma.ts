import type { UmaNetwork } from '@corridor/engine/ports/uma.ts'

/** Without peers no institution may be paid; platforms of this installation never get here. */
export const closedUma: UmaNetwork = {
  async resolve() {
    return { status: 'NOT_ALLOWED' }
  },
  simulatedPayer: () => undefined,
}
