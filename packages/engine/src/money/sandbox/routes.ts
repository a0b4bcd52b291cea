import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { sendTestWebhook } from '../../notices/webhooks/index.ts'
import * as commands from './commands.ts'
import * as contract from './contract.ts'

export const sandboxControlRoutes = [
  route(contract.sendTestWebhook, async (engine, { scope, body }) => {
    const sent = await sendTestWebhook(engine, scope, body ?? {})
    return sent.ok ? ok({ status: 200, body: sent.value }) : sent
  }),

  route(contract.getSandboxClock, async (engine, { scope }) =>
    ok({ status: 200, body: await commands.readClock(engine, scope) }),
  ),

  route(contract.getSandboxUpcoming, async (engine, { scope }) =>
    ok({ status: 200, body: await commands.readUpcoming(engine, scope) }),
  ),

  route(contract.advanceSandboxClock, async (engine, { scope, body }) => {
    const moved = await commands.advanceClock(engine, scope, body)
    return moved.ok ? ok({ status: 200, body: moved.value }) : moved
  }),
]
