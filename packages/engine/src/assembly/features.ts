import { agentsFeature } from '../access/agents/feature.ts'
import { auditLogFeature } from '../access/audit-log/feature.ts'
import { consoleFeature } from '../access/console/feature.ts'
import { delegatedKeysFeature } from '../access/delegated-keys/feature.ts'
import { operatorFeature } from '../access/operator/feature.ts'
import { operatorsFeature } from '../access/operators/feature.ts'
import { withSecondPerson } from '../access/operators/index.ts'
import { scaFeature } from '../access/sca/feature.ts'
import { walletAuthFeature } from '../access/wallet-auth/feature.ts'
import type { Feature } from '../mechanisms/feature/define-feature.ts'
import { signedRequestsFeature } from '../mechanisms/signed-requests/feature.ts'
import { agentActionsFeature } from '../money/agent-actions/feature.ts'
import { cardFundingFeature } from '../money/card-funding/feature.ts'
import { cardsFeature } from '../money/cards/feature.ts'
import { cryptoWithdrawalsFeature } from '../money/crypto-withdrawals/feature.ts'
import { discoveriesFeature } from '../money/discoveries/feature.ts'
import { exchangeRatesFeature } from '../money/exchange-rates/feature.ts'
import { explanationsFeature } from '../money/explanations/feature.ts'
import { externalAccountsFeature } from '../money/external-accounts/feature.ts'
import { inboundPaymentsFeature } from '../money/inbound-payments/feature.ts'
import { ledgerFeature } from '../money/ledger/feature.ts'
import { pausesFeature } from '../money/pauses/feature.ts'
import { paymentsFeature } from '../money/payments/feature.ts'
import { quotesFeature } from '../money/quotes/feature.ts'
import { receivablesFeature } from '../money/receivables/feature.ts'
import { receiversFeature } from '../money/receivers/feature.ts'
import { sandboxFeature } from '../money/sandbox/feature.ts'
import { searchFeature } from '../money/search/feature.ts'
import { stablecoinsFeature } from '../money/stablecoins/feature.ts'
import { stuckFeature } from '../money/stuck/feature.ts'
import { suspenseFeature } from '../money/suspense/feature.ts'
import { transactionsFeature } from '../money/transactions/feature.ts'
import { transfersFeature } from '../money/transfers/feature.ts'
import { umaPeersFeature } from '../money/uma-peers/feature.ts'
import { umaProviderFeature } from '../money/uma-provider/feature.ts'
import { umaReceiptsFeature } from '../money/uma-receipts/feature.ts'
import { directoriesFeature } from '../notices/directories/feature.ts'
import { messagesFeature } from '../notices/messages/feature.ts'
import { webhookEventsFeature } from '../notices/webhook-events/feature.ts'
import { webhooksFeature } from '../notices/webhooks/feature.ts'
import { beneficialOwnersFeature } from '../people/beneficial-owners/feature.ts'
import { bulkImportsFeature } from '../people/bulk-imports/feature.ts'
import { contactVerificationFeature } from '../people/contact-verification/feature.ts'
import { customersFeature } from '../people/customers/feature.ts'
import { documentsFeature } from '../people/documents/feature.ts'
import { hostedVerificationFeature } from '../people/hosted-verification/feature.ts'
import { invitationsFeature } from '../people/invitations/feature.ts'
import { reviewsFeature } from '../people/reviews/feature.ts'
import { verificationsFeature } from '../people/verifications/feature.ts'
import { faultsFeature } from '../platform/faults/feature.ts'
import { internalAccountsFeature } from '../platform/internal-accounts/feature.ts'
import { platformsFeature } from '../platform/platforms/feature.ts'
import { requestLogFeature } from '../platform/request-log/feature.ts'
import { tokensFeature } from '../platform/tokens/feature.ts'
import { walletCredentialsFeature } from '../platform/wallet-credentials/feature.ts'
import { worldsFeature } from '../platform/worlds/feature.ts'
import { takesTwo } from '../vocabulary/powers.ts'

/** Every feature, in the order of the reference. What is not here does not exist. */
export const features: readonly Feature[] = [
  platformsFeature,
  tokensFeature,
  requestLogFeature,
  customersFeature,
  bulkImportsFeature,
  contactVerificationFeature,
  verificationsFeature,
  hostedVerificationFeature,
  beneficialOwnersFeature,
  documentsFeature,
  internalAccountsFeature,
  walletCredentialsFeature,
  walletAuthFeature,
  delegatedKeysFeature,
  agentsFeature,
  externalAccountsFeature,
  receiversFeature,
  exchangeRatesFeature,
  discoveriesFeature,
  cryptoWithdrawalsFeature,
  scaFeature,
  quotesFeature,
  transfersFeature,
  transactionsFeature,
  receivablesFeature,
  explanationsFeature,
  searchFeature,
  ledgerFeature,
  agentActionsFeature,
  paymentsFeature,
  stuckFeature,
  pausesFeature,
  suspenseFeature,
  inboundPaymentsFeature,
  umaReceiptsFeature,
  umaPeersFeature,
  umaProviderFeature,
  cardFundingFeature,
  cardsFeature,
  stablecoinsFeature,
  invitationsFeature,
  directoriesFeature,
  webhooksFeature,
  webhookEventsFeature,
  sandboxFeature,
  faultsFeature,
  worldsFeature,
  messagesFeature,
  signedRequestsFeature,
  operatorFeature,
  operatorsFeature,
  consoleFeature,
  auditLogFeature,
  reviewsFeature,
]

const ownRoutes = features.flatMap((feature) => feature.routes ?? [])
export const routes = ownRoutes.map(withSecondPerson)
export const proposable = new Map(
  ownRoutes.filter(({ operation }) => takesTwo(operation)).map((route) => [route.operation.id, route]),
)
export const operations = features.flatMap(({ operations }) => operations)
export const jobHandlers = features.flatMap(({ jobs = [] }) => jobs)
export const sweeps = features.flatMap((feature) => feature.sweeps ?? [])
export const answerHandlers = features.flatMap(({ answers = [] }) => answers)
export const webhooks = features.flatMap(({ events = [] }) => events)
export const plainPages = features.flatMap((feature) => feature.plainPages ?? [])
export const hostedPages = features.flatMap((feature) => feature.hostedPages ?? [])
export const retention = features.flatMap((feature) => feature.retention ?? [])
export const erasure = features.flatMap((feature) => feature.erasure ?? [])
