import { assert, ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { decideLiveness, type LivenessJob, livenessCheck, livenessJob } from './ownership-rules.ts'
import { loadOutstandingChallenge } from './ownership-store.ts'
import { searchHashesOf } from './search-hashes.ts'
import { loadExternalAccount, loadExternalAccounts, loadUnhashed } from './store.ts'

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

const accountsPerRun = 100

/**
 * Accounts of releases before 0126 get the hashes that they are found by; that migration asks for it, once in each
 * book. A page of accounts per run, in order of their ids.
 */
const hashJob = jobHandler<{ after?: string }>({
  kind: 'externalAccounts.hash',
  async run(engine, scope, { after = '' }) {
    const ids = await loadUnhashed(engine.database, scope, { after, limit: accountsPerRun })
    const accounts = await loadExternalAccounts(engine, scope, ids)
    const last = ids.length === accountsPerRun ? ids.at(-1) : undefined
    return ok({
      updates: accounts
        // One that was erased meanwhile has no number any more.
        .filter(({ accountInfo }) => Object.keys(accountInfo).length > 1)
        .map(({ id, version, accountInfo }) => {
          const number = accountTypeOf(accountInfo).primaryId(accountInfo)
          return {
            table: 'external_accounts' as const,
            id,
            version,
            set: { ...searchHashesOf(engine.keys, scope, number) },
          }
        }),
      jobs: last === undefined ? [] : [{ kind: 'externalAccounts.hash', payload: { after: last } }],
      result: () => undefined,
    })
  },
})

export const externalAccountJobs = [checkLiveness, hashJob]
