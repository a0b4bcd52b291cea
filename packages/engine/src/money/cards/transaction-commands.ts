import { assert, failed, type Id, mulDivFloor, ok, type Result } from '@corridor/kernel'
import { loadActiveDelegatedKey, whileKeyStays } from '../../access/delegated-keys/index.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import { type InternalAccount, loadInternalAccount } from '../../platform/internal-accounts/index.ts'
import type { CardProcessor } from '../../ports/card-processor.ts'
import type { Decision, Requirement } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Scope } from '../../vocabulary/scope.ts'
import { loadFundingSource } from '../card-funding/index.ts'
import { loadSuspenseItem, type SuspenseItem } from '../payments/index.ts'
import type { AuthorizationKind } from './authorization.ts'
import type { Card } from './card.ts'
import {
  type CardTransactionRecord,
  type Merchant,
  standingReturns,
  unitsPerCent,
} from './card-transaction.ts'
import { cardNotFound, requireProcessor } from './commands.ts'
import {
  type CardStep,
  type Charge,
  clear,
  expire,
  giveBack,
  lower,
  type ReturnPlace,
  raise,
  resolve,
  reverseReturn,
} from './lifecycle.ts'
import { renderCardTransaction } from './render.ts'
import { findBookOf, loadCard, loadCardTransaction } from './store.ts'
import {
  type AuthorizationRequest,
  decideAuthorization,
  decideStep,
  type Holder,
  openRefusal,
  returnRefusal,
  reversalRefusal,
  sizeRefusal,
  unless,
  whileCardStays,
} from './transaction-rules.ts'

/** Trailing blanks of a descriptor say nothing (cards 1.7). */
const named = (merchant: Merchant) => merchant.descriptor.trimEnd()

/**
 * The network asks whether a card may be charged or credited: Corridor decides in real time, in one
 * transaction with the hold (cards 1.5). REFERENCE_NOT_FOUND for a card that the platform has not.
 */
export async function receiveAuthorization(
  engine: Engine,
  scope: Scope,
  cardId: string,
  asked: {
    readonly kind: AuthorizationKind
    readonly amountMinor: bigint
    readonly currency: string | null
    readonly merchant: Merchant
  },
): Promise<Result<Reply, Failure>> {
  const { database, world } = engine
  const processor = requireProcessor(engine, scope)
  if (!processor.ok) return processor
  const screening = processor.value.screen(named(asked.merchant))
  const request: AuthorizationRequest = { ...asked, token: world.uuid() }
  const made = {
    attemptId: world.uuid(),
    transactionId: withEnding(world.id('CardTransaction'), screening.idEnding),
  }
  return commit(engine.applier, scope, async (): Promise<Result<Decision<Reply>, Failure>> => {
    const card = await loadCard(database, scope, cardId)
    if (!card) return failed(cardNotFound(cardId))
    // Of a purchase no account would have it; a credit takes nothing of any.
    const tooLarge = asked.kind.includes('credit') ? sizeRefusal(card, [asked.amountMinor]) : undefined
    if (tooLarge) return failed(tooLarge)
    const [accountId] = card.fundingAccounts
    const [account, customer] = await Promise.all([
      accountId === undefined ? undefined : loadInternalAccount(database, scope, accountId),
      loadCustomer(engine, scope, card.cardholderId),
    ])
    assert(customer, 'a card has a holder')
    const decision = decideAuthorization(scope, request, {
      ...made,
      card,
      customer,
      account,
      signing: account && (await loadSigning(engine, scope, card, account)),
      amountMinor: request.amountMinor,
      currency: request.currency ?? card.currency,
      screening,
      now: scope.now,
    })
    return ok({ ...decision, result: () => tokenReply(request.token) })
  })
}

/**
 * What a charge of the account requires; undefined where it cannot be charged. Accounts that the service keeps are charged
 * at will, a wallet needs a key that signs for this card, and that nobody ends before the charge is written (wallets 9.2).
 */
async function loadSigning(
  { database }: Engine,
  scope: Scope,
  card: Card,
  account: InternalAccount,
): Promise<readonly Requirement[] | undefined> {
  if (account.type !== 'EMBEDDED_WALLET') return []
  const pair = { cardId: card.id, accountId: account.id }
  const source = await loadFundingSource(database, scope, pair)
  const key = source && (await loadActiveDelegatedKey(database, scope, source.id))
  return key && [whileKeyStays(key)]
}

function withEnding(id: Id<'CardTransaction'>, ending: string | undefined): Id<'CardTransaction'> {
  return ending === undefined ? id : (`${id.slice(0, -ending.length)}${ending}` as Id<'CardTransaction'>)
}

function tokenReply(issuerTransactionToken: string): Reply {
  return { status: 202, body: { issuerTransactionToken } }
}

/** A claim of the merchant; zero ends the authorization (cards 1.6). */
export function receiveClearing(
  engine: Engine,
  scope: Scope,
  cardId: string,
  id: string,
  amountMinor: bigint,
) {
  return follow(engine, scope, { cardId, id }, (before, { charge, now }) =>
    unlessRefused(openRefusal(before), () =>
      amountMinor === 0n ? expire(before, now) : clear(before, amountMinor, now, charge),
    ),
  )
}

/** The network changes how much is authorized: raised within limit and balance, or lowered to what is claimed. */
export function receiveAdvice(engine: Engine, scope: Scope, cardId: string, id: string, amountMinor: bigint) {
  return follow(engine, scope, { cardId, id, isHeldToLimit: true }, (before, { charge, card, now }) =>
    unlessRefused(openRefusal(before, amountMinor), () => {
      if (amountMinor < before.authorizedMinor) return lower(before, amountMinor, now)
      const more = amountMinor - before.authorizedMinor
      const isOverLimit = card.maxSpendMinor !== null && amountMinor > card.maxSpendMinor
      const isUncovered = charge.isFrozen || charge.availableMinor < more
      const isDeclined = before.direction === 'DEBIT' && more > 0n && (isOverLimit || isUncovered)
      // Refused by the decision and not by the caller: nothing changes and nobody is told (cards 1.6).
      return isDeclined ? undefined : raise(before, amountMinor, now, charge)
    }),
  )
}

export function receiveReturn(engine: Engine, scope: Scope, cardId: string, id: string, amountMinor: bigint) {
  return follow(engine, scope, { cardId, id }, (before, { now }) =>
    unlessRefused(returnRefusal(before, amountMinor), () => giveBack(before, amountMinor, now)),
  )
}

export function receiveReturnReversal(engine: Engine, scope: Scope, cardId: string, id: string) {
  return follow(engine, scope, { cardId, id }, (before, { now, charge, place }) =>
    unlessRefused(reversalRefusal(before), () => reverseReturn(before, now, { ...charge, place })),
  )
}

const unlessRefused = <T>(refusal: Failure | undefined, then: () => T): Result<T, Failure> =>
  refusal ? failed(refusal) : ok(then())

interface StepFacts {
  readonly card: Card
  readonly charge: Charge
  /** Where the money of the last return is. */
  readonly place: ReturnPlace
  readonly now: number
}

/** Loads a transaction of the card, decides its next step, and answers with its token. */
async function follow(
  engine: Engine,
  scope: Scope,
  {
    cardId,
    id,
    isHeldToLimit = false,
  }: { readonly cardId: string; readonly id: string; readonly isHeldToLimit?: boolean },
  decide: (before: CardTransactionRecord, facts: StepFacts) => Result<CardStep | undefined, Failure>,
): Promise<Result<Reply, Failure>> {
  const processor = requireProcessor(engine, scope)
  if (!processor.ok) return processor
  const suspenseId = engine.world.id('Transaction')
  return commit(engine.applier, scope, async (): Promise<Result<Decision<Reply>, Failure>> => {
    const card = await loadCard(engine.database, scope, cardId)
    if (!card) return failed(cardNotFound(cardId))
    const before = await loadCardTransaction(engine.database, scope, id)
    if (before?.cardId !== card.id) {
      return failed(fail('TRANSACTION_NOT_FOUND', { resourceType: 'CardTransaction', id }))
    }
    const holder = await loadHolder(engine, scope, before, suspenseId)
    const step = decide(before, {
      card,
      charge: chargeOf(processor.value, before, holder.account),
      place: placeOf(holder.suspended),
      now: scope.now,
    })
    if (!step.ok) return step
    const reply = tokenReply(before.token)
    if (!step.value) return ok({ result: () => reply })
    const { authorizedMinor, clearedMinor, heldMinor, pulledMinor } = step.value.transaction
    const tooLarge = sizeRefusal(before, [authorizedMinor, clearedMinor, heldMinor + pulledMinor])
    if (tooLarge) return failed(tooLarge)
    const decision = decideStep(scope, before, holder, step.value)
    const requires = isHeldToLimit ? [whileCardStays(card), ...(decision.requires ?? [])] : decision.requires
    return ok({ ...decision, ...(requires ? { requires } : {}), result: () => reply })
  })
}

/** `suspenseId` stays the same when the facts have to be loaded again. */
export async function loadHolder(
  engine: Engine,
  scope: Scope,
  before: CardTransactionRecord,
  suspenseId: Id<'Transaction'>,
): Promise<Holder> {
  const itemId = standingReturns(before).at(-1)?.suspenseId
  const [account, customer, suspended] = await Promise.all([
    loadInternalAccount(engine.database, scope, before.accountId),
    loadCustomer(engine, scope, before.customerId),
    itemId && loadSuspenseItem(engine.database, scope, itemId),
  ])
  assert(account && customer, 'a card transaction has an account and a holder')
  return { account, customer, suspenseId, receivableId: engine.world.id('Receivable'), suspended }
}

const placeOf = (item: SuspenseItem | undefined): ReturnPlace =>
  item?.status === 'WAITING' ? 'SUSPENSE' : item?.status === 'SENT_BACK' ? 'NETWORK' : 'HOLDER'

/** Whole cents that the account can pay; what is less than a cent is not counted. */
function chargeOf(
  processor: CardProcessor,
  { id, merchant, currency, fundingCurrency }: CardTransactionRecord,
  { availableMinor, status }: InternalAccount,
): Charge {
  return {
    isFrozen: status === 'FROZEN',
    availableMinor: mulDivFloor(availableMinor, 1n, unitsPerCent(currency, fundingCurrency)),
    course: processor.pullCourse({
      transactionId: id,
      merchantDescriptor: named(merchant),
      isFirst: false,
    }),
  }
}

/**
 * The operator charges what an EXCEPTION left open (cards 1.6): REFERENCE_NOT_FOUND, CONFLICT for a
 * transaction in another state, INSUFFICIENT_BALANCE when the account cannot pay it yet.
 */
export async function resolveByOperator(
  engine: Engine,
  actor: Actor,
  id: string,
): Promise<Result<Reply, Failure>> {
  const notFound = fail('REFERENCE_NOT_FOUND', { resourceType: 'CardTransaction', id })
  const book = await findBookOf(engine.database, 'TRANSACTION', id)
  if (!book) return failed(notFound)
  const scope = await engine.clock.scope(book, actor)
  const suspenseId = engine.world.id('Transaction')
  return commit<Reply>(engine.applier, scope, async (): Promise<Result<Decision<Reply>, Failure>> => {
    const before = await loadCardTransaction(engine.database, scope, id)
    if (!before) return failed(notFound)
    if (before.status !== 'EXCEPTION') {
      return failed(fail('CONFLICT', { reason: 'WRONG_STATUS', status: before.status, id }))
    }
    const holder = await loadHolder(engine, scope, before, suspenseId)
    const owed =
      (before.owedMinor + before.owedReturnsMinor) * unitsPerCent(before.currency, before.fundingCurrency)
    const { id: accountId, availableMinor, status } = holder.account
    if (status === 'FROZEN')
      return failed(fail('CONFLICT', { reason: 'ACCOUNT_NOT_ACTIVE', status, accountId, id }))
    return unless(availableMinor < owed ? fail('INSUFFICIENT_BALANCE', { accountId }) : undefined, () => {
      const decision = decideStep(scope, before, holder, resolve(before, scope.now))
      return {
        ...decision,
        result: (after) => ({ status: 200, body: renderCardTransaction(decision.result(after)) }),
      }
    })
  })
}
