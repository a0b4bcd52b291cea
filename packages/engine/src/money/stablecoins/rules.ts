import {
  failed,
  type Id,
  type Instant,
  ok,
  type Result,
  statesBefore,
  step,
  toTimestamp,
} from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import type { IssuerReport, IssuerSubmission, TokenAnswer } from '../../ports/stablecoin-issuer.ts'
import type { Decision, NewJob, Transfer, Update } from '../../vocabulary/decision.ts'
import { type Failure, type FieldProblem, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { enablementMachine, issuanceMachine, operationMachine, providerAccountMachine } from './machine.ts'
import { renderCoin, renderLink, renderOperation, unitsPerCent } from './render.ts'
import type { StablecoinIssuanceStatus, StablecoinOperationStatus } from './stablecoin-schemas.ts'
import type { Coin, CoinOperation, ProviderAccount } from './store.ts'

const hourMs = 60 * 60 * 1000
export const recheckEveryMs = hourMs
export const fundingLifeMs = 7 * 24 * hourMs
/** How long after a submission nobody has heard of a job asks the provider, should the process have died. */
export const rescueAfterMs = 60_000

export const recheckJob = 'stablecoins.recheck'
export const issuanceJob = 'stablecoins.issuance'
export const enablementJob = 'stablecoins.enable'
export const operationJob = 'stablecoins.operation'

const now = (scope: Scope) => toTimestamp(scope.now)

// Provider accounts

export function decideLink(
  scope: Scope,
  link: {
    readonly id: Id<'StablecoinProviderAccount'>
    readonly providerAccountId: string
    readonly credentialsSealed: string
    readonly isUsable: boolean
  },
): Decision<Reply> {
  const account: ProviderAccount = {
    ...link,
    version: 1n,
    provider: 'BRALE',
    environment: scope.environment,
    status: link.isUsable ? 'ACTIVE' : 'INVALID',
    lastVerifiedAt: scope.now,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  return {
    inserts: [
      {
        table: 'stablecoin_provider_accounts',
        row: {
          id: account.id,
          provider: account.provider,
          provider_account_id: account.providerAccountId,
          credentials: account.credentialsSealed,
          status: account.status,
          last_verified_at: now(scope),
          created_at: now(scope),
          updated_at: now(scope),
        },
      },
    ],
    jobs: [recheckOf(account.id, scope.now + recheckEveryMs)],
    unique: {
      stablecoin_provider_accounts_linked: fail('CONFLICT', {
        reason: 'PROVIDER_ACCOUNT_ALREADY_LINKED',
        providerAccountId: account.providerAccountId,
      }),
    },
    result: () => ({ status: 201, body: renderLink(account) }),
  }
}

/** The provider is asked again every hour whether the credentials still hold (cards-stablecoins 2.1). */
export function recheckOf(id: string, runAt: Instant): NewJob {
  return { kind: recheckJob, payload: { id }, runAt, key: `${recheckJob} ${id}` }
}

/** A move of the link, or nothing when its state does not list one. Verified at: only when accepted. */
export function moveLink(
  scope: Scope,
  link: ProviderAccount,
  on: 'accept' | 'refuse' | 'revoke',
): { readonly updates: readonly Update[]; readonly link: ProviderAccount } {
  const to = step(providerAccountMachine, link.status, on)
  if (!to.ok) return { updates: [], link }
  const moved = { ...link, status: to.to, ...(on === 'accept' ? { lastVerifiedAt: scope.now } : {}) }
  return {
    updates: [
      {
        table: 'stablecoin_provider_accounts',
        id: link.id,
        from: statesBefore(providerAccountMachine, on),
        version: link.version,
        set: {
          status: to.to,
          ...(on === 'accept' ? { last_verified_at: now(scope) } : {}),
          updated_at: changedAt(scope, link.updatedAt),
        },
      },
    ],
    link: moved,
  }
}

// Coins

/** Registers a token that the provider knows (cards-stablecoins 2.2): INVALID_INPUT, CONFLICT. */
export function decideRegister(
  scope: Scope,
  {
    id,
    link,
    names,
    found,
  }: {
    readonly id: Id<'Stablecoin'>
    readonly link: ProviderAccount
    readonly names: Pick<Coin, 'network' | 'networkTokenIdentifier' | 'providerTokenIdentifier'>
    readonly found: Extract<TokenAnswer, { status: 'FOUND' }>
  },
): Decision<Reply> {
  const coin: Coin = {
    id,
    version: 1n,
    environment: scope.environment,
    providerAccountId: link.id,
    provider: link.provider,
    name: found.name,
    symbol: found.symbol,
    baseCurrency: found.baseCurrency,
    decimals: found.decimals,
    ...names,
    issuanceStatus: found.issuance.status,
    enablementStatus: 'NOT_ENABLED',
    requestedAt: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  const known = fail('CONFLICT', { reason: 'STABLECOIN_ALREADY_REGISTERED' })
  return {
    ...(found.link ? { updates: moveLink(scope, link, revocationOf(found.link)).updates } : {}),
    inserts: [
      {
        table: 'stablecoins',
        row: {
          id,
          provider_account_id: link.id,
          provider: coin.provider,
          name: coin.name,
          symbol: coin.symbol,
          base_currency: coin.baseCurrency,
          decimals: coin.decimals,
          network: coin.network,
          network_token_identifier: coin.networkTokenIdentifier,
          provider_token_identifier: coin.providerTokenIdentifier,
          issuance_status: coin.issuanceStatus,
          enablement_status: coin.enablementStatus,
          created_at: now(scope),
          updated_at: now(scope),
        },
      },
    ],
    jobs: isIssuanceOpen(coin.issuanceStatus) ? [issuanceCheck(id, found.issuance.checkAt)] : [],
    unique: { stablecoins_token: known, stablecoins_provider_token: known },
    result: () => ({ status: 201, body: renderCoin(coin) }),
  }
}

export const revocationOf = (news: 'INVALID' | 'REVOKED') => (news === 'REVOKED' ? 'revoke' : 'refuse')

export function isIssuanceOpen(status: StablecoinIssuanceStatus): boolean {
  return !issuanceMachine.terminal.includes(status)
}

export function issuanceCheck(id: string, at: Instant): NewJob {
  return { kind: issuanceJob, payload: { id }, runAt: at, key: `${issuanceJob} ${id}` }
}

/** One move of the issuance, towards what the provider reports; none when it has nothing new. */
export function issuanceMove(
  from: StablecoinIssuanceStatus,
  reported: StablecoinIssuanceStatus,
): 'accept' | 'reject' | 'finish' | 'fail' | undefined {
  if (from === 'PENDING_REVIEW' && reported !== 'PENDING_REVIEW') {
    return reported === 'REJECTED' ? 'reject' : 'accept'
  }
  if (from === 'PROVISIONING' && reported === 'PROVISIONED') return 'finish'
  if (from === 'PROVISIONING' && (reported === 'FAILED' || reported === 'REJECTED')) return 'fail'
  return undefined
}

export function moveIssuance(
  scope: Scope,
  coin: Coin,
  on: 'accept' | 'reject' | 'finish' | 'fail',
): { readonly update: Update; readonly coin: Coin } | undefined {
  const to = step(issuanceMachine, coin.issuanceStatus, on)
  if (!to.ok) return undefined
  const at = changedAt(scope, coin.updatedAt)
  return {
    update: {
      table: 'stablecoins',
      id: coin.id,
      version: coin.version,
      set: { issuance_status: to.to, updated_at: at },
    },
    coin: { ...coin, issuanceStatus: to.to },
  }
}

export type EnablementEvent = 'request' | 'approve' | 'decline' | 'finish' | 'disable' | 'reEnable'

/**
 * Moves the enablement of a coin (cards-stablecoins 2.3). CONFLICT when it is not provisioned;
 * STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE for a request that its state does not take; asking again while
 * the first request waits changes nothing.
 */
export function decideEnablement(
  scope: Scope,
  coin: Coin,
  on: EnablementEvent,
  facts: { readonly isCodeTaken: boolean; readonly jobs: readonly NewJob[] },
): Result<Decision<Reply>, Failure> {
  if (coin.issuanceStatus !== 'PROVISIONED') {
    return failed(fail('CONFLICT', { reason: 'NOT_PROVISIONED', status: coin.issuanceStatus, id: coin.id }))
  }
  if (on === 'request' && coin.enablementStatus === 'PENDING_APPROVAL') {
    return ok({ result: () => ({ status: 200, body: renderCoin(coin) }) })
  }
  const to = step(enablementMachine, coin.enablementStatus, on)
  if (!to.ok) {
    return failed(
      on === 'request'
        ? fail('STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE', { gridOperationsStatus: coin.enablementStatus })
        : fail('CONFLICT', { reason: 'WRONG_STATE', status: coin.enablementStatus, id: coin.id }),
    )
  }
  // Two currencies of one book cannot share a code, nor can a coin take that of a real currency.
  if ((on === 'request' || on === 'approve' || on === 'reEnable') && facts.isCodeTaken) {
    return failed(fail('CONFLICT', { reason: 'CURRENCY_CODE_TAKEN', id: coin.id }))
  }
  const at = changedAt(scope, coin.updatedAt)
  const moved: Coin = { ...coin, enablementStatus: to.to, updatedAt: Date.parse(at) as Instant }
  return ok({
    updates: [
      {
        table: 'stablecoins',
        id: coin.id,
        version: coin.version,
        set: {
          enablement_status: to.to,
          ...(on === 'request' ? { requested_at: now(scope) } : {}),
          updated_at: at,
        },
      },
    ],
    jobs: facts.jobs,
    unique: { stablecoins_currency: fail('CONFLICT', { reason: 'CURRENCY_CODE_TAKEN', id: coin.id }) },
    result: () => ({ status: 200, body: renderCoin(moved) }),
  })
}

export function enablementCheck(id: string, at: Instant): NewJob {
  return { kind: enablementJob, payload: { id }, runAt: at, key: `${enablementJob} ${id}` }
}

// Mints and burns

/** Digits without a leading zero, above zero, within what the ledger can hold (cards-stablecoins 2.4). */
export function checkAmount(amount: unknown): FieldProblem[] {
  if (typeof amount !== 'string' || !/^[0-9]{1,30}$/.test(amount)) return []
  const message = 'is a number above zero without leading zeros, at most 9000000000000000'
  const isGood = /^[1-9]/.test(amount) && BigInt(amount) <= 9_000_000_000_000_000n
  return isGood ? [] : [{ field: 'amount', code: 'INVALID_AMOUNT', message }]
}

/** What is wrong with an amount for this coin: it must be a whole number of cents. */
export function centsRefusal(coin: Coin, amountMinor: bigint): Failure | undefined {
  const unit = unitsPerCent(coin.decimals)
  if (amountMinor % unit === 0n) return undefined
  return failFields([{ field: 'amount', message: `is a multiple of ${unit}: whole cents` }], 'INVALID_AMOUNT')
}

/** The record of an intent, before the provider hears of it; a job asks should this process die. */
export function decideCreate(scope: Scope, operation: CoinOperation): Decision<CoinOperation> {
  return {
    inserts: [
      {
        table: 'stablecoin_operations',
        row: {
          id: operation.id,
          coin_id: operation.coinId,
          provider_account_id: operation.providerAccountId,
          operation_type: operation.operationType,
          status: operation.status,
          amount: operation.amountMinor,
          source: operation.source,
          destination: operation.destination,
          description: operation.description,
          request_key: operation.requestKey,
          request_fingerprint: operation.requestFingerprint,
          created_at: now(scope),
          updated_at: now(scope),
        },
      },
    ],
    jobs: [operationCheck(operation.id, scope.now + rescueAfterMs)],
    unique: { stablecoin_operations_request: 'stale' },
    result: () => operation,
  }
}

export function operationCheck(id: string, at: Instant): NewJob {
  return { kind: operationJob, payload: { id }, runAt: at, key: `${operationJob} ${id}` }
}

type OperationEvent = (typeof operationMachine)['transitions'][number]['on']

export interface OperationMove {
  readonly on: OperationEvent
  readonly set?: Partial<
    Pick<
      CoinOperation,
      'fundingInstructions' | 'expiresAt' | 'providerStatus' | 'failureReason' | 'startedAt'
    >
  >
}

/** What the provider's answer to a submission means, or undefined when nothing of it exists there. */
export function moveOfSubmission(scope: Scope, submission: IssuerSubmission): OperationMove | undefined {
  if (submission.status === 'AWAITS_FUNDS') {
    const { fundingInstructions, providerStatus } = submission
    const expiresAt = (scope.now + fundingLifeMs) as Instant
    return { on: 'awaitFunds', set: { fundingInstructions, providerStatus, expiresAt } }
  }
  if (submission.status === 'ACCEPTED') {
    return { on: 'take', set: { providerStatus: submission.providerStatus, startedAt: scope.now } }
  }
  return undefined
}

/** What a report of the provider means for an operation in this state, or undefined when it is no news. */
export function moveOfReport(
  scope: Scope,
  operation: CoinOperation,
  report: IssuerReport,
): OperationMove | undefined {
  if (operation.status === 'PENDING_FUNDING') {
    const hasFunds = report.status !== 'AWAITS_FUNDS'
    if (hasFunds)
      return {
        on: 'fund',
        set: { startedAt: operation.startedAt ?? scope.now, providerStatus: 'processing' },
      }
    const isOver = operation.expiresAt !== null && scope.now >= operation.expiresAt
    return isOver ? { on: 'expire', set: { providerStatus: 'expired' } } : undefined
  }
  if (report.status === 'FAILED') {
    return { on: 'fail', set: { failureReason: 'PROVIDER_TRANSFER_FAILED', providerStatus: 'failed' } }
  }
  if (
    operation.status === 'PENDING_PROVIDER' &&
    report.status !== 'ACCEPTED' &&
    report.status !== 'AWAITS_FUNDS'
  ) {
    return { on: 'start', set: { providerStatus: 'processing' } }
  }
  if (operation.status === 'PROCESSING' && report.status === 'COMPLETED') {
    return { on: 'settle', set: { providerStatus: 'completed' } }
  }
  return undefined
}

/**
 * Moves an operation by its machine and, when it settles, posts it: what the provider holds in reserve for a
 * coin always equals what is outstanding of it (cards-stablecoins 2.4). CONFLICT when the state takes no such
 * move.
 */
export function decideMove(
  scope: Scope,
  coin: Coin,
  operation: CoinOperation,
  { on, set = {} }: OperationMove,
  jobs: readonly NewJob[] = [],
): Result<Decision<CoinOperation>, Failure> {
  const to = step(operationMachine, operation.status, on)
  if (!to.ok) {
    return failed(fail('CONFLICT', { reason: 'WRONG_STATE', status: operation.status, id: operation.id }))
  }
  const at = changedAt(scope, operation.updatedAt)
  const moved: CoinOperation = { ...operation, ...set, status: to.to, updatedAt: Date.parse(at) as Instant }
  const text = (instant: Instant | null) => (instant === null ? null : toTimestamp(instant))
  return ok({
    updates: [
      {
        table: 'stablecoin_operations',
        id: operation.id,
        version: operation.version,
        from: statesBefore(operationMachine, on),
        set: {
          status: moved.status,
          funding_instructions: moved.fundingInstructions,
          expires_at: text(moved.expiresAt),
          provider_status: moved.providerStatus,
          failure_reason: moved.failureReason,
          started_at: text(moved.startedAt),
          updated_at: at,
        },
      },
    ],
    transfers: on === 'settle' ? postings(coin, moved) : [],
    jobs,
    result: () => moved,
  })
}

/** Memo entries of a settled mint or burn, in units of the coin. */
function postings(coin: Coin, { id, operationType, amountMinor, destination }: CoinOperation): Transfer[] {
  const reserve = ledgerAccount.coinReserve(coin.id, coin.symbol)
  const outstanding = ledgerAccount.coinOutstanding(coin.id, coin.symbol)
  const isMint = operationType === 'MINT'
  const entry = (name: string, debit: string, credit: string): Transfer => ({
    id: `${id}:${name}`,
    debit,
    credit,
    currency: coin.symbol,
    amountMinor,
  })
  if (!isMint) return [entry('burn', outstanding, reserve)]
  const minted = entry('mint', reserve, outstanding)
  return destination.accountId.startsWith('InternalAccount:')
    ? [minted, entry('credit', outstanding, ledgerAccount.available(destination.accountId))]
    : [minted]
}

export function isOpen(status: StablecoinOperationStatus): boolean {
  return !operationMachine.terminal.includes(status)
}

export function replyWith(coin: Coin, operation: CoinOperation): Reply {
  return { status: 201, body: renderOperation(coin, operation) }
}
