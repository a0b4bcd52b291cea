import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, listOf, operatorReason, Proposed } from '../../vocabulary/shapes.ts'

const platformId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const environment = enumOf(['SANDBOX', 'PRODUCTION'])

export const UmaPosition = Type.Object(
  {
    platformId,
    environment,
    peerDomain: Type.String({ examples: ['wallet.example.com'] }),
    owedMsats: Type.String({
      pattern: '^-?(0|[1-9][0-9]*)$',
      description:
        'Amount that the platform owes the institution, in millisatoshi. If the amount is negative, the institution owes the platform.',
      examples: ['-22883000'],
    }),
  },
  {
    $id: 'UmaPosition',
    description:
      'Net amount of all payments with an institution that settles bilaterally. The institution has the same amount with the opposite sign.',
  },
)
export type UmaPosition = Static<typeof UmaPosition>

export const listUmaPositions = operation({
  id: 'operatorListUmaPositions',
  method: 'GET',
  path: '/operator/uma-positions',
  tag: 'Operator',
  summary: 'List positions with other institutions, for all platforms',
  description: 'The operators of both institutions settle these amounts with each other.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: listOf('UmaPositionList', UmaPosition) },
  errors: [],
})

export const SettlePositionRequest = Type.Object(
  {
    platformId,
    environment,
    peerDomain: Type.String({ minLength: 1, maxLength: 260, examples: ['wallet.example.com'] }),
    direction: enumOf(['PAID', 'RECEIVED'], {
      description: 'Direction of the settlement payment.',
    }),
    amountMsats: Type.String({
      pattern: '^[1-9][0-9]{0,17}$',
      description: 'Amount in millisatoshi, regardless of the currency of the payment.',
      examples: ['22883000'],
    }),
    reference: Type.String({
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      description: 'Your own reference. Corridor records a settlement with the same reference only once.',
      examples: ['wire-2026-11-22'],
    }),
    reason: operatorReason(),
  },
  { $id: 'OperatorSettleUmaPositionRequest' },
)
export type SettlePositionRequest = Static<typeof SettlePositionRequest>

export const settleUmaPosition = operation({
  id: 'operatorSettleUmaPosition',
  method: 'POST',
  path: '/operator/uma-positions/settle',
  tag: 'Operator',
  summary: 'Record the settlement of a position',
  description:
    'You make the payment outside Corridor. The position and the use of the credit line change by the amount. Returns the position after the change, or 409 if the reference exists with different content.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'MONEY',
  permissions: [],
  body: SettlePositionRequest,
  responses: { 200: UmaPosition, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})
