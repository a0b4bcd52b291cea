import { failed, type Id, ok, type Result, toTimestamp } from '@corridor/kernel'
import type { AgentGate } from '../../access/agents/index.ts'
import { isUnderSca } from '../../access/sca/index.ts'
import { assertCustomerReady, type Customer } from '../../people/customers/index.ts'
import { balanceEvents, type InternalAccount, platformOwner } from '../../platform/internal-accounts/index.ts'
import type { Configuration, MoneyGates } from '../../platform/platforms/index.ts'
import type { EnvironmentRules } from '../../ports/adapters.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import {
  chooseRail,
  isNetworkId,
  isRailId,
  networkOf,
  type RailId,
  railOf,
  settlementEstimate,
} from '../../reference/rails/index.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields, outOfRange } from '../../vocabulary/errors.ts'
import { firstRefusal } from '../../vocabulary/gates.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type ExternalAccount, externalAccountRefusal, isPullable } from '../external-accounts/index.ts'
import {
  amountsToText,
  countVolume,
  debitPrefunded,
  firstStep,
  journal,
  paymentEvent,
  plainAmounts,
  renderTransaction,
  type Transaction,
  transactionRow,
  volumeOf,
} from '../payments/index.ts'
import {
  amountBounds,
  amountRefusal,
  currencyRefusal,
  guardsOf,
  insufficientBalance,
  type Pricing,
} from '../quotes/index.ts'
import { purposeRefusal } from '../receivers/index.ts'

/** Both accounts of a transfer and their owner, as they are on record. */
export interface TransferFacts {
  readonly transactionId: Id<'Transaction'>
  readonly reference: string
  /** The agent that starts it, where one does. */
  readonly agent?: AgentGate | undefined
  readonly internal: InternalAccount
  readonly external: ExternalAccount
  readonly customer: Customer | undefined
  readonly amountMinor: bigint
  /** What it is converted to, where the accounts have two currencies: of payments on alone (accounts 11.4). */
  readonly conversion?: Conversion | undefined
  readonly rules: EnvironmentRules
  readonly gates: MoneyGates
  readonly configuration: Configuration
  /** What the amount is worth in euro cents, for wallets that are not verified. */
  readonly sendingEurMinor: bigint | undefined
  /** In US cents, for the volume of the corridor, and what that may be in a day. */
  readonly sendingUsdMinor: bigint | undefined
  readonly dailyUsdMinor: bigint | undefined
  /** Whether it is served here, and reaches the account. */
  readonly hasRail: (rail: string) => boolean
}

export interface Conversion {
  readonly pricing: Pricing
  /** As quotes show it. */
  readonly exchangeRate: number
}

/** What leaves an embedded wallet its device has signed, and only a quote says what there is to sign (wallets 9.1). */
function unsignedRefusal({ type }: InternalAccount): Failure | undefined {
  return type === 'EMBEDDED_WALLET' ? useQuotes : undefined
}

const useQuotes = fail('CONFLICT', { reason: 'USE_QUOTES' })

/** What both directions have in common: readiness, one owner, one currency that is enabled (accounts 9). */
function commonRefusal(
  { internal, external, customer, gates, configuration, conversion }: TransferFacts,
  direction: 'INCOMING' | 'OUTGOING',
): Failure | undefined {
  const unready = customer && assertCustomerReady(customer, gates)
  if (unready) return unready
  if (internal.status !== 'ACTIVE') {
    return fail('USER_NOT_READY', { accountId: internal.id, accountStatus: internal.status })
  }
  // Only quotes can be authorized, so that nobody gets around it here (accounts 9).
  if (isUnderSca(customer)) return useQuotes
  if (external.ownerId !== internal.ownerId && external.ownerId !== platformOwner) {
    return fail('INVALID_RECEIVER', { accountId: external.id, reason: 'OWNER' })
  }
  if (external.currency !== internal.currency && !conversion) {
    return fail('INVALID_CURRENCY', { currency: external.currency, supported: [internal.currency] })
  }
  return currencyRefusal(configuration, { currencies: [internal.currency, external.currency], direction })
}

/** Pulls money into an internal account: nothing is credited before it has settled (accounts 9). */
export function decideTransferIn(scope: Scope, facts: TransferFacts): Result<Decision<Reply>, Failure> {
  const { internal, external, amountMinor, hasRail, sendingEurMinor, configuration } = facts
  const refusal = firstRefusal({
    AGENT: facts.agent?.refusal,
    CUSTOMER: commonRefusal(facts, 'INCOMING') ?? pullRefusal(facts),
    LIMITS: amountRefusal(configuration, { currency: internal.currency, amountMinor }),
    ACCOUNT: externalAccountRefusal(external, { as: 'PULL_SOURCE', sendingEurMinor }),
  })
  if (refusal) return failed(refusal)
  const available = accountTypeOf(external.accountInfo).rails(external.accountInfo) as readonly RailId[]
  const debiting = available.find((rail) => (railOf(rail).capabilities as readonly string[]).includes('PULL'))
  const rail = debiting ?? chooseRail({ available, amountMinor, currency: internal.currency })
  if (!rail || !hasRail(rail)) return failed(fail('NOT_IMPLEMENTED', { rail }))
  const transaction: Transaction = {
    ...common(scope, facts),
    type: 'INCOMING',
    direction: 'CREDIT',
    source: { sourceType: 'ACCOUNT', accountId: external.id, currency: external.currency },
    destination: { destinationType: 'ACCOUNT', accountId: internal.id, currency: internal.currency },
    rail: null,
    flow: {
      stage: 'SUBMIT_PULL',
      kind: 'TRANSFER',
      funding: { kind: 'PULL', accountId: external.id, rail },
      delivery: { kind: 'INTERNAL', accountId: internal.id },
      amounts: amountsToText(plainAmounts(amountMinor)),
      isImmediate: false,
    },
  }
  return ok(begin(scope, transaction, facts, {}))
}

function pullRefusal({ external, internal, rules }: TransferFacts): Failure | undefined {
  const isAllowed = isPullable(external, internal, rules)
  return isAllowed ? undefined : failFields([{ field: 'source.accountId', message: 'cannot be pulled from' }])
}

export interface TransferOutOptions {
  readonly paymentRail?: string | undefined
  readonly remittanceInformation?: string | undefined
  readonly purposeOfPayment?: string | undefined
}

/** Pays out what is there: debited at once, the network's cost taken from what arrives (accounts 9). */
export function decideTransferOut(
  scope: Scope,
  facts: TransferFacts,
  { paymentRail, remittanceInformation, purposeOfPayment }: TransferOutOptions,
): Result<Decision<Reply>, Failure> {
  const { internal, external, rules, amountMinor, hasRail, sendingEurMinor, configuration } = facts
  const refusal =
    firstRefusal({
      AGENT: facts.agent?.refusal,
      SIGNATURE: unsignedRefusal(internal),
      CUSTOMER: commonRefusal(facts, 'OUTGOING'),
      LIMITS: amountRefusal(configuration, { currency: internal.currency, amountMinor }),
      ACCOUNT: externalAccountRefusal(external, { as: 'DESTINATION', sendingEurMinor }),
    }) ?? purposeRefusal({ currency: external.currency, purposeOfPayment }, rules)
  if (refusal) return failed(refusal)
  const { rails, network } = railsOf(external)
  if (paymentRail && !(rails as readonly string[]).includes(paymentRail)) {
    const message = 'is not one of the rails of the account'
    return failed(failFields([{ field: 'destination.paymentRail', message, constraint: { enum: rails } }]))
  }
  const receivingMinor = facts.conversion?.pricing.receivingAmountMinor ?? amountMinor
  const shownRail =
    paymentRail ?? chooseRail({ available: rails, amountMinor: receivingMinor, currency: external.currency })
  const rail = shownRail ?? network
  if (!rail || !hasRail(rail)) return failed(fail('NOT_IMPLEMENTED', { rail }))
  const networkFeeMinor =
    !facts.conversion && network && isNetworkId(network) ? networkOf(network).convertedFeeMinor : 0n
  if (amountMinor <= networkFeeMinor) {
    const { least, most } = amountBounds(configuration.supportedCurrencies, internal.currency)
    const payable = networkFeeMinor + 1n
    return failed(outOfRange(internal.currency, { least: payable > least ? payable : least, most }))
  }
  if (internal.availableMinor < amountMinor) {
    const { availableMinor, currency } = internal
    return failed(insufficientBalance(internal.id, { availableMinor, requiredMinor: amountMinor, currency }))
  }
  const amounts = facts.conversion?.pricing ?? plainAmounts(amountMinor, networkFeeMinor)
  const settlement =
    shownRail && isRailId(shownRail) ? settlementEstimate(railOf(shownRail), scope.now) : undefined
  const corridor = { sendingCurrency: internal.currency, receivingCurrency: external.currency }
  const { sendingUsdMinor } = facts
  const volume = sendingUsdMinor === undefined ? undefined : volumeOf(scope.now, corridor, sendingUsdMinor)
  const shared = common(scope, facts)
  const transaction: Transaction = {
    ...shared,
    type: 'OUTGOING',
    direction: 'DEBIT',
    receivedMinor: amounts.receivingAmountMinor,
    receivedCurrency: external.currency,
    source: { sourceType: 'ACCOUNT', accountId: internal.id, currency: internal.currency },
    destination: { destinationType: 'ACCOUNT', accountId: external.id, currency: external.currency },
    rail: shownRail ?? null,
    flow: {
      stage: 'SUBMIT_PAYOUT',
      kind: 'TRANSFER',
      funding: { kind: 'INTERNAL', accountId: internal.id },
      delivery: { kind: 'EXTERNAL', accountId: external.id, rail },
      amounts: amountsToText(amounts),
      isImmediate: false,
      refundRoute: { kind: 'INTERNAL', accountId: internal.id },
      ...(volume ? { volume } : {}),
      ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
    },
    details: {
      ...shared.details,
      feesMinor: (facts.conversion?.pricing.feesIncludedMinor ?? networkFeeMinor).toString(),
      ...(facts.conversion ? { exchangeRate: facts.conversion.exchangeRate } : {}),
      platformFeesMinor: '0',
      railSelectionMode: paymentRail ? 'MANUAL' : 'AUTO',
      ...(settlement
        ? {
            settlementTimelineSeconds: settlement.timelineSeconds,
            expectedSettlementAt: settlement.expectedAt === null ? null : toTimestamp(settlement.expectedAt),
          }
        : {}),
    },
  }
  const moved = { transactionId: transaction.id, currency: internal.currency, amountMinor }
  const postings = debitPrefunded(moved, internal.id)
  return ok(
    begin(scope, transaction, facts, {
      counts: volume ? [countVolume(scope.now, volume, facts.dailyUsdMinor)] : [],
      transfers: journal(transaction.id, 'execute', postings),
      uncovered: (shortage) => insufficientBalance(internal.id, shortage),
      events: balanceEvents([internal], postings),
    }),
  )
}

function railsOf(external: ExternalAccount): { rails: readonly RailId[]; network: string | undefined } {
  const type = accountTypeOf(external.accountInfo)
  const rails = type.rails(external.accountInfo) as readonly RailId[]
  return { rails, network: type.network ?? (type.kind === 'LIGHTNING' ? 'LIGHTNING' : undefined) }
}

function common(
  scope: Scope,
  { transactionId, reference, internal, customer, amountMinor, agent }: TransferFacts,
) {
  return {
    id: transactionId,
    version: 1n,
    status: 'PENDING' as const,
    ownerId: internal.ownerId,
    platformCustomerId: customer?.platformCustomerId ?? platformOwner,
    quoteId: null,
    sentMinor: amountMinor,
    sentCurrency: internal.currency,
    receivedMinor: amountMinor,
    receivedCurrency: internal.currency,
    reference,
    refundReference: null,
    failureReason: null,
    refund: null,
    details: agent ? { agentId: agent.id } : {},
    createdAt: scope.now,
    updatedAt: scope.now,
    settledAt: null,
  }
}

function begin(
  scope: Scope,
  transaction: Transaction,
  { internal, external, customer, rules }: TransferFacts,
  { events = [], ...more }: Partial<Decision>,
): Decision<Reply> {
  return {
    ...more,
    ...guardsOf({ internal: [internal], external: [external], customers: customer ? [customer] : [] }),
    inserts: [{ table: 'transactions', row: transactionRow(transaction) }],
    events: [paymentEvent(scope, transaction, 'PENDING'), ...events],
    jobs: [firstStep(transaction.id, scope.now + rules.stepMs)],
    result: () => ({ status: 201, body: renderTransaction(scope, transaction) }),
  }
}
