import { failed, type Id, ok, type Result, step, toTimestamp } from '@corridor/kernel'
import { type Customer, whileCustomerStays } from '../../people/customers/index.ts'
import type { InternalAccount } from '../../platform/internal-accounts/index.ts'
import type { Provisioning } from '../../ports/card-processor.ts'
import type { Decision, NewEvent, NewJob } from '../../vocabulary/decision.ts'
import { type Failure, type FieldProblem, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { bindAccounts, type CardFundingSource } from '../card-funding/index.ts'
import type { Card } from './card.ts'
import type { CardCreateRequest, CardStateReason, CardUpdateRequest } from './card-schemas.ts'
import { cardMachine } from './machine.ts'
import { renderCard } from './render.ts'
import { cardRow, cardUpdate } from './store.ts'

export const provisionJob = 'cards.provision'
/** What a card is counted in: live cards of the platform and of one holder. */
const liveCards = 'cards:live'
const cardsOf = (customerId: string) => `cards:holder:${customerId}`

/** Currencies that fund a card, all of them dollars (cards 1.2). */
const eligible = ['USD', 'USDB']
const cardCurrency = 'USD'

export interface IssueFacts {
  readonly customer: Customer | undefined
  /** By id; what the request names and nobody has is missing. */
  readonly accounts: readonly InternalAccount[]
  /** What a simulated issuer has against an account (cards 1.7). */
  readonly screenAccount: (accountId: string) => IneligibleReason | undefined
  readonly isNameTaken: boolean
  readonly maxLiveCards: number
  readonly isOnePerHolder: boolean
  readonly id: Id<'Card'>
  readonly platformCardId: string
  readonly newSourceId: () => Id<'CardFundingSource'>
}

export type IneligibleReason =
  | 'NOT_FOUND'
  | 'NOT_OWNED_BY_CARDHOLDER'
  | 'CURRENCY_NOT_ELIGIBLE'
  | 'CURRENCY_MISMATCH'
  | 'ACCOUNT_NOT_ACTIVE'
  | 'INSUFFICIENT_BALANCE'
  | 'ACCOUNT_CLOSED'

/** What a schema cannot say about a list of accounts. */
export function checkFundingSources({ fundingSources }: Readonly<Record<string, unknown>>): FieldProblem[] {
  if (!Array.isArray(fundingSources) || fundingSources.length > 10) return []
  const isRepeated = new Set(fundingSources).size < fundingSources.length
  return isRepeated ? [{ field: 'fundingSources', message: 'names an account twice' }] : []
}

/** What a PATCH must say, and what it must not say at once (cards 1.3, rows 1 to 3). */
export function checkUpdate(body: Readonly<Record<string, unknown>>): FieldProblem[] {
  const has = (field: string) => field in body
  if (!has('state') && !has('fundingSources') && !has('maxSpendPerTransaction')) {
    return [
      { field: 'state', message: 'is required if fundingSources and maxSpendPerTransaction are absent' },
    ]
  }
  const problems = checkFundingSources(body)
  if (body.state === 'CLOSED' && (has('fundingSources') || has('maxSpendPerTransaction'))) {
    problems.push({ field: 'state', message: 'cannot be CLOSED together with another change' })
  }
  if (Array.isArray(body.fundingSources) && body.fundingSources.length === 0) {
    problems.push({
      field: 'fundingSources',
      message: 'must name an account; to stop a card, set state to FROZEN',
    })
  }
  return problems
}

/**
 * Issues a card (cards 1.2, the checks in their order): INVALID_INPUT, CARDHOLDER_KYC_NOT_APPROVED,
 * FUNDING_SOURCE_INELIGIBLE, CONFLICT, CARD_LIMIT_REACHED.
 */
export function decideIssue(
  scope: Scope,
  request: CardCreateRequest,
  facts: IssueFacts,
): Result<Decision<Reply>, Failure> {
  const { customer, id, platformCardId } = facts
  if (!customer || customer.deletedAt !== null) {
    return failed(failFields([{ field: 'cardholderId', message: 'is not a customer of the platform' }]))
  }
  if (customer.status !== 'APPROVED') {
    return failed(fail('CARDHOLDER_KYC_NOT_APPROVED', { kycStatus: customer.status }))
  }
  const currency = fundingCurrency(request.fundingSources, customer.id, undefined, facts)
  if (!currency.ok) return currency
  if (request.threeDSecurePassword !== undefined) {
    const message = 'is not supported by the card programme'
    return failed(failFields([{ field: 'threeDSecurePassword', message }]))
  }
  const taken = fail('CONFLICT', { reason: 'PLATFORM_CARD_ID_TAKEN' })
  if (facts.isNameTaken) return failed(taken)
  const card: Card = {
    id,
    version: 1n,
    cardholderId: customer.id,
    platformCardId,
    state: 'PROCESSING',
    stateReason: null,
    form: request.form,
    currency: cardCurrency,
    fundingCurrency: currency.value,
    maxSpendMinor:
      request.maxSpendPerTransaction === undefined ? null : BigInt(request.maxSpendPerTransaction),
    fundingAccounts: request.fundingSources as Card['fundingAccounts'],
    brand: null,
    last4: null,
    expMonth: null,
    expYear: null,
    processorRef: null,
    issuerRef: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  const { inserts } = bindAccounts(scope, id, card.fundingAccounts, [], facts.newSourceId)
  return ok({
    inserts: [{ table: 'cards', row: cardRow(card) }, ...inserts],
    // Who is deleted has cards closed that are there, and none that comes later.
    requires: [whileCustomerStays(customer)],
    counts: [
      limited(liveCards, 'PLATFORM', facts.maxLiveCards),
      facts.isOnePerHolder
        ? limited(cardsOf(customer.id), 'CARDHOLDER', 1)
        : { counter: cardsOf(customer.id), addMinor: 1n },
    ],
    jobs: [{ kind: provisionJob, payload: { cardId: id }, key: `${provisionJob} ${id}` }],
    unique: { cards_platform_card_id: taken },
    result: () => ({ status: 201, body: renderCard(card) }),
  })
}

/** Counted where the card is written, so that two requests at once cannot pass the limit together. */
function limited(counter: string, scope: 'PLATFORM' | 'CARDHOLDER', limit: number) {
  const exceeded = () => fail('CARD_LIMIT_REACHED', { scope, limit })
  return { counter, addMinor: 1n, limitMinor: BigInt(limit), exceeded }
}

/** The one currency of the accounts that are to fund a card; FUNDING_SOURCE_INELIGIBLE (cards 1.2, check 5). */
function fundingCurrency(
  accountIds: readonly string[],
  holderId: string,
  wanted: string | undefined,
  { accounts, screenAccount }: Pick<IssueFacts, 'accounts' | 'screenAccount'>,
): Result<string, Failure> {
  let currency = wanted
  for (const accountId of accountIds) {
    const account = accounts.find(({ id }) => id === accountId)
    const reason = ineligible(account, holderId, currency) ?? screenAccount(accountId)
    if (reason || !account) return failed(fail('FUNDING_SOURCE_INELIGIBLE', { accountId, reason }))
    currency = account.currency
  }
  return ok(currency!)
}

function ineligible(
  account: InternalAccount | undefined,
  holderId: string,
  currency: string | undefined,
): IneligibleReason | undefined {
  if (!account) return 'NOT_FOUND'
  if (account.ownerId !== holderId) return 'NOT_OWNED_BY_CARDHOLDER'
  if (!eligible.includes(account.currency)) return 'CURRENCY_NOT_ELIGIBLE'
  if (currency !== undefined && account.currency !== currency) return 'CURRENCY_MISMATCH'
  if (account.status === 'CLOSED') return 'ACCOUNT_CLOSED'
  return account.status === 'ACTIVE' ? undefined : 'ACCOUNT_NOT_ACTIVE'
}

type CardEvent = (typeof cardMachine)['transitions'][number]['on']

export interface UpdateFacts extends Pick<IssueFacts, 'accounts' | 'screenAccount' | 'newSourceId'> {
  readonly sources: readonly CardFundingSource[]
}

/** The move that a requested state asks for. */
const moveTo = { ACTIVE: 'unfreeze', FROZEN: 'freeze', CLOSED: 'close' } as const satisfies Record<
  string,
  CardEvent
>

/**
 * Changes a card, all of it or nothing (cards 1.3, rows 5 to 8): CARD_ALREADY_CLOSED, CARD_NOT_MUTABLE,
 * INVALID_STATE_TRANSITION, FUNDING_SOURCE_INELIGIBLE.
 */
export function decideUpdate(
  scope: Scope,
  card: Card,
  request: CardUpdateRequest,
  facts: UpdateFacts,
): Result<Decision<Reply>, Failure> {
  const { state, fundingSources, maxSpendPerTransaction: limit } = request
  if (card.state === 'CLOSED') {
    if (state === 'CLOSED') return failed(fail('CARD_ALREADY_CLOSED'))
    if (state === undefined) return failed(fail('CARD_NOT_MUTABLE'))
    return failed(fail('INVALID_STATE_TRANSITION', { from: card.state, to: state }))
  }
  let after = card
  if (state !== undefined) {
    const moved = step(cardMachine, card.state, moveTo[state])
    if (!moved.ok) return failed(fail('INVALID_STATE_TRANSITION', { from: card.state, to: state }))
    if (moved.to === 'CLOSED')
      return ok(decideClose(scope, card, 'close', 'CLOSED_BY_PLATFORM', facts.sources))
    after = { ...after, state: moved.to }
  }
  if (fundingSources !== undefined) {
    const currency = fundingCurrency(fundingSources, card.cardholderId, card.fundingCurrency, facts)
    if (!currency.ok) return currency
    after = { ...after, fundingAccounts: fundingSources as Card['fundingAccounts'] }
  }
  if (limit !== undefined) after = { ...after, maxSpendMinor: limit === null ? null : BigInt(limit) }
  const bound =
    fundingSources === undefined
      ? { inserts: [], updates: [], statements: [] }
      : bindAccounts(scope, card.id, fundingSources, facts.sources, facts.newSourceId)
  const types = [
    ...(state === undefined ? [] : ['CARD.STATE_CHANGE']),
    ...(fundingSources === undefined ? [] : ['CARD.FUNDING_SOURCE_CHANGE']),
  ]
  return ok(changeTo(scope, card, after, { types, ...bound }))
}

/**
 * Ends a card: nothing funds it any more and its place is free; what is under way goes on (cards 1.1). The
 * machine must list the move.
 */
export function decideClose(
  scope: Scope,
  card: Card,
  on: 'close' | 'closeByOperator' | 'reject',
  stateReason: CardStateReason,
  sources: readonly CardFundingSource[],
): Decision<Reply> {
  const moved = step(cardMachine, card.state, on)
  const state = moved.ok ? moved.to : card.state
  const bound = bindAccounts(scope, card.id, [], sources, unneeded)
  return {
    ...changeTo(
      scope,
      card,
      { ...card, state, stateReason, fundingAccounts: [] },
      { types: ['CARD.STATE_CHANGE'], ...bound },
    ),
    counts: [
      { counter: liveCards, addMinor: -1n },
      { counter: cardsOf(card.cardholderId), addMinor: -1n },
    ],
  }
}

function unneeded(): never {
  throw new Error('assertion failed: an unbound account has a row already')
}

/** What the issuer made of the order (cards 1.1); nothing when the card was closed meanwhile. */
export function decideProvisioned(
  scope: Scope,
  card: Card,
  outcome: Provisioning,
  sources: readonly CardFundingSource[],
): Decision<unknown> {
  if (outcome.status === 'PENDING')
    return { jobs: [provisionCheck(card.id, outcome.checkAt)], result: () => null }
  if (outcome.status === 'REJECTED') return decideClose(scope, card, 'reject', 'ISSUER_REJECTED', sources)
  const moved = step(cardMachine, card.state, 'provision')
  if (!moved.ok) return { result: () => null }
  const { brand, last4, processorRef, issuerRef } = outcome
  const issued = new Date(card.createdAt)
  const after: Card = {
    ...card,
    state: moved.to,
    brand,
    last4,
    expMonth: issued.getUTCMonth() + 1,
    expYear: issued.getUTCFullYear() + yearsValid,
    processorRef,
    issuerRef,
  }
  return changeTo(scope, card, after, {
    types: ['CARD.STATE_CHANGE'],
    inserts: [],
    updates: [],
    statements: [],
  })
}

/** A card expires in its month, four years on (cards 1.2). */
const yearsValid = 4

export function provisionCheck(cardId: string, runAt: number): NewJob {
  return { kind: provisionJob, payload: { cardId }, runAt, key: `${provisionJob} ${cardId}` }
}

function changeTo(
  scope: Scope,
  before: Card,
  wanted: Card,
  {
    types,
    inserts,
    updates,
    statements,
  }: { readonly types: readonly string[] } & ReturnType<typeof bindAccounts>,
): Decision<Reply> {
  const after = { ...wanted, updatedAt: Date.parse(changedAt(scope, before.updatedAt)) }
  const data = renderCard(after)
  return {
    updates: [cardUpdate(before, after), ...updates],
    inserts,
    statements,
    events: types.map(
      (type): NewEvent => ({ type, resourceId: before.id, subjectId: before.cardholderId, data }),
    ),
    result: () => ({ status: 200, body: data }),
  }
}

/** When a page that shows a card stops working (cards 1.4). */
export const revealLifeMs = 5 * 60 * 1000

export interface Reveal {
  readonly id: string
  readonly tokenHash: string
  readonly address: string
  /** Where the request came from. */
  readonly source: string
  /** 0: no limit. */
  readonly perMinute: number
}

/**
 * Whether the number of a card may be shown: CONFLICT before it is made, CARD_NOT_MUTABLE once it is closed,
 * RATE_LIMITED when it was asked for too often.
 */
export function decideReveal(
  scope: Scope,
  card: Card,
  { id, tokenHash, address, source, perMinute }: Reveal,
): Result<Decision<Reply>, Failure> {
  if (card.state === 'CLOSED') return failed(fail('CARD_NOT_MUTABLE'))
  if (card.state !== 'ACTIVE' && card.state !== 'FROZEN') {
    return failed(fail('CONFLICT', { reason: 'CARD_NOT_READY', status: card.state, id: card.id }))
  }
  const expiresAt = toTimestamp(scope.now + revealLifeMs)
  const minute = Math.floor(scope.now / 60_000)
  return ok({
    // Who asked for it is on record before anybody can look.
    inserts: [
      {
        table: 'card_reveals',
        row: {
          id,
          card_id: card.id,
          token_hash: tokenHash,
          actor_id: scope.actor.id,
          source,
          created_at: toTimestamp(scope.now),
          expires_at: expiresAt,
        },
      },
    ],
    // Counted where the record is written, so that all processes count the same.
    counts:
      perMinute === 0
        ? []
        : [
            {
              counter: `cards:reveals:${card.id}:${minute}`,
              addMinor: 1n,
              limitMinor: BigInt(perMinute),
              exceeded: () => ({
                ...fail('RATE_LIMITED'),
                retryAfterSeconds: Math.ceil(((minute + 1) * 60_000 - scope.now) / 1000),
              }),
            },
          ],
    result: () => ({
      status: 200,
      body: { panEmbedUrl: address, expiresAt },
      headers: { 'cache-control': 'no-store' },
    }),
  })
}
