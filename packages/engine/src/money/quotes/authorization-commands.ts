import { assert, failed, isId, ok, type Result } from '@corridor/kernel'
import type { ScaAuthorization } from '../../access/sca/contract.ts'
import {
  type Asked,
  answer,
  answersRefusal,
  applicabilityRefusal,
  ask,
  availableFactors,
  canAnswer,
  chooseFactor,
  decideResend,
  hasSession,
  isAuthorizedMovement,
  isOfFactor,
  isRevoked,
  loadOverduePayments,
  loadPendingChallenge,
  loadState,
  lockRefusal,
  readProof,
  type ScaCustomer,
  saveState,
} from '../../access/sca/index.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Customer, keyOf, loadCustomer, requireActive } from '../../people/customers/index.ts'
import {
  type InternalAccount,
  loadInternalAccount,
  platformOwner,
} from '../../platform/internal-accounts/index.ts'
import { formatMinor } from '../../reference/currencies/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Scope, silently } from '../../vocabulary/scope.ts'
import { type ExternalAccount, loadExternalAccount } from '../external-accounts/index.ts'
import { loadTransaction, quoteIdOf, transactionIdOf } from '../payments/index.ts'
import {
  answerBy,
  decideAskNext,
  decideNotAuthorized,
  decideOpenFunding,
  decideRelease,
  expireAuthorizationKind,
  type Purpose,
  purposesOf,
} from './authorization.ts'
import { loadExecutionFacts } from './execution-facts.ts'
import type { Quote } from './quote.ts'
import type { QuoteRequest } from './quote-schemas.ts'
import { isUnauthorized, statusOf } from './render.ts'
import { loadQuote } from './store.ts'

/** What a payment needs of its customer before the money moves. */
export type Authorization = Pick<
  Parameters<typeof import('./rules.ts').decideExecute>[2],
  'authorization' | 'authorizationRefusal'
>

/**
 * The first question about a payment, where its customer has to authorize it (customers 13.1); nothing for
 * everybody else, for trusted beneficiaries, and where the platform pays with its own money, whomever it pays for.
 * `scaFactor` is ignored where nothing is asked.
 */
export async function loadAuthorization(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  {
    customer,
    sourceAccount,
    destination,
    scaFactor,
  }: {
    readonly customer: Customer | undefined
    readonly sourceAccount: InternalAccount | undefined
    readonly destination: ExternalAccount | undefined
    readonly scaFactor: QuoteRequest['scaFactor']
  },
): Promise<Authorization> {
  if (!customer || customer.deletedAt !== null || !isAuthorizedMovement(customer, quote)) return {}
  if (sourceAccount?.ownerId === platformOwner) return {}
  // Trust is the customer's own: an account of the platform's is nobody's trusted beneficiary (customers 13.8).
  if (destination?.trusted && destination.ownerId === customer.id) return {}
  const state = await loadState(engine, scope, customer)
  const asked = await askAbout(engine, scope, quote, { customer, state, scaFactor, destination })
  return asked.ok ? { authorization: asked.value } : { authorizationRefusal: asked.failure }
}

async function askAbout(
  engine: Engine,
  scope: Scope,
  quote: Quote,
  {
    customer,
    state,
    scaFactor,
    destination,
    purpose = purposesOf(quote)[0]!,
  }: ScaCustomer & {
    readonly scaFactor: QuoteRequest['scaFactor']
    readonly destination: ExternalAccount | undefined
    readonly purpose?: Purpose
  },
): Promise<Result<Asked, Failure>> {
  const available = availableFactors(customer, state, engine.adapters[scope.environment], 'payment')
  const chosen = chooseFactor(available, scaFactor)
  if ('refusal' in chosen) return failed(chosen.refusal)
  const asked = await ask(engine, scope, {
    customer,
    state,
    kind: 'PAYMENT',
    subjectId: quote.id,
    factor: chosen.factor,
    availableFactors: available,
    purpose,
    expiresAt: answerBy(quote, scope.now),
    message: messageOf(quote, destination),
  })
  return ok(asked)
}

/** The code is bound to what it authorizes, and says so: the amount and the payee. */
function messageOf(quote: Quote, destination: ExternalAccount | undefined): (code: string) => string {
  const { sendingMinor, sendingCurrency } = quote
  const amount = formatMinor(sendingMinor, sendingCurrency)
  return (code) =>
    `${code} authorizes your payment of ${amount} to ${payeeOf(quote, destination)}. ` +
    'Use it only to approve this payment. Do not share it with anyone.'
}

function payeeOf({ destination: wire }: Quote, destination: ExternalAccount | undefined): string {
  if (wire.destinationType === 'UMA_ADDRESS') return wire.umaAddress
  const { beneficiary } = (destination?.accountInfo ?? {}) as { beneficiary?: Record<string, unknown> }
  const name = beneficiary?.fullName ?? beneficiary?.legalName
  if (typeof name === 'string') return name
  return destination ? `the account ${destination.id.slice(-8)}` : 'an account held here'
}

async function loadDestination(
  engine: Engine,
  scope: Scope,
  quote: Quote,
): Promise<ExternalAccount | undefined> {
  const { delivery } = quote.options
  return delivery.kind === 'EXTERNAL' ? loadExternalAccount(engine, scope, delivery.accountId) : undefined
}

/** A quote that waits for its customer, in the order of customers 13.7. */
async function requireWaiting(engine: Engine, scope: Scope, id: string) {
  // Before the quote, so that whoever comes just after the right proof reads what it led to.
  const asked = isId('Quote', id) ? await loadPendingChallenge(engine, scope, id) : undefined
  const quote = isId('Quote', id) ? await loadQuote(engine, scope, id) : undefined
  if (!quote) return failed(fail('QUOTE_NOT_FOUND', { resourceType: 'Quote', id }))
  const customer =
    quote.ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, quote.ownerId)
  if (!customer)
    return failed(fail('CONFLICT', { quoteId: id, reason: 'STRONG_AUTHENTICATION_NOT_REQUIRED' }))
  if (customer.deletedAt !== null) return failed(fail('CUSTOMER_DELETED', { customerId: customer.id }))
  const status = statusOf(quote, scope.now)
  // Somebody who has moved since must still be able to answer what was asked.
  const refusal = status === 'PENDING_AUTHORIZATION' ? undefined : applicabilityRefusal(customer)
  if (refusal) return failed(refusal)
  if (!asked || status !== 'PENDING_AUTHORIZATION')
    return failed(fail('CONFLICT', { quoteId: quote.id, status }))
  if (isRevoked(asked)) return failed(fail('CONFLICT', { quoteId: quote.id, status, reason: 'CODE_REVOKED' }))
  return ok({ quote, customer, challenge: asked })
}

/**
 * Answers the challenge of a quote (customers 13.7). A wrong proof counts; a right one asks the next question,
 * opens the funding, or lets the payment go on.
 */
export async function authorizeQuote(
  engine: Engine,
  scope: Scope,
  id: string,
  request: ScaAuthorization,
): Promise<Result<Reply, Failure>> {
  let seen: string | undefined
  return commit(engine.applier, scope, async () => {
    const waiting = await requireWaiting(engine, scope, id)
    if (!waiting.ok) return waiting
    const { quote, customer, challenge } = waiting.value
    // Whoever was faster led to the next question, which this is no answer to.
    seen ??= challenge.id
    if (seen !== challenge.id)
      return failed(fail('CONFLICT', { quoteId: id, status: 'PENDING_AUTHORIZATION' }))
    const proof = readProof(request)
    const state = await loadState(engine, scope, customer)
    if (!isOfFactor(proof, challenge.factor)) {
      const field = proof.kind === 'CODE' ? 'code' : 'passkeyAssertion'
      return failed(failFields([{ field, message: `is not a proof by ${challenge.factor}` }]))
    }
    if (!hasSession(state, scope.now)) {
      // A deletion ends the session too, perhaps since the customer was read.
      const found = await requireActive(engine, scope, customer.id)
      return found.ok ? failed(fail('SCA_SESSION_REQUIRED')) : found
    }
    const refusal = lockRefusal(state, scope.now) ?? answersRefusal(challenge, scope.now)
    if (refusal) return failed(refusal)
    if (!canAnswer(engine, scope, { customer, state, challenge })) {
      return failed(
        failFields([{ field: 'code', message: 'is not valid: its factor is no longer enrolled' }]),
      )
    }
    // Whoever may not pay any more is told so before the proof is used up.
    const facts = await loadExecutionFacts(engine, scope, quote)
    if (facts.readinessRefusal) return failed(facts.readinessRefusal)
    const answered = await answer(engine, scope, { customer, state, challenge, proof })
    if (!answered.ok) return ok<Decision<Reply>>(answered.failure)
    const { state: after, challenge: accepted } = answered.value
    const saved = saveState(keyOf(customer), state, after)
    const proved = { proof: { ...saved, updates: [...saved.updates, accepted] } }
    const purposes: readonly string[] = purposesOf(quote)
    const next = purposes[purposes.indexOf(challenge.purpose ?? '') + 1] as Purpose | undefined
    if (next) {
      const destination = await loadDestination(engine, scope, quote)
      const { factor: scaFactor } = challenge
      const asked = await askAbout(engine, scope, quote, {
        customer,
        state: after,
        scaFactor,
        destination,
        purpose: next,
      })
      return asked.ok ? ok(decideAskNext(scope, quote, proved, asked.value)) : asked
    }
    if (quote.options.funding.kind === 'REALTIME') return ok(decideOpenFunding(scope, quote, proved))
    const transaction = await loadTransaction(engine, scope, transactionIdOf(quote.id))
    assert(transaction, 'a payment that was executed has a transaction')
    const { sourceAccount, guards, stepMs } = facts
    return ok(decideRelease(scope, quote, proved, { transaction, sourceAccount, guards, stepMs }))
  })
}

/** Sends another code for the challenge of a quote: CONFLICT where there is none to send (customers 13.7). */
export async function resendCode(engine: Engine, scope: Scope, id: string): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const waiting = await requireWaiting(engine, scope, id)
    if (!waiting.ok) return waiting
    const { quote, customer, challenge } = waiting.value
    const state = await loadState(engine, scope, customer)
    if (challenge.factor !== 'SMS_OTP' || !canAnswer(engine, scope, { customer, state, challenge })) {
      return failed(fail('CONFLICT', { quoteId: quote.id, reason: 'NO_CODE_TO_SEND' }))
    }
    const destination = await loadDestination(engine, scope, quote)
    const decided = decideResend(engine, scope, customer, challenge, messageOf(quote, destination))
    return decided.ok ? ok({ ...decided.value, result: () => ({ status: 204 }) }) : decided
  })
}

/** Ends a payment whose customer has let the time pass, if nobody has yet; the same by timer and on read. */
async function decideEnd(engine: Engine, scope: Scope, quoteId: string): Promise<Decision> {
  const quote = await loadQuote(engine, scope, quoteId)
  assert(quote, 'a quote that was asked about is on record')
  if (!isUnauthorized(quote, scope.now)) return { result: () => undefined }
  const { funding } = quote.options
  const [transaction, challenge, sourceAccount] = await Promise.all([
    loadTransaction(engine, scope, transactionIdOf(quote.id)),
    loadPendingChallenge(engine, scope, quote.id),
    funding.kind === 'INTERNAL' ? loadInternalAccount(engine.database, scope, funding.accountId) : undefined,
  ])
  return decideNotAuthorized(scope, quote, { transaction, challenge, sourceAccount })
}

/** Applies what a reader would otherwise be shown too early or too late (customers 13.7). */
export async function endUnauthorized(engine: Engine, scope: Scope, quoteId: string): Promise<void> {
  await commit(engine.applier, silently(scope), async () => ok(await decideEnd(engine, scope, quoteId)))
}

/** Ends all whose time is up, so that a list that is filtered and counted by the database shows them as they are. */
export async function endAllUnauthorized(engine: Engine, scope: Scope): Promise<void> {
  for (let after = ''; ; ) {
    const quoteIds = await loadOverduePayments(engine, scope, { now: scope.now, after })
    const last = quoteIds.at(-1)
    if (last === undefined) return
    await Promise.all(quoteIds.map((quoteId) => endUnauthorized(engine, scope, quoteId)))
    after = last
  }
}

/** The same for whoever reads the transaction. */
export async function endUnauthorizedTransaction(engine: Engine, scope: Scope, id: string): Promise<void> {
  await endUnauthorized(engine, scope, quoteIdOf(id))
}

export const expireAuthorization = jobHandler<{ quoteId: string }>({
  kind: expireAuthorizationKind,
  run: async (engine, scope, { quoteId }) => ok(await decideEnd(engine, scope, quoteId)),
})
