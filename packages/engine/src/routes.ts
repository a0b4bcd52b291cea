import { beneficialOwnerRoutes } from './beneficial-owners/index.ts'
import { bulkImportRoutes } from './bulk-imports/index.ts'
import { contactVerificationRoutes } from './contact-verification/index.ts'
import { cryptoWithdrawalRoutes } from './crypto-withdrawals/index.ts'
import { customerRoutes } from './customers/index.ts'
import { directoryRoutes } from './directories/index.ts'
import { discoveryRoutes } from './discoveries/index.ts'
import { documentRoutes } from './documents/index.ts'
import { externalAccountRoutes } from './external-accounts/index.ts'
import { hostedVerificationRoutes } from './hosted-verification/index.ts'
import type { Route } from './http/operation.ts'
import { internalAccountRoutes } from './internal-accounts/index.ts'
import { messageRoutes } from './messages/index.ts'
import { operatorRoutes } from './operator/index.ts'
import { platformRoutes } from './platforms/index.ts'
import { loadReservedTransaction, quoteRoutes } from './quotes/index.ts'
import { exchangeRateRoutes } from './rate-list/index.ts'
import { receiverRoutes } from './receivers/index.ts'
import { reviewRoutes } from './reviews/index.ts'
import { sandboxRoutes } from './sandbox/index.ts'
import { tokenRoutes } from './tokens/index.ts'
import { transactionRoutes } from './transactions/index.ts'
import { transferRoutes } from './transfers/index.ts'
import { verificationRoutes } from './verifications/index.ts'
import { webhookRoutes } from './webhooks/index.ts'

/** Every endpoint of the API, in the order of the reference, and those of the operator. */
export const routes: readonly Route[] = [
  ...platformRoutes,
  ...tokenRoutes,
  ...customerRoutes,
  ...hostedVerificationRoutes,
  ...verificationRoutes,
  ...beneficialOwnerRoutes,
  ...documentRoutes,
  ...bulkImportRoutes,
  ...contactVerificationRoutes,
  ...internalAccountRoutes,
  ...externalAccountRoutes,
  ...receiverRoutes,
  ...exchangeRateRoutes,
  ...discoveryRoutes,
  ...cryptoWithdrawalRoutes,
  ...quoteRoutes,
  ...transferRoutes,
  ...transactionRoutes(loadReservedTransaction),
  ...directoryRoutes,
  ...webhookRoutes,
  ...sandboxRoutes,
  ...messageRoutes,
  ...operatorRoutes,
  ...reviewRoutes,
]
