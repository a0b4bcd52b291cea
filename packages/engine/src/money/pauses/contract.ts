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
  platformId: Type.Optional(Type.String({ ...platformId, description: 'Absent: of all platforms.' })),
  rail: Type.Optional(rail),
  reasonCode: PauseReason,
} as const

export const PayoutPause = Type.Object(
  {
    id: idOf('Pause'),
    ...target,
    reason: Type.String({ description: 'In the words of whoever paused. Operators alone see it.' }),
    status,
    held: Type.Integer({
      minimum: 0,
      description: 'Payments that wait because of it; 10,000 may stand for more.',
    }),
    handingOver: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Payments whose hand-over to the rail had begun before the pause was in force and of which no answer has come yet: the rail may have them. Where a pause is read, with those that find out at this very moment that they have to wait. Not in lists.',
      }),
    ),
    pausedBy: Type.String(),
    pausedAt: timestamp(),
    liftedBy: Type.Optional(Type.String()),
    liftedAt: Type.Optional(timestamp()),
    liftReason: Type.Optional(
      Type.String({ description: 'In the words of whoever lifted it, where they said why.' }),
    ),
  },
  {
    $id: 'PayoutPause',
    description: 'That payouts wait: in one environment, of one platform or of all, on one rail or on all.',
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
  summary: 'Pause payouts on a rail, or of a platform',
  description:
    'At least one of `rail` and `platformId`. Payments are accepted as before and wait, PROCESSING, with their money converted; nothing more is handed to the rail once this is answered, by any process. What was being handed over at that moment is waited for, five seconds at most, and counted in `handingOver`. What a rail has already settles as ever. CONFLICT with the id of the pause where the same is paused.',
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
  summary: 'List pauses of payouts, the latest first',
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
  summary: 'Read a pause, with how many payments wait because of it',
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
    rail: Type.String({ description: 'That it waits for.' }),
    heldAt: timestamp({ description: 'Since when, on the clock of its environment.' }),
  },
  { $id: 'HeldPayment', description: 'A payment that waits because of a pause.' },
)
export type HeldPayment = Static<typeof HeldPayment>

export const listHeldPayments = operation({
  id: 'operatorListHeldPayments',
  method: 'GET',
  path: '/operator/pauses/{pauseId}/payments',
  tag,
  summary: 'List the payments that wait because of a pause, of all platforms',
  description: 'Those that have waited longest first. None once the pause is lifted and all went on.',
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
  summary: 'Lift a pause: what waits goes on, those that have waited longest first',
  description:
    'A few at a time, as many as background work of a platform runs at once. What another pause holds waits for that one. CONFLICT where it is lifted already.',
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
