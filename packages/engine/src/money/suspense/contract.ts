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
    decimals: Type.Integer({ minimum: 0, description: 'How many decimals the currency has.' }),
    rail: Type.Optional(Type.String()),
    payerReference: Type.Optional(Type.String({ description: 'What the payer wrote.' })),
    reason: Type.Optional(Type.String()),
    createdAt: timestamp(),
    decidedAt: Type.Optional(timestamp()),
    decidedBy: Type.Optional(Type.String()),
  },
  {
    $id: 'SuspenseItem',
    description:
      'Money that cannot be given to anybody: UNMATCHED names nobody, DEPOSIT and PULL wait for their account, REFUND could not be given back.',
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
  summary: 'Read an item in suspense: how much waits, or what was decided about it',
  description: 'The money of a failed refund is an item under the id of its transaction.',
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
    'As an ordinary deposit, under the id of the item. 409 when it does not wait any more, or the account cannot take it, and for a PULL, which its own account gets when it is released; a failed refund is moved with resolve-refund.',
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
  summary: 'Give money in suspense back',
  description:
    'Books it out by the rail that brought it; the payment itself is yours to make. 409 for a PULL, whose payment is still under way.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'MONEY',
  permissions: [],
  params: path,
  body: Type.Object({ reason }, { $id: 'OperatorReturnSuspenseRequest' }),
  responses: { 200: SuspenseItem, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})
