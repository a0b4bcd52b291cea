import Type, { type Static } from 'typebox'
import { enumOf, idOf, listOf, timestamp } from '../../vocabulary/shapes.ts'
import { Transaction } from '../cards/any-transaction-schemas.ts'
import { Quote } from '../quotes/quote-schemas.ts'

export const AgentActionStatus = enumOf(['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED'], {
  $id: 'AgentActionStatus',
})
export type AgentActionStatus = Static<typeof AgentActionStatus>

export const AgentActionType = enumOf(['EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN'], {
  $id: 'AgentActionType',
})
export type AgentActionType = Static<typeof AgentActionType>

const AgentTransferDetails = Type.Object(
  {
    amount: Type.Integer({ description: 'In the smallest unit of the currency.', examples: [50_000] }),
    currency: Type.String({ description: 'Currency of the internal account.', examples: ['USD'] }),
    sourceAccountId: idOf('InternalAccount', 'ExternalAccount'),
    destinationAccountId: idOf('ExternalAccount', 'InternalAccount'),
  },
  { $id: 'AgentTransferDetails' },
)

export const AgentAction = Type.Object(
  {
    id: idOf('AgentAction'),
    agentId: idOf('Agent'),
    customerId: idOf('Customer'),
    platformCustomerId: Type.String(),
    status: AgentActionStatus,
    type: AgentActionType,
    quote: Type.Optional(Quote),
    transferDetails: Type.Optional(AgentTransferDetails),
    transaction: Type.Optional(Transaction),
    rejectionReason: Type.Optional(Type.String()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  {
    $id: 'AgentAction',
    description:
      'If the status is APPROVED, the payment has started. The quote and the transaction show its progress. If the status is FAILED, the action was approved but the payment could not start.',
  },
)
export type AgentAction = Static<typeof AgentAction>

export const AgentActionList = listOf('AgentActionListResponse', AgentAction)
