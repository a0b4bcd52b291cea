import { ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { NewJob } from '../../vocabulary/decision.ts'
import { forgetEncounters, loadEncounters } from './store.ts'

interface ForgetPayload {
  readonly faultId: string
}

const kind = 'faults.forget'
/** Removed in one transaction: a few milliseconds, for which nobody waits long. */
const forgottenAtOnce = 1_000

/** How often each subject met a fault is asked for as long as it can hit; there may be as many as there were requests. */
export const forgetFault = (faultId: string): NewJob => ({ kind, payload: { faultId }, key: faultId })

const forgetting = jobHandler<ForgetPayload>({
  kind,
  async run(engine, scope, { faultId }) {
    const subjects = await loadEncounters(engine.database, scope, faultId, forgottenAtOnce)
    return ok({
      statements: [
        {
          statement: forgetEncounters,
          parameters: [scope.platformId, scope.environment, faultId, subjects],
        },
      ],
      jobs: subjects.length < forgottenAtOnce ? [] : [forgetFault(faultId)],
      result: () => null,
    })
  },
})

export const faultJobs = [forgetting]
