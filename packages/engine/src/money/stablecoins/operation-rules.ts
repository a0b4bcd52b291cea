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
import { type Customer, whileCustomerStays } from '../../people/customers/index.ts'
import {
  hasRoomFor,
  type InternalAccount,
  platformOwner,
  whileStatusStays,
} from '../../platform/internal-accounts/index.ts'
import type { IssuerReport, IssuerSubmission } from '../../ports/stablecoin-issuer.ts'
import type { Decision, NewJob, Transfer, Update } from '../../vocabulary/decision.ts'
import { type Failure, type FieldProblem, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { decideDeposit, journal, suspenseRow } from '../payments/index.ts'
import { operationMachine } from './machine.ts'
import { renderOperation, unitsPerCent } from './render.ts'
import type { StablecoinOperationStatus } from './stablecoin-schemas.ts'
import type { Coin, CoinOperation } from './store.ts'

/* Mints and burns (cards-stablecoins 2.4). */

const fundingLifeMs = 7 * 24 * 60 * 60 * 1000
/** How long after a submission nobody has heard of a job asks the provider, should the process have died. */
const rescueAfterMs = 60_000

/** When to ask again a provider that could not be reached. */
export const unreachableRetryMs = 30_000
/** Of a record that was written and not changed since. */
const firstVersion = 1n

export const operationJob = 'stablecoins.operation'

const now = (scope: Scope) => toTimestamp(scope.now)

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
  return failFields(
    [{ field: 'amount', message: `must be a multiple of ${unit}: whole cents` }],
    'INVALID_AMOUNT',
  )
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

/**
 * Whether nobody but the request that put it on record can have handed this operation to the provider. Whoever
 * else is about to takes it up first.
 */
export function isUntouched({ status, version }: CoinOperation): boolean {
  return status === 'CREATED' && version === firstVersion
}

/** Makes an operation one that is not forgotten any more: the provider may hear of it from several. */
export function takeUp(scope: Scope, operation: CoinOperation): Update[] {
  return isUntouched(operation)
    ? [whileUntouched(operation, { updated_at: changedAt(scope, operation.updatedAt) })]
    : []
}

/** Makes a decision stale when somebody takes the operation up meanwhile. */
export function whileUntouched({ id }: CoinOperation, set: Update['set'] = {}): Update {
  return { table: 'stablecoin_operations', id, version: firstVersion, from: ['CREATED'], set }
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
function moveOfSubmission(scope: Scope, submission: IssuerSubmission): OperationMove | undefined {
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

/**
 * What the provider's answer to a submission makes of an operation that stays on record. What could not be
 * taken on now may have been at another attempt: a job asks again.
 */
export function decideSubmission(
  scope: Scope,
  coin: Coin,
  operation: CoinOperation,
  submission: IssuerSubmission,
): Result<Decision<CoinOperation>, Failure> {
  const { id } = operation
  if (submission.status === 'UNAVAILABLE') {
    return ok({ jobs: [operationCheck(id, scope.now + unreachableRetryMs)], result: () => operation })
  }
  const move: OperationMove = moveOfSubmission(scope, submission) ?? {
    on: 'refuse',
    set: { failureReason: 'PROVIDER_REFUSED', providerStatus: 'refused' },
  }
  const jobs = submission.status === 'REFUSED' ? [] : [operationCheck(id, submission.checkAt)]
  return decideMove(scope, coin, operation, move, jobs)
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

/** The internal account that a mint is for, and its owner where that is a customer. */
export interface MintReceiver {
  readonly account: InternalAccount
  readonly customer: Customer | undefined
  /** Of the record that the owner is shown, and under which the coins wait that cannot be given. */
  readonly recordId: Id<'Transaction'>
}

/**
 * Moves an operation by its machine and, when it settles, posts it: what the provider holds in reserve for a
 * coin always equals what is outstanding of it (cards-stablecoins 2.4). CONFLICT when the state takes no such
 * move. Coins for an account that is not active or full, or a customer who is deleted, wait in suspense (accounts 3.1).
 */
export function decideMove(
  scope: Scope,
  coin: Coin,
  operation: CoinOperation,
  { on, set = {} }: OperationMove,
  jobs: readonly NewJob[] = [],
  receiver?: MintReceiver,
): Result<Decision<CoinOperation>, Failure> {
  const to = step(operationMachine, operation.status, on)
  if (!to.ok) {
    return failed(fail('CONFLICT', { reason: 'WRONG_STATE', status: operation.status, id: operation.id }))
  }
  const at = changedAt(scope, operation.updatedAt)
  const moved: CoinOperation = { ...operation, ...set, status: to.to, updatedAt: Date.parse(at) as Instant }
  const text = (instant: Instant | null) => (instant === null ? null : toTimestamp(instant))
  const change = {
    updates: [
      {
        table: 'stablecoin_operations' as const,
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
    jobs,
    result: () => moved,
  }
  if (on !== 'settle') return ok(change)
  if (!receiver) return ok({ ...change, transfers: postings(coin, moved) })
  const { account, customer, recordId } = receiver
  const { amountMinor } = moved
  const isSuspended =
    account.status !== 'ACTIVE' ||
    !hasRoomFor(account, amountMinor) ||
    (customer !== undefined && customer.deletedAt !== null)
  const item = () =>
    suspenseRow(scope.now, {
      id: recordId,
      kind: 'DEPOSIT',
      internalAccountId: account.id,
      currency: coin.symbol,
      amountMinor,
      deposit: { rail: coin.network, reference: moved.id, creditedMinor: amountMinor.toString() },
    })
  const requires = [whileStatusStays(account), ...(customer ? [whileCustomerStays(customer)] : [])]
  if (isSuspended) {
    return ok({ ...change, requires, inserts: [item()], transfers: postings(coin, moved, waiting(coin)) })
  }
  const { inserts = [], events = [] } = decideDeposit(scope, {
    transactionId: recordId,
    account,
    platformCustomerId: customer?.platformCustomerId ?? platformOwner,
    amountMinor,
    rail: coin.network,
    reference: moved.id,
  })
  const given = { debit: outstandingOf(coin), credit: ledgerAccount.available(account.id) }
  const credit = journal(recordId, 'deposit', [{ ...given, currency: coin.symbol, amountMinor }])
  return ok({
    ...change,
    requires,
    inserts,
    transfers: [...postings(coin, moved), ...credit],
    events,
  })
}

const waiting = ({ symbol }: Coin) => ledgerAccount.suspense(symbol)
const outstandingOf = ({ id, symbol }: Coin) => ledgerAccount.coinOutstanding(id, symbol)

/** Memo entries of a settled mint or burn, in units of the coin; `credited` is where a mint goes that has to wait. */
function postings(
  coin: Coin,
  { id, operationType, amountMinor }: CoinOperation,
  credited?: string,
): Transfer[] {
  const reserve = ledgerAccount.coinReserve(coin.id, coin.symbol)
  const outstanding = outstandingOf(coin)
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
  return credited === undefined ? [minted] : [minted, entry('credit', outstanding, credited)]
}

export function isOpen(status: StablecoinOperationStatus): boolean {
  return !operationMachine.terminal.includes(status)
}

export function replyWith(coin: Coin, operation: CoinOperation): Reply {
  return { status: 201, body: renderOperation(coin, operation) }
}
