import { assert, isId, ok, type Result } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import { loadInternalAccount, platformOwner } from '../../platform/internal-accounts/index.ts'
import type { StablecoinIssuer } from '../../ports/stablecoin-issuer.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { moveEnablement } from './commands.ts'
import { accessOf, instructionOf } from './issuer.ts'
import {
  decideMove,
  decideSubmission,
  isOpen,
  isUntouched,
  type MintReceiver,
  moveOfReport,
  operationCheck,
  operationJob,
  takeUp,
  unreachableRetryMs,
} from './operation-rules.ts'
import {
  enablementJob,
  isIssuanceOpen,
  issuanceCheck,
  issuanceJob,
  issuanceMove,
  moveIssuance,
  moveLink,
  recheckEveryMs,
  recheckJob,
  recheckOf,
  revocationOf,
} from './rules.ts'
import {
  type Coin,
  type CoinOperation,
  loadCoin,
  loadLink,
  loadOperation,
  type ProviderAccount,
} from './store.ts'

const nothing: Result<Decision, Failure> = ok({ result: () => null })

/** Whether linked credentials still hold, every hour (cards-stablecoins 2.1). */
const recheck = jobHandler<{ id: string }>({
  kind: recheckJob,
  async run(engine, scope, { id }) {
    const link = await loadLink(engine.database, scope, id)
    const issuer = engine.adapters[scope.environment].stablecoins
    if (!link || link.status === 'REVOKED' || !issuer) return nothing
    const check = await issuer.checkCredentials(accessOf(engine, scope, link), scope.now)
    const again = check.status === 'KNOWN' ? check.checkAgainAt : undefined
    const jobs = [recheckOf(id, again ?? scope.now + recheckEveryMs)]
    if (check.status === 'UNAVAILABLE') return ok({ jobs, result: () => null })
    if (check.status === 'REVOKED') return ok({ ...moveLink(scope, link, 'revoke'), result: () => null })
    const isGood =
      check.status === 'KNOWN' && check.isUsable && check.providerAccountIds.includes(link.providerAccountId)
    const { updates } = moveLink(scope, link, isGood ? 'accept' : 'refuse')
    return ok({ updates, jobs, result: () => null })
  },
})

/** What the provider has made of a token that was not ready when it was registered (cards-stablecoins 2.2). */
const checkIssuance = jobHandler<{ id: string }>({
  kind: issuanceJob,
  async run(engine, scope, { id }) {
    const facts = await loadFacts(engine, scope, id)
    if (!facts || !isIssuanceOpen(facts.coin.issuanceStatus)) return nothing
    const { coin, link, issuer } = facts
    const report = await issuer.fetchIssuance(accessOf(engine, scope, link), coin, coin.createdAt, scope.now)
    const on = issuanceMove(coin.issuanceStatus, report.status)
    const moved = on && moveIssuance(scope, coin, on)
    const isOver = moved !== undefined && !isIssuanceOpen(moved.coin.issuanceStatus)
    return ok({
      updates: moved ? [moved.update] : [],
      // A move at a time: what the provider skipped follows at once.
      jobs: isOver ? [] : [issuanceCheck(id, moved ? scope.now : report.checkAt)],
      result: () => null,
    })
  },
})

/** Approves where nobody has to, and finishes what was approved (cards-stablecoins 2.3). */
const advanceEnablement = jobHandler<{ id: string }>({
  kind: enablementJob,
  async run(engine, scope, { id }) {
    const coin = await loadCoin(engine.database, scope, id)
    if (coin?.enablementStatus === 'PENDING_APPROVAL') {
      const approved = await moveEnablement(engine, scope, id, 'approve')
      // A coin that cannot be a currency waits for the operator, who declines it.
      return approved.ok ? approved : nothing
    }
    if (coin?.enablementStatus === 'ENABLING') return moveEnablement(engine, scope, id, 'finish')
    return nothing
  },
})

/** The next news of a mint or burn (cards-stablecoins 2.4). */
const advanceOperation = jobHandler<{ id: string }>({
  kind: operationJob,
  async run(engine, scope, { id }) {
    const operation = await loadOperation(engine.database, scope, id)
    if (!operation || !isOpen(operation.status)) return nothing
    if (isUntouched(operation)) {
      // Its request may still be at it, and forgets what the provider did not take on. Not from now on.
      const jobs = [operationCheck(id, scope.now)]
      return ok({ updates: takeUp(scope, operation), jobs, result: () => null })
    }
    const facts = await loadFacts(engine, scope, operation.coinId)
    if (!facts) return nothing
    return operation.status === 'CREATED'
      ? submitAgain(engine, scope, facts, operation)
      : follow(engine, scope, facts, operation)
  },
})

interface Facts {
  readonly coin: Coin
  readonly link: ProviderAccount
  readonly issuer: StablecoinIssuer
}

async function loadFacts(
  { database, adapters }: Engine,
  scope: Scope,
  coinId: string,
): Promise<Facts | undefined> {
  const coin = await loadCoin(database, scope, coinId)
  const link = coin && (await loadLink(database, scope, coin.providerAccountId))
  const issuer = adapters[scope.environment].stablecoins
  return coin && link && issuer ? { coin, link, issuer } : undefined
}

/** The answer to the submission was lost: the same id again is the same operation at the provider. */
async function submitAgain(
  engine: Engine,
  scope: Scope,
  { coin, link, issuer }: Facts,
  operation: CoinOperation,
): Promise<Result<Decision, Failure>> {
  const submission = await issuer.submit(
    accessOf(engine, scope, link),
    instructionOf(coin, operation),
    scope.now,
  )
  const updates = submission.link ? moveLink(scope, link, revocationOf(submission.link)).updates : []
  const decision = decideSubmission(scope, coin, operation, submission)
  if (!decision.ok) return decision
  return ok({ ...decision.value, updates: [...updates, ...(decision.value.updates ?? [])] })
}

async function follow(
  engine: Engine,
  scope: Scope,
  { coin, link, issuer }: Facts,
  operation: CoinOperation,
): Promise<Result<Decision, Failure>> {
  const report = await issuer.fetchOperation(
    accessOf(engine, scope, link),
    instructionOf(coin, operation),
    scope.now,
  )
  const move = moveOfReport(scope, operation, report)
  if (!move) {
    const checkAt = 'checkAt' in report ? report.checkAt : scope.now + unreachableRetryMs
    // Funds that never come end the wait at its own time.
    const isWaiting = operation.status === 'PENDING_FUNDING' && operation.expiresAt !== null
    const runAt = isWaiting ? Math.min(checkAt, operation.expiresAt!) : checkAt
    return ok({ jobs: [operationCheck(operation.id, runAt)], result: () => null })
  }
  const isOver = move.on === 'settle' || move.on === 'fail' || move.on === 'expire'
  // What the provider skipped follows at once, a move at a time.
  const jobs = isOver ? [] : [operationCheck(operation.id, scope.now)]
  const receiver = move.on === 'settle' ? await loadReceiver(engine, scope, operation) : undefined
  return decideMove(scope, coin, operation, move, jobs, receiver)
}

/** Who is to have what is minted; undefined where it leaves the service, or is burned. */
async function loadReceiver(
  engine: Engine,
  scope: Scope,
  { operationType, destination: { accountId } }: CoinOperation,
): Promise<MintReceiver | undefined> {
  if (operationType !== 'MINT' || !isId('InternalAccount', accountId)) return undefined
  const account = await loadInternalAccount(engine.database, scope, accountId)
  assert(account, 'a mint is for an account of its platform')
  const { ownerId } = account
  const customer = ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, ownerId)
  return { account, customer, recordId: engine.world.id('Transaction') }
}

export const stablecoinJobs = [recheck, checkIssuance, advanceEnablement, advanceOperation]
