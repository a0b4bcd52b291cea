import type { OneTimeCodes } from '@corridor/engine/ports/messenger.ts'
import type { World } from '@corridor/kernel'

const digits = 6
/** The largest multiple of a million in 32 bits: above it some codes would come more often. */
const fairBelow = 4_294_000_000

/** Six digits that nobody can guess (customers 9.1). */
export function randomCodes(world: Pick<World, 'randomBytes'>): OneTimeCodes {
  return {
    issue() {
      for (;;) {
        const number = Buffer.from(world.randomBytes(4)).readUInt32BE()
        if (number < fairBelow) return String(number % 10 ** digits).padStart(digits, '0')
      }
    },
  }
}
