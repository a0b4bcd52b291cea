import { assert, failed, type Id, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { fingerprintOf } from '../../mechanisms/http/idempotency.ts'
import type { CredentialCheck, IssuerSubmission, StablecoinIssuer } from '../../ports/stablecoin-issuer.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Scope } from '../../vocabulary/scope.ts'
import { burnRefusal, mintRefusal } from './accounts.ts'
import { accessOf, instructionOf, sealCredentials } from './issuer.ts'
import { linkRefusal, selectLink } from './links.ts'
import {
  centsRefusal,
  decideCreate,
  decideMove,
  decideSubmission,
  isUntouched,
  operationCheck,
  replyWith,
  takeUp,
  whileUntouched,
} from './operation-rules.ts'
import { renderLink, renderOperation } from './render.ts'
import {
  decideEnablement,
  decideLink,
  decideRegister,
  type EnablementEvent,
  enablementCheck,
  moveLink,
  revocationOf,
} from './rules.ts'
import type {
  StablecoinBurnRequest,
  StablecoinMintRequest,
  StablecoinProviderAccountLinkRequest,
  StablecoinRegisterRequest,
} from './stablecoin-schemas.ts'
import {
  type Coin,
  type CoinOperation,
  decisionRow,
  findBookOf,
  forgetCreated,
  loadCoin,
  loadCoinBySymbol,
  loadLink,
  loadLinks,
  loadOperation,
  loadOperationByKey,
  type ProviderAccount,
} from './store.ts'

/** The provider of this environment, or NOT_IMPLEMENTED where the installation has none. */
function requireIssuer(engine: Engine, scope: Scope): Result<StablecoinIssuer, Failure> {
  const { stablecoins } = engine.adapters[scope.environment]
  return stablecoins ? ok(stablecoins) : failed(fail('NOT_IMPLEMENTED', { reason: 'NO_STABLECOIN_ISSUER' }))
}

/** Tries the credentials and keeps them sealed (cards-stablecoins 2.1). Nothing is stored of a refusal. */
export async function linkProviderAccount(
  engine: Engine,
  scope: Scope,
  request: StablecoinProviderAccountLinkRequest,
): Promise<Result<Reply, Failure>> {
  const issuer = requireIssuer(engine, scope)
  if (!issuer.ok) return issuer
  const { apiClientId, apiClientSecret } = request
  const check = await attempt<CredentialCheck>(engine, { status: 'UNAVAILABLE' }, () =>
    issuer.value.checkCredentials({ apiClientId, apiClientSecret }, scope.now),
  )
  if (check.status === 'UNAVAILABLE') return failed(fail('INTERNAL_ERROR'))
  const invalid = failed(fail('STABLECOIN_PROVIDER_ACCOUNT_INVALID'))
  if (check.status !== 'KNOWN') return invalid
  const { providerAccountIds, isUsable } = check
  const providerAccountId = request.providerAccountId ?? providerAccountIds[0]
  if (request.providerAccountId === undefined && providerAccountIds.length > 1) {
    return failed(
      fail('INVALID_INPUT', {
        errors: [
          {
            field: 'providerAccountId',
            message: 'is required: the credentials give access to several accounts',
          },
        ],
        field: 'providerAccountId',
        providerAccountIds,
      }),
    )
  }
  if (providerAccountId === undefined || !providerAccountIds.includes(providerAccountId)) return invalid
  const id = engine.world.id('StablecoinProviderAccount')
  const credentialsSealed = sealCredentials(engine, scope, id, { apiClientId, apiClientSecret })
  return commit(engine.applier, scope, async () =>
    ok(decideLink(scope, { id, providerAccountId, credentialsSealed, isUsable })),
  )
}

/** Registers a token that exists at the provider (cards-stablecoins 2.2). */
export async function registerStablecoin(
  engine: Engine,
  scope: Scope,
  request: StablecoinRegisterRequest,
): Promise<Result<Reply, Failure>> {
  const issuer = requireIssuer(engine, scope)
  if (!issuer.ok) return issuer
  const chosen = await chooseLink(engine, scope, request.stablecoinProviderAccountId)
  if (!chosen.ok) return chosen
  const { stablecoinProviderAccountId: _, ...names } = request
  const found = await attempt(engine, { status: 'UNAVAILABLE' } as const, () =>
    issuer.value.findToken(accessOf(engine, scope, chosen.value), names, scope.now),
  )
  if (found.status === 'UNAVAILABLE') return failed(fail('INTERNAL_ERROR'))
  if (found.status === 'UNKNOWN_TOKEN') {
    return failed(failFields([{ field: 'providerTokenIdentifier', message: 'is unknown to the provider' }]))
  }
  const id = engine.world.id('Stablecoin')
  return commit(engine.applier, scope, async () => {
    const link = await loadLink(engine.database, scope, chosen.value.id)
    if (!link) return failed(linkNotFound(chosen.value.id))
    const refusal = linkRefusal(link)
    return refusal ? failed(refusal) : ok(decideRegister(scope, { id, link, names, found }))
  })
}

async function chooseLink(
  engine: Engine,
  scope: Scope,
  id: string | undefined,
): Promise<Result<ProviderAccount, Failure>> {
  if (id === undefined) return selectLink(await loadLinks(engine.database, scope))
  const link = await loadLink(engine.database, scope, id)
  if (!link) return failed(linkNotFound(id))
  const refusal = linkRefusal(link)
  return refusal ? failed(refusal) : ok(link)
}

export function linkNotFound(id: string): Failure {
  return fail('STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND', { resourceType: 'StablecoinProviderAccount', id })
}

export function coinNotFound(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'Stablecoin', id })
}

export function operationNotFound(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'StablecoinOperation', id })
}

/** The platform's request to make a coin a currency of the service (cards-stablecoins 2.3). */
export async function requestEnablement(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  const issuer = requireIssuer(engine, scope)
  if (!issuer.ok) return issuer
  return commit(engine.applier, scope, () => moveEnablement(engine, scope, id, 'request'))
}

/** Decides one move of a coin's enablement, with the job that the new state calls for. */
export async function moveEnablement(
  engine: Engine,
  scope: Scope,
  id: string,
  on: EnablementEvent,
): Promise<Result<Decision<Reply>, Failure>> {
  const coin = await loadCoin(engine.database, scope, id)
  if (!coin) return failed(coinNotFound(id))
  const decidedBySelf =
    on === 'request' && engine.adapters[scope.environment].stablecoins?.enablementDecision(coin, scope.now)
  const nextAt = decidedBySelf ? decidedBySelf.approvesAt : undefined
  const runAt = on === 'approve' || on === 'reEnable' ? scope.now : nextAt
  const holder = await loadCoinBySymbol(engine.database, scope, coin.symbol)
  return decideEnablement(scope, coin, on, {
    isCodeTaken: holder !== undefined && holder.id !== id,
    jobs: runAt === undefined ? [] : [enablementCheck(id, runAt)],
  })
}

const enablementEvents = {
  APPROVE: 'approve',
  DECLINE: 'decline',
  DISABLE: 'disable',
  RE_ENABLE: 'reEnable',
} as const satisfies Readonly<Record<string, EnablementEvent>>

/** What the operator decides about a coin, in whatever book it is, and why. */
/** Whether it takes two operators to allow something new for a coin. */
export async function takesTwoToAllow({ database, adapters }: Engine, id: string): Promise<boolean> {
  const book = await findBookOf(database, 'COIN', id)
  return book !== undefined && adapters[book.environment].rules.takesTwoOperators
}

export async function decideByOperator(
  engine: Engine,
  actor: Actor,
  id: string,
  { decision, reason }: { readonly decision: keyof typeof enablementEvents; readonly reason: string },
): Promise<Result<Reply, Failure>> {
  const book = await findBookOf(engine.database, 'COIN', id)
  if (!book) return failed(coinNotFound(id))
  const scope = await engine.clock.scope(book, actor)
  const record = decisionRow(scope, { id: engine.world.uuid(), subjectId: id, decision, reason })
  return commit(engine.applier, scope, async () => {
    const moved = await moveEnablement(engine, scope, id, enablementEvents[decision])
    return moved.ok ? ok({ ...moved.value, inserts: [record] }) : moved
  })
}

export async function revokeByOperator(
  engine: Engine,
  actor: Actor,
  id: string,
  reason: string,
): Promise<Result<Reply, Failure>> {
  const book = await findBookOf(engine.database, 'LINK', id)
  if (!book) return failed(linkNotFound(id))
  const scope = await engine.clock.scope(book, actor)
  const record = { id: engine.world.uuid(), subjectId: id, decision: 'REVOKE', reason } as const
  return commit<Reply>(engine.applier, scope, async () => {
    const link = await loadLink(engine.database, scope, id)
    if (!link) return failed(linkNotFound(id))
    const { updates, link: revoked } = moveLink(scope, link, 'revoke')
    if (updates.length === 0)
      return failed(fail('CONFLICT', { reason: 'WRONG_STATE', status: link.status, id }))
    return ok({
      updates,
      inserts: [decisionRow(scope, record)],
      result: () => ({ status: 200, body: renderLink(revoked) }),
    })
  })
}

type Asked =
  | { readonly operationType: 'MINT'; readonly request: StablecoinMintRequest }
  | { readonly operationType: 'BURN'; readonly request: StablecoinBurnRequest }

/**
 * A mint or burn (cards-stablecoins 2.4): checked, put on record, handed to the provider, and answered with
 * what the provider said. Where it says that it took nothing on, and nobody else has asked it, the record goes
 * again. Where its answer is lost, the operation is CREATED and a job finds out. A repetition after a crash finds
 * the record by its key, and checks nothing again.
 */
export async function submitOperation(
  engine: Engine,
  scope: Scope,
  coinId: string,
  asked: Asked,
): Promise<Result<Reply, Failure>> {
  const issuer = requireIssuer(engine, scope)
  if (!issuer.ok) return issuer
  const { recording, ...unrecorded } = scope
  const fingerprint = fingerprintOf(asked)
  const id = engine.world.id('StablecoinOperation')
  const requestKey = recording?.key ?? id
  const begun = await commit(
    engine.applier,
    unrecorded,
    async (): Promise<Result<Decision<Begun>, Failure>> => {
      const known = await loadOperationByKey(engine.database, scope, requestKey)
      if (known && known.requestFingerprint !== fingerprint) {
        return failed(fail('CONFLICT', { reason: 'IDEMPOTENCY_KEY_REUSED' }))
      }
      if (known) {
        const facts = await loadOperationFacts(engine, scope, known)
        return ok({ updates: takeUp(scope, known), result: () => ({ ...facts, operation: known }) })
      }
      const facts = await checkOperation(engine, scope, coinId, asked)
      if (!facts.ok) return facts
      const operation = newOperation(scope, { id, requestKey, fingerprint }, facts.value, asked)
      const { coin, link } = facts.value
      const requires = [
        { table: 'stablecoins', id: coin.id, version: coin.version },
        { table: 'stablecoin_provider_accounts', id: link.id, version: link.version },
      ] as const
      const result = () => ({ ...facts.value, operation })
      return ok({ ...decideCreate(scope, operation), requires, result })
    },
  )
  if (!begun.ok) return begun
  const { coin, link, operation } = begun.value
  if (operation.status !== 'CREATED') return ok(replyWith(coin, operation))

  const submission = await attempt<IssuerSubmission | undefined>(engine, undefined, () =>
    issuer.value.submit(accessOf(engine, scope, link), instructionOf(coin, operation), scope.now),
  )
  // Nobody knows whether the provider took it on: the job asks again under the same id.
  if (!submission) return ok(replyWith(coin, operation))
  return commit(engine.applier, scope, async (): Promise<Result<Decision<Reply>, Failure>> => {
    const [current, currentLink] = await Promise.all([
      loadOperation(engine.database, scope, operation.id),
      loadLink(engine.database, scope, link.id),
    ])
    if (!current) return failed(refusalOf(submission, link))
    if (current.status !== 'CREATED') return ok({ result: () => replyWith(coin, current) })
    const updates =
      submission.link && currentLink
        ? moveLink(scope, currentLink, revocationOf(submission.link)).updates
        : []
    const isRefused = submission.status === 'REFUSED' || submission.status === 'UNAVAILABLE'
    if (isRefused && isUntouched(current)) {
      return ok({
        updates: [...updates, whileUntouched(current)],
        statements: [forgetCreated(scope, current.id)],
        refusal: refusalOf(submission, link),
        result: unreachable,
      })
    }
    const decision = decideSubmission(scope, coin, current, submission)
    if (!decision.ok) return decision
    const { result, ...changes } = decision.value
    return ok({
      ...changes,
      updates: [...updates, ...(changes.updates ?? [])],
      result: (after) => replyWith(coin, result(after)),
    })
  })
}

function unreachable(): never {
  throw new Error('assertion failed: a refused caller gets no result')
}

function refusalOf(submission: IssuerSubmission, { id }: ProviderAccount): Failure {
  if (submission.status === 'REFUSED' && submission.reason === 'INSUFFICIENT_BALANCE') {
    const message = 'is more than the balance at the provider'
    return failFields([{ field: 'amount', message }], 'INVALID_AMOUNT')
  }
  if (submission.status === 'REFUSED') {
    const details = { stablecoinProviderAccountId: id }
    return submission.link === 'REVOKED'
      ? fail('STABLECOIN_PROVIDER_ACCOUNT_REVOKED', details)
      : fail('STABLECOIN_PROVIDER_ACCOUNT_INVALID', details)
  }
  return { ...fail('SERVICE_UNAVAILABLE', { reason: 'STABLECOIN_PROVIDER' }), retryAfterSeconds: 5 }
}

interface OperationFacts {
  readonly coin: Coin
  readonly link: ProviderAccount
}

interface Begun extends OperationFacts {
  readonly operation: CoinOperation
}

async function loadOperationFacts(
  { database }: Engine,
  scope: Scope,
  { coinId, providerAccountId }: CoinOperation,
): Promise<OperationFacts> {
  const [coin, link] = await Promise.all([
    loadCoin(database, scope, coinId),
    loadLink(database, scope, providerAccountId),
  ])
  assert(coin && link, 'an operation has a coin and a link')
  return { coin, link }
}

/** The checks of cards-stablecoins 2.4, in their order. */
async function checkOperation(
  engine: Engine,
  scope: Scope,
  coinId: string,
  asked: Asked,
): Promise<Result<OperationFacts, Failure>> {
  const coin = await loadCoin(engine.database, scope, coinId)
  if (!coin) return failed(coinNotFound(coinId))
  if (coin.issuanceStatus !== 'PROVISIONED') {
    return failed(fail('CONFLICT', { reason: 'NOT_PROVISIONED', status: coin.issuanceStatus, id: coinId }))
  }
  const link = await loadLink(engine.database, scope, coin.providerAccountId)
  if (!link) return failed(linkNotFound(coin.providerAccountId))
  const refusal =
    linkRefusal(link) ??
    centsRefusal(coin, BigInt(asked.request.amount)) ??
    (asked.operationType === 'MINT'
      ? await mintRefusal(engine, scope, coin, asked.request)
      : await burnRefusal(engine, scope, asked.request))
  return refusal ? failed(refusal) : ok({ coin, link })
}

function newOperation(
  scope: Scope,
  made: { readonly id: Id<'StablecoinOperation'>; readonly requestKey: string; readonly fingerprint: string },
  { coin, link }: OperationFacts,
  asked: Asked,
): CoinOperation {
  const { operationType, request } = asked
  return {
    id: made.id,
    version: 1n,
    environment: scope.environment,
    coinId: coin.id,
    providerAccountId: link.id,
    operationType,
    status: 'CREATED',
    amountMinor: BigInt(request.amount),
    source: operationType === 'MINT' ? request.fundingSource : request.source,
    destination:
      operationType === 'MINT'
        ? request.destination
        : { accountId: request.destination.externalAccountId, rail: request.destination.rail },
    fundingInstructions: null,
    description: request.description ?? null,
    expiresAt: null,
    providerStatus: null,
    failureReason: null,
    startedAt: null,
    requestKey: made.requestKey,
    requestFingerprint: made.fingerprint,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
}

/** The funds that a mint or burn waits for have come (sandbox): 202, or CONFLICT when it waits for none. */
export async function simulateFunding(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async (): Promise<Result<Decision<Reply>, Failure>> => {
    const operation = await loadOperation(engine.database, scope, id)
    if (!operation) return failed(operationNotFound(id))
    const coin = await loadCoin(engine.database, scope, operation.coinId)
    if (!coin) return failed(coinNotFound(operation.coinId))
    const isLate = operation.expiresAt !== null && scope.now >= operation.expiresAt
    if (isLate) return failed(fail('CONFLICT', { reason: 'EXPIRED', status: operation.status, id }))
    const set = { startedAt: scope.now, providerStatus: 'processing' }
    const decision = decideMove(scope, coin, operation, { on: 'fund', set }, [operationCheck(id, scope.now)])
    if (!decision.ok) return decision
    const { result, ...changes } = decision.value
    return ok({
      ...changes,
      result: (after) => ({ status: 202, body: renderOperation(coin, result(after)) }),
    })
  })
}

/** A call to the provider. No response is an outcome, and no error of Corridor. */
async function attempt<T>(engine: Engine, otherwise: T, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    engine.world.log.error({ error: message }, 'the stablecoin provider did not respond')
    return otherwise
  }
}
