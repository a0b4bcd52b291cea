import Type from 'typebox'
import { managementTag, operationsTag } from '../../access/agents/index.ts'
import { InternalAccountList, InternalAccountType } from '../../platform/internal-accounts/contract.ts'
import { type Operation, operation } from '../../vocabulary/operation.ts'
import {
  currencyCode,
  idempotencyHeaders,
  idOf,
  paging,
  repeatable,
  timestamp,
  walletSignature,
} from '../../vocabulary/shapes.ts'
import { Transaction } from '../cards/any-transaction-schemas.ts'
import {
  createCustomerExternalAccount,
  ExternalAccount,
  ExternalAccountCreateRequest,
  ExternalAccountList,
} from '../external-accounts/contract.ts'
import { createQuote, executeQuote, Quote } from '../quotes/contract.ts'
import { listTransactions, TransactionList } from '../transactions/contract.ts'
import { createTransferIn, createTransferOut } from '../transfers/contract.ts'
import { AgentAction, AgentActionList, AgentActionStatus } from './action-schemas.ts'

// The platform's side

const actionPath = Type.Object({ agentId: Type.String(), actionId: Type.String() })

export const listAgentApprovals = operation({
  id: 'listAgentApprovals',
  method: 'GET',
  path: '/agents/approvals',
  tag: managementTag,
  summary: 'List actions that are waiting for approval',
  description:
    'Returns the actions of all agents. An action can wait without a time limit, but its quote may expire in the meantime.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    agentId: Type.Optional(repeatable(idOf('Agent'))),
    customerId: Type.Optional(repeatable(idOf('Customer'))),
    startDate: Type.Optional(timestamp({ description: 'Requested at or after this time.' })),
    endDate: Type.Optional(timestamp({ description: 'Requested at or before this time.' })),
    ...paging,
  }),
  responses: { 200: AgentActionList },
  errors: [],
})

export const approveAgentAction = operation({
  id: 'approveAgentAction',
  method: 'POST',
  path: '/agents/{agentId}/actions/{actionId}/approve',
  tag: managementTag,
  summary: 'Approve an action',
  description:
    'Starts the payment. The action becomes FAILED if its quote has expired, its agent is paused, a limit is reached or the balance is too low. Corridor checks the limits when you approve the action. An approval does not lift the limits.',
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: actionPath,
  responses: { 200: AgentAction },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'SERVICE_SWITCH_ERROR'],
  events: [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
    'INCOMING_PAYMENT.PENDING',
    'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  ],
})

export const rejectAgentAction = operation({
  id: 'rejectAgentAction',
  method: 'POST',
  path: '/agents/{agentId}/actions/{actionId}/reject',
  tag: managementTag,
  summary: 'Reject an action',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  params: actionPath,
  body: Type.Object(
    {
      reason: Type.Optional(
        Type.String({
          maxLength: 1024,
          description: 'The agent can read this reason.',
          examples: ['Above the risk limit.'],
        }),
      ),
    },
    { $id: 'AgentActionRejectRequest' },
  ),
  bodyOptional: true,
  responses: { 200: AgentAction },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})

// The agent's side

const agentOperation = <const O extends Omit<Operation, 'auth' | 'tag'>>(declaration: O) =>
  operation({ ...declaration, auth: 'agent', tag: operationsTag })

export const agentListActions = agentOperation({
  id: 'agentListActions',
  method: 'GET',
  path: '/agents/me/actions',
  summary: 'List your actions, as an agent',
  description:
    'Returns your actions that needed an approval, with their outcomes. Every policy allows this operation.',
  permissions: [],
  query: Type.Object({ status: Type.Optional(repeatable(AgentActionStatus)), ...paging }),
  responses: { 200: AgentActionList },
  errors: [],
})

export const agentGetAction = agentOperation({
  id: 'agentGetAction',
  method: 'GET',
  path: '/agents/me/actions/{actionId}',
  summary: 'Read one of your actions, as an agent',
  permissions: [],
  params: Type.Object({ actionId: Type.String() }),
  responses: { 200: AgentAction },
  errors: ['REFERENCE_NOT_FOUND'],
})

const { customerId: _, platformCustomerId: __, ...ownTransactions } = listTransactions.query.properties

export const agentListTransactions = agentOperation({
  id: 'agentListTransactions',
  method: 'GET',
  path: '/agents/me/transactions',
  summary: 'List the transactions of your customer, as an agent',
  description: 'Returns all transactions of the customer, including those that you did not start.',
  permissions: ['VIEW_TRANSACTIONS'],
  query: Type.Object(ownTransactions),
  refusedQuery: { customerId: 'is always your customer' },
  responses: { 200: TransactionList },
  errors: [],
})

export const agentGetTransaction = agentOperation({
  id: 'agentGetTransaction',
  method: 'GET',
  path: '/agents/me/transactions/{transactionId}',
  summary: 'Read a transaction of your customer, as an agent',
  permissions: ['VIEW_TRANSACTIONS'],
  params: Type.Object({ transactionId: Type.String() }),
  responses: { 200: Transaction },
  errors: ['TRANSACTION_NOT_FOUND'],
})

export const agentListInternalAccounts = agentOperation({
  id: 'agentListInternalAccounts',
  method: 'GET',
  path: '/agents/me/internal-accounts',
  summary: 'List the internal accounts that you may use, as an agent',
  permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES'],
  query: Type.Object({
    currency: Type.Optional(repeatable(currencyCode())),
    type: Type.Optional(repeatable(InternalAccountType)),
    ...paging,
  }),
  responses: { 200: InternalAccountList },
  errors: [],
})

const accountPath = Type.Object({ externalAccountId: Type.String() })

export const agentListExternalAccounts = agentOperation({
  id: 'agentListExternalAccounts',
  method: 'GET',
  path: '/agents/me/external-accounts',
  summary: 'List the external accounts of your customer, as an agent',
  permissions: ['MANAGE_EXTERNAL_ACCOUNTS'],
  query: Type.Object({ currency: Type.Optional(repeatable(currencyCode())), ...paging }),
  responses: { 200: ExternalAccountList },
  errors: [],
})

const { customerId: ___, ...accountExample } = createCustomerExternalAccount.example

export const agentCreateExternalAccount = agentOperation({
  id: 'agentCreateExternalAccount',
  method: 'POST',
  path: '/agents/me/external-accounts',
  summary: 'Register an external account of your customer, as an agent',
  description: 'Rejects defaultUmaDepositAccount, because money from that account could bypass your limits.',
  permissions: ['MANAGE_EXTERNAL_ACCOUNTS'],
  body: ExternalAccountCreateRequest,
  responses: { 201: ExternalAccount },
  errors: createCustomerExternalAccount.errors,
  example: accountExample,
})

export const agentGetExternalAccount = agentOperation({
  id: 'agentGetExternalAccount',
  method: 'GET',
  path: '/agents/me/external-accounts/{externalAccountId}',
  summary: 'Read an external account of your customer, as an agent',
  permissions: ['MANAGE_EXTERNAL_ACCOUNTS'],
  params: accountPath,
  responses: { 200: ExternalAccount },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const agentDeleteExternalAccount = agentOperation({
  id: 'agentDeleteExternalAccount',
  method: 'DELETE',
  path: '/agents/me/external-accounts/{externalAccountId}',
  summary: 'Delete an external account of your customer, as an agent',
  permissions: ['MANAGE_EXTERNAL_ACCOUNTS'],
  params: accountPath,
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND', 'BENEFICIARY_TRUSTED'],
})

const quotePath = Type.Object({ quoteId: Type.String() })

export const agentCreateQuote = agentOperation({
  id: 'agentCreateQuote',
  method: 'POST',
  path: '/agents/me/quotes',
  summary: 'Create a quote, as an agent',
  description:
    'Creates a quote that pays from an account of your customer. To execute the quote, send a separate request, which may need an approval. immediatelyExecute, REALTIME_FUNDING and platformFeeOverride are not allowed.',
  permissions: ['CREATE_QUOTES'],
  headers: idempotencyHeaders,
  body: createQuote.body,
  responses: { 201: Quote },
  errors: createQuote.errors,
  example: createQuote.example,
})

export const agentGetQuote = agentOperation({
  id: 'agentGetQuote',
  method: 'GET',
  path: '/agents/me/quotes/{quoteId}',
  summary: 'Read one of your quotes, as an agent',
  permissions: [],
  params: quotePath,
  responses: { 200: Quote },
  errors: ['QUOTE_NOT_FOUND'],
})

const movingEvents = ['AGENT_ACTION.PENDING_APPROVAL', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'] as const

export const agentExecuteQuote = agentOperation({
  id: 'agentExecuteQuote',
  method: 'POST',
  path: '/agents/me/quotes/{quoteId}/execute',
  summary: 'Execute one of your quotes, as an agent',
  description:
    'Returns the action. Its status is APPROVED if the payment has started, or PENDING_APPROVAL if the platform has to approve the action first. Each quote allows one action.',
  permissions: ['EXECUTE_QUOTES'],
  params: quotePath,
  headers: Type.Object({ ...idempotencyHeaders.properties, ...walletSignature }),
  responses: { 200: AgentAction },
  errors: executeQuote.errors,
  events: [...movingEvents, 'OUTGOING_PAYMENT.PENDING', 'OUTGOING_PAYMENT.PENDING_AUTHORIZATION'],
})

export const agentCreateTransferOut = agentOperation({
  id: 'agentCreateTransferOut',
  method: 'POST',
  path: '/agents/me/transfer-out',
  summary: 'Pay out in the same currency, as an agent',
  description: 'Returns the action. The action may be waiting for approval.',
  permissions: ['CREATE_TRANSFERS'],
  headers: idempotencyHeaders,
  body: createTransferOut.body,
  responses: { 201: AgentAction },
  errors: createTransferOut.errors,
  events: [...movingEvents, 'OUTGOING_PAYMENT.PENDING'],
  example: createTransferOut.example,
})

export const agentCreateTransferIn = agentOperation({
  id: 'agentCreateTransferIn',
  method: 'POST',
  path: '/agents/me/transfer-in',
  summary: 'Pull money into an internal account, as an agent',
  description: 'Returns the action. The action may be waiting for approval.',
  permissions: ['CREATE_TRANSFERS'],
  headers: idempotencyHeaders,
  body: createTransferIn.body,
  responses: { 201: AgentAction },
  errors: createTransferIn.errors,
  events: [...movingEvents, 'INCOMING_PAYMENT.PENDING'],
  example: createTransferIn.example,
})
