import { ok } from '@corridor/kernel'
import { route } from '../http/operation.ts'
import * as commands from './commands.ts'
import { testConfiguredWebhook } from './contract.ts'

export const webhookRoutes = [
  route(testConfiguredWebhook, async (engine, { scope }) => {
    const sent = await commands.sendTestWebhook(engine, scope, {})
    return sent.ok ? ok({ status: 200, body: sent.value }) : sent
  }),
]
