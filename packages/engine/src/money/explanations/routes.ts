import { isDeepStrictEqual } from 'node:util'
import { failed, isId, ok, toTimestamp } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { readEvent } from '../../notices/webhook-events/index.ts'
import { isHeldBack } from '../../notices/webhooks/index.ts'
import { type Customer, customerName, loadCustomer } from '../../people/customers/index.ts'
import { loadInternalAccountWithLedger, platformOwner } from '../../platform/internal-accounts/index.ts'
import { readRequest, readRequestsAbout } from '../../platform/request-log/index.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { decimalsOf, isCurrencyCode } from '../../reference/currencies/index.ts'
import { isInAreas } from '../../vocabulary/areas.ts'
import { fail } from '../../vocabulary/errors.ts'
import { noInterventions } from '../../vocabulary/interventions.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type ExternalAccount, loadExternalAccount } from '../external-accounts/index.ts'
import { loadPostings } from '../ledger/index.ts'
import {
  isUnderWay,
  loadDue,
  loadTransaction,
  readTransactionList,
  type Transaction,
  transactionIdOf,
} from '../payments/index.ts'
import { loadQuote, loadReservedTransaction } from '../quotes/index.ts'
import { explainAccount } from './account.ts'
import { balancesOf } from './balances.ts'
import { type Explanation, explain } from './contract.ts'
import { explainEvent } from './event.ts'
import { explainPayment, type PaymentFacts } from './payment.ts'
import { explainRequest } from './request.ts'
import type { Parties } from './sentence.ts'
import { loadNextStep, loadPaymentEvents, mostEvents } from './store.ts'
import { nameOf } from './words.ts'

/** Whose operations show what was asked. */
const requestTag = 'API Tokens'

export const explanationRoutes = [
  route(explain, async (engine, { scope, params: { id } }) => {
    if (isHidden(scope, id)) {
      return failed(fail('FORBIDDEN', { reason: 'AREA' }))
    }
    const body = await explanationOf(engine, scope, id)
    return body
      ? ok({ status: 200, body: { ...body, ...currenciesIn(body) } })
      : failed(fail('REFERENCE_NOT_FOUND', { resourceType: id.slice(0, Math.max(0, id.indexOf(':'))), id }))
  }),
]

/** What it takes to write the amounts of an explanation as people do. */
function currenciesIn({ derivation, journals, balances = [] }: Explanation): Pick<Explanation, 'currencies'> {
  const codes = new Set([
    ...derivation.map(({ result }) => result.currency),
    ...journals.flatMap(({ postings }) => postings.map(({ value }) => value.currency)),
    ...balances.map(({ currency }) => currency),
  ])
  if (codes.size === 0) return {}
  return {
    currencies: [...codes].filter(isCurrencyCode).map((code) => ({ code, decimals: decimalsOf(code) })),
  }
}

function isHidden(scope: Scope, id: string): boolean {
  return (
    (isId('InternalAccount', id) && !sees(scope, 'Internal Accounts')) ||
    (isId('Webhook', id) && !sees(scope, 'Webhooks'))
  )
}

/** Whether an explanation may tell what the operations of this tag do: a token may be held to other areas. */
function sees({ actor }: Scope, tag: string): boolean {
  return isInAreas(actor.limits?.areas, tag)
}

async function explanationOf(engine: Engine, scope: Scope, id: string): Promise<Explanation | undefined> {
  if (isId('InternalAccount', id)) {
    return accountOf(engine, scope, id)
  }
  if (isId('Webhook', id)) {
    const event = await readEvent(engine, scope, id)
    if (!event) return undefined
    const [interventions, isHeld] = await Promise.all([
      interventionsOf(engine, scope, [id]),
      isHeldBack(engine, scope),
    ])
    return explainEvent(scope, event, { interventions, isHeldBack: isHeld })
  }
  if (isId('Quote', id)) return paymentOf(engine, scope, 'Quote', transactionIdOf(id))
  if (isId('Transaction', id)) return paymentOf(engine, scope, 'Transaction', id)
  return requestOf(engine, scope, id)
}

/** An account with what moved it last, read anew where that went on meanwhile. */
async function accountOf(engine: Engine, scope: Scope, id: string): Promise<Explanation | undefined> {
  const load = () => loadInternalAccountWithLedger(engine.database, scope, id)
  let found: Awaited<ReturnType<typeof load>> = await load()
  for (let reads = 1; found; reads++) {
    const page = { limit: mostPayments, sortOrder: 'desc', after: null } as const
    const { rows, totalCount } = await readTransactionList(engine, scope, { accountIdentifier: [id] }, page)
    const payments = rows.slice(0, mostPayments)
    const postings = await loadPostings(
      engine.database,
      scope,
      payments.map((each) => each.id),
    )
    const { account, lines } = found
    const again = await load()
    const isSame = again?.account.updatedAt === account.updatedAt && isDeepStrictEqual(again?.lines, lines)
    if (isSame || reads === maxReads) {
      const earlier = Math.max(0, totalCount - payments.length)
      return explainAccount(scope, account, lines, { postings, earlier, isSame })
    }
    found = again
  }
  return undefined
}

/** Ids of requests are what callers make them: what is none of ours may be one. */
const longestRequestId = 200

/** A request, with what its address named where that can be told and whoever asks may see it. */
async function requestOf(engine: Engine, scope: Scope, id: string): Promise<Explanation | undefined> {
  if (id === '' || id.length > longestRequestId || !sees(scope, requestTag)) return undefined
  const request = await readRequest(engine, scope, id)
  if (!request) return undefined
  const named = Object.values(request.resources)
  const about = told.flatMap((kind) => named.filter((each) => isId(kind, each)))[0]
  const isTold = about !== undefined && !isHidden(scope, about)
  const [explained, interventions] = await Promise.all([
    isTold ? explanationOf(engine, scope, about) : undefined,
    interventionsOf(engine, scope, [id]),
  ])
  return explainRequest(scope, request, explained, interventions)
}

/** What a request may be about, what says most first. */
const told = ['Transaction', 'Quote', 'Webhook', 'InternalAccount'] as const

/** What the sandbox changed about these, told to those who may see it. */
async function interventionsOf({ listInterventions }: Engine, scope: Scope, ids: readonly string[]) {
  return seesSandbox(scope) ? listInterventions(scope, ids) : noInterventions
}

const seesSandbox = (scope: Scope) => sees(scope, 'Sandbox')

/** Payments whose journals are told of an account. */
const mostPayments = 50

/** How often a payment is read anew because it went on while it was read. */
const maxReads = 3

/** A payment that goes on between two reads would be told as it never was. */
async function paymentOf(engine: Engine, scope: Scope, type: 'Quote' | 'Transaction', id: string) {
  let transaction = await transactionOf(engine, scope, id)
  for (let reads = 1; transaction; reads++) {
    const explained = await explainRead(engine, scope, type, transaction)
    const before = transaction
    transaction = await transactionOf(engine, scope, id)
    if (reads === maxReads || !transaction || isSame(before, transaction)) return explained
  }
  return undefined
}

async function transactionOf(engine: Engine, scope: Scope, id: string): Promise<Transaction | undefined> {
  return (await loadTransaction(engine, scope, id)) ?? (await loadReservedTransaction(engine, scope, id))
}

function isSame(before: Transaction, after: Transaction): boolean {
  const { version, status, updatedAt } = before
  return version === after.version && status === after.status && updatedAt === after.updatedAt
}

async function explainRead(
  engine: Engine,
  scope: Scope,
  type: 'Quote' | 'Transaction',
  transaction: Transaction,
) {
  const { database } = engine
  const { id } = transaction
  if (type === 'Quote' && !transaction.quoteId) return undefined
  const { delivery, funding } = transaction.flow
  const [quote, postings, events, payee, payer, owner, nextStep, due] = await Promise.all([
    transaction.quoteId ? loadQuote(engine, scope, transaction.quoteId) : undefined,
    loadPostings(database, scope, [id]),
    loadPaymentEvents(database, scope, {
      ids: [id],
      from: toTimestamp(transaction.createdAt),
      until: toTimestamp(Math.max(transaction.updatedAt, transaction.createdAt)),
    }),
    delivery.kind === 'EXTERNAL' ? loadExternalAccount(engine, scope, delivery.accountId) : undefined,
    funding.kind === 'PULL' ? loadExternalAccount(engine, scope, funding.accountId) : undefined,
    isId('Customer', transaction.ownerId) && sees(scope, 'Customers')
      ? loadCustomer(engine, scope, transaction.ownerId)
      : undefined,
    loadNextStep(database, scope, id),
    loadDue(database, scope, [transaction]),
  ])
  if (type === 'Quote' && !quote) return undefined
  const ids = [...(quote ? [quote.id] : []), id]
  const interventions = await engine.listInterventions(scope, [
    ...ids,
    ...events.rows.map((event) => event.id),
  ])
  const from = toTimestamp(quote?.createdAt ?? transaction.createdAt)
  const until = toTimestamp(isUnderWay(transaction) ? scope.now : transaction.updatedAt)
  const requests = sees(scope, requestTag) ? await readRequestsAbout(engine, scope, { ids, from, until }) : []
  const isCut = events.lookedThrough >= mostEvents
  const explained = explainPayment(scope, {
    type,
    transaction,
    quote,
    postings,
    events: events.rows,
    interventions: seesSandbox(scope) ? interventions : noInterventions,
    requests,
    isCut,
    ...nextStep,
    due: due.get(id),
    isToInvoice: payee !== undefined && 'invoice' in payee.accountInfo,
    parties: partiesOf(transaction, owner, sees(scope, 'External Accounts') ? payee : undefined),
    // An intervention decides before the account does, also for a caller that may not see it.
    decided: interventions.all.some(({ decidesOutcome }) => decidesOutcome)
      ? undefined
      : decidedOf(engine, scope, transaction, { payee, payer }),
  })
  const balances = sees(scope, 'Internal Accounts') ? await balancesOf(engine, scope, explained.journals) : []
  const shown = { ...explained, ...(balances.length > 0 ? { balances } : {}) }
  return sees(scope, 'Webhooks') ? shown : { ...shown, webhooks: [] }
}

/** Who gives and who gets, by the names that whoever asks may read elsewhere too. */
function partiesOf(
  { ownerId, direction, source, destination, flow }: Transaction,
  customer: Customer | undefined,
  payee: ExternalAccount | undefined,
): Parties {
  const owner = ownerId === platformOwner ? 'the platform' : nameOf(customer && customerName(customer))
  const uma = (party: object) =>
    'umaAddress' in party && typeof party.umaAddress === 'string' ? nameOf(party.umaAddress) : undefined
  const payer = 'accountHolderName' in source ? nameOf(source.accountHolderName) : uma(source)
  if (direction === 'CREDIT') return { sender: payer, recipient: owner }
  const recipient =
    flow.delivery.kind === 'EXTERNAL' ? nameOf(payee && holderOf(payee.accountInfo)) : uma(destination)
  return { sender: owner, recipient }
}

/** Nothing is left of them once their owner has been erased. */
function holderOf(accountInfo: object): string | undefined {
  const { beneficiary = {} } = accountInfo as { beneficiary?: { fullName?: string; legalName?: string } }
  return beneficiary.fullName ?? beneficiary.legalName
}

/** By what a simulated rail decided, told from the account as it is on record; production has no such rail. */
function decidedOf(
  { adapters }: Engine,
  scope: Scope,
  { flow }: Transaction,
  {
    payee,
    payer,
  }: { readonly payee: ExternalAccount | undefined; readonly payer: ExternalAccount | undefined },
): PaymentFacts['decided'] {
  if (!sees(scope, 'External Accounts')) return undefined
  const { delivery, funding, kind } = flow
  const ask = (rail: string, primaryId: string | undefined, side: 'PAYOUT' | 'PULL') => {
    const instruction = primaryId && {
      rail,
      primaryId,
      flow: kind === 'QUOTE' ? kind : ('TRANSFER' as const),
    }
    const outcome = instruction && adapters[scope.environment].rail(rail)?.decides?.(instruction, side)
    return outcome ? { ...outcome, side } : undefined
  }
  const pulled = funding.kind === 'PULL' ? ask(funding.rail, identifierOf(payer), 'PULL') : undefined
  if (pulled || delivery.kind === 'INTERNAL') return pulled
  if (delivery.kind === 'EXTERNAL') return ask(delivery.rail, identifierOf(payee), 'PAYOUT')
  return delivery.peer ? undefined : ask(delivery.rail, delivery.umaAddress, 'PAYOUT')
}

/** By which the institution of an account knows it; undefined once its owner has been erased. */
function identifierOf(account: ExternalAccount | undefined): string | undefined {
  if (!account || Object.keys(account.accountInfo).length < 2) return undefined
  return accountTypeOf(account.accountInfo).primaryId(account.accountInfo)
}
