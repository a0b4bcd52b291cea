import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  enumOf,
  idOf,
  listOf,
  operatorReason,
  Proposed,
  paging,
  timestamp,
  unsignedMinor,
} from '../../vocabulary/shapes.ts'

const tag = 'Operator'
const path = Type.Object({ itemId: Type.String() })
const reason = operatorReason()
const kind = enumOf(['DEPOSIT', 'PULL', 'REFUND', 'UNMATCHED'])
const status = enumOf(['WAITING', 'CREDITED', 'SENT_BACK'])

export const SuspenseItem = Type.Object(
  {
    id: idOf('Transaction'),
    kind,
    status,
    internalAccountId: Type.Optional(idOf('InternalAccount')),
    currency: Type.String(),
    amount: unsignedMinor({ description: 'In the smallest unit of the currency.' }),
    decimals: Type.Integer({ minimum: 0, description: 'Number of decimals of the currency.' }),
    rail: Type.Optional(Type.String()),
    payerReference: Type.Optional(Type.String({ description: 'Remittance information from the payer.' })),
    reason: Type.Optional(Type.String()),
    createdAt: timestamp(),
    decidedAt: Type.Optional(timestamp()),
    decidedBy: Type.Optional(Type.String()),
  },
  {
    $id: 'SuspenseItem',
    description:
      'Money that has no recipient yet. UNMATCHED means that the owner is unknown. DEPOSIT and PULL mean that the money waits for the account. REFUND means that a refund failed.',
  },
)
export type SuspenseItem = Static<typeof SuspenseItem>

export const listSuspense = operation({
  id: 'operatorListSuspense',
  method: 'GET',
  path: '/operator/suspense',
  tag,
  summary: 'List money in suspense',
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  query: Type.Object({
    platformId: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    environment: enumOf(['SANDBOX', 'PRODUCTION']),
    status: Type.Optional(status),
    ...paging,
  }),
  responses: { 200: listOf('SuspenseItemList', SuspenseItem) },
  errors: [],
})

export const getSuspense = operation({
  id: 'operatorGetSuspense',
  method: 'GET',
  path: '/operator/suspense/{itemId}',
  tag,
  summary: 'Read a suspense item and the decision about it',
  description: 'A failed refund is a suspense item with the id of its transaction.',
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  params: path,
  responses: { 200: SuspenseItem },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const assignSuspense = operation({
  id: 'operatorAssignSuspense',
  method: 'POST',
  path: '/operator/suspense/{itemId}/assign',
  tag,
  summary: 'Credit money in suspense to an internal account',
  description:
    'Posts an ordinary deposit with the id of the item. Returns 409 if the item is no longer waiting, if the account cannot accept the money, or if the item is a PULL. The money of a PULL goes to its own account when the account is released. For a failed refund, use resolve-refund.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'MONEY',
  permissions: [],
  params: path,
  body: Type.Object({ accountId: idOf('InternalAccount'), reason }, { $id: 'OperatorAssignSuspenseRequest' }),
  responses: { 200: SuspenseItem, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED'],
  events: ['INCOMING_PAYMENT.COMPLETED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
})

export const returnSuspense = operation({
  id: 'operatorReturnSuspense',
  method: 'POST',
  path: '/operator/suspense/{itemId}/return',
  tag,
  summary: 'Return money in suspense',
  description:
    'Books the money out on the rail on which it arrived. You have to make the payment yourself. Returns 409 for a PULL, because its payment is still in progress.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'MONEY',
  permissions: [],
  params: path,
  body: Type.Object({ reason }, { $id: 'OperatorReturnSuspenseRequest' }),
  responses: { 200: SuspenseItem, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})
