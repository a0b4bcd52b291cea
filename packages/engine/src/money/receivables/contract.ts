import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  currencyCode,
  enumOf,
  idempotencyHeaders,
  idOf,
  listOf,
  operatorReason,
  Proposed,
  paging,
  repeatable,
} from '../../vocabulary/shapes.ts'
import { Receivable, ReceivableCause, ReceivableStatus } from '../payments/receivable-schemas.ts'

export { Receivable } from '../payments/receivable-schemas.ts'

const tag = 'Receivables'

export const ReceivableList = listOf('ReceivableListResponse', Receivable)

const filters = {
  customerId: Type.Optional(repeatable(idOf('Customer', 'PlatformConfig'))),
  status: Type.Optional(repeatable(ReceivableStatus)),
  cause: Type.Optional(repeatable(ReceivableCause)),
  currency: Type.Optional(repeatable(currencyCode())),
  transactionId: Type.Optional(repeatable(idOf('Transaction', 'CardTransaction'))),
}

const path = Type.Object({ id: Type.String() })
const pathOfOperator = Type.Object({ receivableId: Type.String() })

const collecting =
  "Collects the outstanding amount from the owner's internal account in the same currency, up to its balance. Repeat the request when the account has more money."
const errors = ['REFERENCE_NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_BALANCE'] as const
const events = [
  'RECEIVABLE.UPDATED',
  'OUTGOING_PAYMENT.COMPLETED',
  'INTERNAL_ACCOUNT.BALANCE_UPDATED',
] as const

export const listReceivables = operation({
  id: 'listReceivables',
  method: 'GET',
  path: '/receivables',
  tag,
  summary: 'List receivables',
  description: 'Returns open and settled receivables of customers and of the platform, newest first.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({ ...filters, ...paging }),
  responses: { 200: ReceivableList },
  errors: [],
  extension: true,
})

export const getReceivable = operation({
  id: 'getReceivable',
  method: 'GET',
  path: '/receivables/{id}',
  tag,
  summary: 'Read a receivable',
  auth: 'basic',
  permissions: ['VIEW'],
  params: path,
  responses: { 200: Receivable },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
})

export const collectReceivable = operation({
  id: 'collectReceivable',
  method: 'POST',
  path: '/receivables/{id}/collect',
  tag,
  summary: 'Collect a receivable',
  description: `${collecting} Returns 409 if no amount is outstanding, if the owner has no such account, or if the account is not ACTIVE or is an embedded wallet. A collection needs no strong customer authentication, because the customer does not start it.`,
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: path,
  headers: idempotencyHeaders,
  responses: { 200: Receivable },
  errors: [...errors],
  events: [...events],
  extension: true,
})

export const operatorListReceivables = operation({
  id: 'operatorListReceivables',
  method: 'GET',
  path: '/operator/receivables',
  tag: 'Operator',
  summary: 'List the receivables of a platform',
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  query: Type.Object({
    platformId: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    environment: enumOf(['SANDBOX', 'PRODUCTION']),
    ...filters,
    ...paging,
  }),
  responses: { 200: ReceivableList },
  errors: [],
})

export const operatorGetReceivable = operation({
  id: 'operatorGetReceivable',
  method: 'GET',
  path: '/operator/receivables/{receivableId}',
  tag: 'Operator',
  summary: 'Read a receivable of any platform',
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  params: pathOfOperator,
  responses: { 200: Receivable },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const operatorCollectReceivable = operation({
  id: 'operatorCollectReceivable',
  power: 'MONEY',
  method: 'POST',
  path: '/operator/receivables/{receivableId}/collect',
  tag: 'Operator',
  summary: 'Collect a receivable of any platform',
  description: collecting,
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  params: pathOfOperator,
  body: Type.Object({ reason: operatorReason() }, { $id: 'OperatorCollectReceivableRequest' }),
  responses: { 200: Receivable, 202: Proposed },
  errors: [...errors],
  events: [...events],
})

export const operatorWriteOffReceivable = operation({
  id: 'operatorWriteOffReceivable',
  power: 'MONEY',
  method: 'POST',
  path: '/operator/receivables/{receivableId}/write-off',
  tag: 'Operator',
  summary: 'Write off a receivable that cannot be collected',
  description:
    'Writes off the outstanding amount. The service bears the loss. Parts that were already paid stay paid. You cannot undo a write-off: money that arrives later belongs to the owner. Returns 409 if nothing is outstanding.',
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  params: pathOfOperator,
  body: Type.Object({ reason: operatorReason() }, { $id: 'OperatorWriteOffReceivableRequest' }),
  responses: { 200: Receivable, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  events: ['RECEIVABLE.UPDATED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
})
