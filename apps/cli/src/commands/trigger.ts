import type { Command } from '../command.ts'
import { scenarioOf } from '../scenarios/index.ts'

export const trigger: Command = {
  words: ['trigger'],
  takes: 'EVENT',
  says: 'Make an event happen in the sandbox: corridor trigger OUTGOING_PAYMENT.FAILED',
  async run(context) {
    const type = context.argument(0, 'EVENT')
    const scenario = scenarioOf(type)
    const subject = await scenario(context.client(), (ms) => context.terminal.sleep(ms))
    if (context.output.json) context.terminal.out(JSON.stringify({ type, subject }))
    else context.terminal.out(context.output.quiet ? subject : `✓ ${type} follows from ${subject}`)
    return undefined
  },
}
