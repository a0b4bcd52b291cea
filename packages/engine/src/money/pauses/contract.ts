import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { PauseReason } from '../../vocabulary/pause-reason.ts'
import { environments } from '../../vocabulary/scope.ts'
import { enumOf, idOf, listOf, operatorReason, Proposed, paging, timestamp } from '../../vocabulary/shapes.ts'
import { pausableRails } from './rules.ts'

const tag = 'Operator'
const environment = enumOf([...environments])
const rail = enumOf(pausableRails as [string, ...string[]], { $id: 'PausableRail' })
const platformId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const status = enumOf(['IN_FORCE', 'LIFTED'])

const target = {
  environment,
  platformId: Type.Optional(
    Type.String({ ...platformId, description: 'If absent, the pause applies to all platforms.' }),
  ),
  rail: Type.Optional(rail),
  reasonCode: PauseReason,
} as const

export const PayoutPause = Type.Object(
  {
    id: idOf('Pause'),
    ...target,
    reason: Type.String({
      description: 'Reason that the operator entered. Only operators can see the reason.',
    }),
    status,
    held: Type.Integer({
      minimum: 0,
      description: 'Number of payments that wait because of the pause. A value of 10,000 can mean more.',
    }),
    handingOver: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Number of payments whose hand-over started before the pause and whose rail has not responded yet. The rail may have received these payments. When you read a single pause, the number includes payments that are about to wait. Absent in lists.',
      }),
    ),
    pausedBy: Type.String(),
    pausedAt: timestamp(),
    liftedBy: Type.Optional(Type.String()),
    liftedAt: Type.Optional(timestamp()),
    liftReason: Type.Optional(
      Type.String({ description: 'Reason for lifting the pause that the operator entered.' }),
    ),
  },
  {
    $id: 'PayoutPause',
    description: 'A pause of payouts in one environment, for one platform or all, on one rail or all.',
  },
)
export type PayoutPause = Static<typeof PayoutPause>

const PausePayoutsRequest = Type.Object(
  { ...target, reason: operatorReason() },
  { $id: 'OperatorPausePayoutsRequest' },
)
export type PausePayoutsRequest = Static<typeof PausePayoutsRequest>

const LiftPauseRequest = Type.Object(
  { reason: Type.Optional(operatorReason()) },
  { $id: 'OperatorLiftPauseRequest' },
)
export type LiftPauseRequest = Static<typeof LiftPauseRequest>

const pausePath = Type.Object({ pauseId: Type.String() })

export const pausePayouts = operation({
  id: 'operatorPausePayouts',
  method: 'POST',
  path: '/operator/pauses',
  tag,
  summary: 'Pause payouts on a rail or of a platform',
  description:
    'Send `rail`, `platformId` or both. Corridor still accepts payments and converts their money, then keeps the payments in PROCESSING. After the response, no process hands a payment to the rail. Corridor waits up to five seconds for hand-overs in progress and counts the rest in `handingOver`. Payments that the rail already has settle as usual. If the same payouts are already paused, the response is CONFLICT with the id of the existing pause.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'STOP',
  permissions: [],
  body: PausePayoutsRequest,
  responses: { 201: PayoutPause },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})

export const listPauses = operation({
  id: 'operatorListPauses',
  method: 'GET',
  path: '/operator/pauses',
  tag,
  summary: 'List pauses of payouts, latest first',
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  query: Type.Object({ status: Type.Optional(status), ...paging }),
  responses: { 200: listOf('PayoutPauseList', PayoutPause) },
  errors: [],
})

export const getPause = operation({
  id: 'operatorGetPause',
  method: 'GET',
  path: '/operator/pauses/{pauseId}',
  tag,
  summary: 'Read a pause and the number of waiting payments',
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  params: pausePath,
  responses: { 200: PayoutPause },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const HeldPayment = Type.Object(
  {
    id: idOf('Transaction'),
    platformId: Type.String(),
    environment,
    rail: Type.String({ description: 'Rail of the payment.' }),
    heldAt: timestamp({ description: 'Time at which the wait started, on the clock of the environment.' }),
  },
  { $id: 'HeldPayment', description: 'A payment that is waiting because of a pause.' },
)
export type HeldPayment = Static<typeof HeldPayment>

export const listHeldPayments = operation({
  id: 'operatorListHeldPayments',
  method: 'GET',
  path: '/operator/pauses/{pauseId}/payments',
  tag,
  summary: 'List payments that are waiting because of a pause, for all platforms',
  description:
    'Returns payments with the longest wait first. The list is empty when the pause is lifted and all payments have continued.',
  auth: 'operator',
  role: 'OPERATOR',
  permissions: [],
  params: pausePath,
  query: Type.Object({ limit: paging.limit, cursor: paging.cursor }),
  responses: { 200: listOf('HeldPaymentList', HeldPayment) },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const liftPause = operation({
  id: 'operatorLiftPause',
  method: 'POST',
  path: '/operator/pauses/{pauseId}/lift',
  tag,
  summary: 'Lift a pause and continue the waiting payments',
  description:
    'Payments continue a few at a time, within the limit for background work of a platform. Payments under another pause keep waiting. Returns CONFLICT if the pause is already lifted.',
  auth: 'operator',
  role: 'OPERATOR',
  power: 'MONEY',
  permissions: [],
  params: pausePath,
  body: LiftPauseRequest,
  bodyOptional: true,
  responses: { 200: PayoutPause, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
})
