import { ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { openAccounts, platformOwner } from '../internal-accounts/index.ts'
import type { PlatformConfigUpdateRequest } from './contract.ts'
import { loadPlatform } from './provision.ts'
import { addedCurrencies, decideConfigUpdate, mergeConfig } from './rules.ts'
import { loadConfig } from './store.ts'

export async function updateConfig(
  engine: Engine,
  scope: Scope,
  request: PlatformConfigUpdateRequest,
): Promise<Result<Reply, Failure>> {
  const platform = await loadPlatform(engine.database, scope)
  return commit(engine.applier, scope, async () => {
    const before = await loadConfig(engine.database, scope)
    const after = mergeConfig(before, request)
    if (!after.ok) return after
    const accounts = await openAccounts(engine, scope.environment, {
      ownerId: platformOwner,
      currencies: addedCurrencies(before, after.value),
      now: scope.now,
    })
    return ok(decideConfigUpdate(scope, platform, { before, after: after.value, accounts }))
  })
}
