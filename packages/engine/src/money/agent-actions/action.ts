import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import type { Row } from '../../vocabulary/decision.ts'
import type { TransferInRequest, TransferOutRequest } from '../transfers/contract.ts'
import type { AgentActionStatus } from './action-schemas.ts'

/** What an agent asked for, and what became of it (wallets 12.5). */
export interface AgentAction {
  readonly id: Id<'AgentAction'>
  readonly version: bigint
  readonly agentId: Id<'Agent'>
  readonly customerId: Id<'Customer'>
  readonly platformCustomerId: string
  readonly status: AgentActionStatus
  readonly subject: Subject
  /** The stamp of an embedded wallet: it was verified when it came, and is the proof of that. */
  readonly signature: string | null
  readonly transactionId: Id<'Transaction'> | null
  readonly rejectionReason: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A transfer as it was asked for. */
export type Transfer =
  | { readonly type: 'TRANSFER_OUT'; readonly request: TransferOutRequest }
  | { readonly type: 'TRANSFER_IN'; readonly request: TransferInRequest }

/** What it is about; the currency of a transfer is that of the internal account. */
export type Subject =
  | { readonly type: 'EXECUTE_QUOTE'; readonly quoteId: Id<'Quote'> }
  | (Transfer & { readonly currency: string })

/** What the policy has to allow for it (wallets 12.4). */
export const neededPermission = {
  EXECUTE_QUOTE: 'EXECUTE_QUOTES',
  TRANSFER_OUT: 'CREATE_TRANSFERS',
  TRANSFER_IN: 'CREATE_TRANSFERS',
} as const

export function actionRow(action: AgentAction): Row {
  const { subject } = action
  return {
    id: action.id,
    agent_id: action.agentId,
    customer_id: action.customerId,
    platform_customer_id: action.platformCustomerId,
    type: subject.type,
    status: action.status,
    quote_id: subject.type === 'EXECUTE_QUOTE' ? subject.quoteId : null,
    transfer:
      subject.type === 'EXECUTE_QUOTE' ? null : { request: subject.request, currency: subject.currency },
    signature: action.signature,
    transaction_id: action.transactionId,
    created_at: toTimestamp(action.createdAt),
    updated_at: toTimestamp(action.updatedAt),
  }
}
