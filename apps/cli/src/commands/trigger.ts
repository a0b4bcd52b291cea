import type { Command } from '../command.ts'
import { scenarioOf } from '../scenarios/index.ts'

export const trigger: Command = {
  words: ['trigger'],
  takes: 'EVENT',
  says: 'Trigger an event in the sandbox: corridor trigger OUTGOING_PAYMENT.FAILED',
  async run(context) {
    const type = context.argument(0, 'EVENT')
    const scenario = scenarioOf(type)
    const client = context.client()
    // Refused in production, where the customer of a scenario would be one among the real ones.
    await client.sandbox.clock.get()
    const subject = await scenario(client, context.terminal)
    if (context.output.json) context.terminal.out(JSON.stringify({ type, subject }))
    else context.terminal.out(context.output.quiet ? subject : `✓ triggered ${type} for ${subject}`)
    return undefined
  },
}
