import { createHash } from 'node:crypto'
import type { InstructionIssuer } from '@corridor/engine/ports/instructions.ts'
import type { Randomness } from './coordinates.ts'
import { fundingInstructions } from './funding-instructions.ts'
import { realtimeInstructions } from './realtime-instructions.ts'

/**
 * Coordinates that look right and lead nowhere: what is sent to them arrives by `POST /sandbox/...` alone. They
 * follow from the id of the account or the quote, so nothing has to be kept to name the same ones again.
 */
export const sandboxInstructions: InstructionIssuer = {
  async forAccount({ accountId, currency, reference }) {
    return { status: 'ISSUED', entries: fundingInstructions(seededBy(accountId), { currency, reference }) }
  },
  async forQuote({ quoteId, ...payIn }) {
    return { status: 'ISSUED', entries: realtimeInstructions(seededBy(quoteId), payIn) }
  },
}

/** Bytes that are spread like random ones and the same for the same id. */
export function seededBy(id: string): Randomness {
  let block = 0
  const take = (count: number) => {
    const blocks: Uint8Array[] = []
    for (let made = 0; made < count; made += 32) {
      blocks.push(createHash('sha256').update(`${id}/${block++}`).digest())
    }
    return new Uint8Array(Buffer.concat(blocks).subarray(0, count))
  }
  return { randomBytes: take }
}
