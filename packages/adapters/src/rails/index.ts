import type { InstructionIssuer } from '@corridor/engine/ports/instructions.ts'
import type { RailAdapter } from './rail-adapter.ts'

/** Every rail with a real client. Adding one is a folder beside this file and one line here. */
export const railAdapters: readonly RailAdapter[] = []

/** Who can say where money in these currencies is to be sent. Nobody yet, so production publishes nothing. */
export const instructionIssuers: readonly {
  readonly currencies: readonly string[]
  readonly issuer: InstructionIssuer
}[] = []
