import { ok } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { checkTokenLimits } from '../../platform/tokens/index.ts'
import type { Environment } from '../../vocabulary/scope.ts'
import { nameProblems } from '../../vocabulary/visible-names.ts'
import { auditInstallation } from './audits.ts'
import * as commands from './commands.ts'
import {
  auditLedger,
  createPlatform,
  eraseCustomer,
  issueToken,
  listDeadJobs,
  listMessages,
  listPlatforms,
  retryJob,
  revokeToken,
  updateSettings,
} from './contract.ts'
import { eraseCustomer as erase } from './erasure.ts'
import { renderDeadJob, renderListedPlatform, unpaged } from './render.ts'
import * as store from './store.ts'

/** One person may do all in the sandbox. */
async function takesTwo(
  { adapters }: Engine,
  { environment }: { readonly environment: Environment },
): Promise<boolean> {
  return adapters[environment].rules.takesTwoOperators
}

export const operatorRoutes = [
  route(createPlatform, (engine, { scope, body }) => commands.createPlatform(engine, scope.actor, body), {
    check: (_engine, _scope, body) => nameProblems(body),
    needsSecondPerson: (engine, { body }) => takesTwo(engine, body),
  }),

  route(listPlatforms, async (engine) => {
    // What a platform asked for before the question is in the answer.
    await engine.requestLog.flush()
    const now = engine.world.now()
    const platforms = await store.listPlatforms(engine.database, now)
    return ok({ status: 200, body: unpaged(platforms.map((each) => renderListedPlatform(each, now))) })
  }),

  route(
    updateSettings,
    (engine, { scope, params, query, body }) =>
      commands.updateSettings(engine, scope.actor, { ...params, ...query }, body.settings),
    { needsSecondPerson: (engine, { query }) => takesTwo(engine, query) },
  ),

  route(
    issueToken,
    (engine, { scope, params, query, body }) =>
      commands.issueToken(engine, scope.actor, { ...params, ...query }, body),
    { check: checkTokenLimits, needsSecondPerson: (engine, { query }) => takesTwo(engine, query) },
  ),

  route(revokeToken, (engine, { scope, params: { platformId, tokenId }, query }) =>
    commands.revokeToken(engine, scope.actor, { platformId, ...query }, tokenId),
  ),

  route(listDeadJobs, async (engine) => {
    const jobs = await store.listDeadJobs(engine.database)
    return ok({ status: 200, body: unpaged(jobs.map(renderDeadJob)) })
  }),

  route(retryJob, (engine, { scope, params }) => commands.retryJob(engine, scope.actor, params.jobId)),

  route(listMessages, (engine, { query: { platformId, environment, ...filters } }) =>
    commands.listMessages(engine, { platformId, environment }, filters),
  ),

  route(eraseCustomer, (engine, { scope, params }) => erase(engine, scope.actor, params.customerId)),

  route(auditLedger, (engine) => auditInstallation(engine)),
]
