import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { checkConfigUpdate } from './checks.ts'
import * as commands from './commands.ts'
import { getPlatformConfig, updatePlatformConfig } from './contract.ts'
import { loadPlatform } from './provision.ts'
import { renderConfig } from './render.ts'
import { loadConfig } from './store.ts'

export const platformRoutes = [
  route(getPlatformConfig, async (engine, { scope }) => {
    const platform = await loadPlatform(engine.database, scope)
    return ok({ status: 200, body: renderConfig(await loadConfig(engine.database, scope), platform) })
  }),

  route(updatePlatformConfig, (engine, { scope, body }) => commands.updateConfig(engine, scope, body), {
    check: checkConfigUpdate,
  }),
]
