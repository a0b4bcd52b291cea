import type { OneTimeCodes } from '@corridor/engine/ports/messenger.ts'
import type { World } from '@corridor/kernel'

const digits = '0123456789'
/** Without letters that look like digits when read aloud or on paper. */
const lettersAndDigits = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Codes that nobody can guess (customers 9.1, wallets 5.4): six digits, or what the use asks for. */
export function randomCodes(world: Pick<World, 'randomBytes'>): OneTimeCodes {
  /** A byte above the largest multiple is drawn again, or some symbols would come more often. */
  function symbolOf(alphabet: string): string {
    const fairBelow = 256 - (256 % alphabet.length)
    for (;;) {
      const byte = world.randomBytes(1)[0]!
      if (byte < fairBelow) return alphabet[byte % alphabet.length]!
    }
  }
  return {
    issue(_use, { length, isAlphanumeric } = { length: 6, isAlphanumeric: false }) {
      const alphabet = isAlphanumeric ? lettersAndDigits : digits
      return Array.from({ length }, () => symbolOf(alphabet)).join('')
    },
  }
}
