import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, listOf, operatorReason } from '../../vocabulary/shapes.ts'

const platformId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const environment = enumOf(['SANDBOX', 'PRODUCTION'])

export const UmaPosition = Type.Object(
  {
    platformId,
    environment,
    peerDomain: Type.String({ examples: ['wallet.example.com'] }),
    owedMsats: Type.String({
      pattern: '^-?(0|[1-9][0-9]*)$',
      description: 'Owed to the institution, in millisatoshi; below zero, what it owes.',
      examples: ['-22883000'],
    }),
  },
  {
    $id: 'UmaPosition',
    description:
      'The net of all payments with an institution that settles bilaterally. It shows the same with the other sign.',
  },
)
export type UmaPosition = Static<typeof UmaPosition>

export const listUmaPositions = operation({
  id: 'operatorListUmaPositions',
  method: 'GET',
  path: '/operator/uma-positions',
  tag: 'Operator',
  summary: 'List what is owed to and by other institutions, of all platforms',
  description: 'What the operators of both sides settle between themselves.',
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
      description: 'Whether you paid the institution, or it paid you.',
    }),
    amountMsats: Type.String({
      pattern: '^[1-9][0-9]{0,17}$',
      description: 'In millisatoshi, whatever it was paid in.',
      examples: ['22883000'],
    }),
    reference: Type.String({
      pattern: '^[A-Za-z0-9._-]{1,64}$',
      description: 'Yours. The same settlement is recorded once.',
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
  summary: 'Record that a position was settled',
  description:
    'The payment itself is between you and the institution. The position and what is used of its credit line move by the amount. Answers with the position afterwards; 409 when the reference was recorded with something else.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'REPAIR',
  permissions: [],
  body: SettlePositionRequest,
  responses: { 200: UmaPosition },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})
