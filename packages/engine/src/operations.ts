import { beneficialOwnerOperations } from './beneficial-owners/contract.ts'
import { bulkImportOperations } from './bulk-imports/contract.ts'
import { contactVerificationOperations } from './contact-verification/contract.ts'
import { cryptoWithdrawalOperations } from './crypto-withdrawals/contract.ts'
import { customerOperations } from './customers/contract.ts'
import { directoryOperations } from './directories/contract.ts'
import { discoveryOperations } from './discoveries/contract.ts'
import { documentOperations } from './documents/contract.ts'
import { exchangeRateOperations } from './exchange-rates/contract.ts'
import { externalAccountOperations } from './external-accounts/contract.ts'
import type { Operation } from './http/operation.ts'
import { internalAccountOperations } from './internal-accounts/contract.ts'
import { messageOperations } from './messages/contract.ts'
import { platformOperations } from './platforms/contract.ts'
import { quoteOperations } from './quotes/contract.ts'
import { receiverOperations } from './receivers/contract.ts'
import { sandboxOperations } from './sandbox/contract.ts'
import { tokenOperations } from './tokens/contract.ts'
import { transactionOperations } from './transactions/contract.ts'
import { transferOperations } from './transfers/contract.ts'
import { verificationOperations } from './verifications/contract.ts'
import { webhookOperations } from './webhooks/contract.ts'

/** Every operation of the API, feature by feature. What is not here does not exist. */
export const operationsByFeature = {
  platforms: platformOperations,
  tokens: tokenOperations,
  customers: customerOperations,
  'bulk-imports': bulkImportOperations,
  'contact-verification': contactVerificationOperations,
  verifications: verificationOperations,
  'beneficial-owners': beneficialOwnerOperations,
  documents: documentOperations,
  'internal-accounts': internalAccountOperations,
  'external-accounts': externalAccountOperations,
  receivers: receiverOperations,
  'exchange-rates': exchangeRateOperations,
  discoveries: discoveryOperations,
  'crypto-withdrawals': cryptoWithdrawalOperations,
  quotes: quoteOperations,
  transfers: transferOperations,
  transactions: transactionOperations,
  directories: directoryOperations,
  webhooks: webhookOperations,
  sandbox: sandboxOperations,
  messages: messageOperations,
} as const satisfies Readonly<Record<string, readonly Operation[]>>

export const operations: readonly Operation[] = Object.values(operationsByFeature).flat()
