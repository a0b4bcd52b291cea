import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, listOf } from '../../vocabulary/shapes.ts'

export const UmaPosition = Type.Object(
  {
    platformId: Type.String(),
    environment: enumOf(['SANDBOX', 'PRODUCTION']),
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
