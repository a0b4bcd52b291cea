import { assert, ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { decideLiveness, type LivenessJob, livenessCheck, livenessJob } from './ownership-rules.ts'
import { loadOutstandingChallenge } from './ownership-store.ts'
import { loadExternalAccount } from './store.ts'

/** Asks how a liveness session went, until it is over, void, or too late (accounts 4.9). */
const checkLiveness = jobHandler<LivenessJob>({
  kind: livenessJob,
  async run(engine, scope, payload) {
    const { database, adapters } = engine
    const account = await loadExternalAccount(engine, scope, payload.externalAccountId)
    const challenge = await loadOutstandingChallenge(database, scope, payload.externalAccountId)
    assert(account, 'a challenge has an account')
    // Another challenge has voided this one, or the wallet was deleted meanwhile.
    if (challenge?.id !== payload.challengeId || account.deletedAt !== null) {
      return ok({ result: () => null })
    }
    const outcome = await adapters[scope.environment].ownership.fetchLiveness(
      {
        challengeId: challenge.id,
        address: accountTypeOf(account.accountInfo).primaryId(account.accountInfo),
        startedAt: challenge.createdAt,
      },
      scope.now,
    )
    if (outcome.status === 'PENDING' && scope.now < challenge.expiresAt) {
      const checkAt = Math.min(outcome.checkAt, challenge.expiresAt)
      return ok({ jobs: [livenessCheck(payload, checkAt)], result: () => null })
    }
    return decideLiveness(scope, account, challenge, { isPassed: outcome.status === 'PASSED' })
  },
})

export const externalAccountJobs = [checkLiveness]
