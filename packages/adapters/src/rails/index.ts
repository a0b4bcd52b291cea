import type { InstructionIssuer } from '@corridor/engine/ports/instructions.ts'
import type { RailClient } from '@corridor/engine/ports/rail.ts'

/** Every rail with a real client. Adding a rail is one folder beside this file and one line here. */
export const railClients: readonly { readonly id: string; readonly client: RailClient }[] = []

/** Who can say where money in these currencies is to be sent. Nobody yet, so production publishes nothing. */
export const instructionIssuers: readonly {
  readonly currencies: readonly string[]
  readonly issuer: InstructionIssuer
}[] = []
