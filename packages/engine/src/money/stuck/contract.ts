import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { PauseReason } from '../../vocabulary/pause-reason.ts'
import { enumOf, idOf, listOf, timestamp } from '../../vocabulary/shapes.ts'

/** What the operator's people look at first at night: payments that should be over and are not. */

const StuckPayment = Type.Object(
  {
    id: idOf('Transaction'),
    status: Type.String(),
    reason: enumOf(['LATE', 'GIVEN_UP', 'PAUSED', 'UNWATCHED'], {
      description:
        'LATE: the rail has taken longer than expected. GIVEN_UP: Corridor no longer retries a step of the payment; run its dead job again. PAUSED: late because an operator paused payouts on the rail; it continues once the pause is lifted. UNWATCHED: the bank of its collection, or of its delivered payout, has not responded for 15 minutes or more, so Corridor would not notice a return. `rail` is the rail of that bank, and `expectedAt` is its last response.',
    }),
    since: timestamp({ description: 'Last change, on the clock of the environment.' }),
    expectedAt: timestamp({
      description:
        'Expected completion: from the rail if it states one, else one hour after the last change.',
    }),
    lateSeconds: Type.Integer({ minimum: 0, description: 'Seconds since then, on the same clock.' }),
  },
  { $id: 'StuckPayment' },
)

export const StuckRail = Type.Object(
  {
    platformId: Type.String(),
    environment: enumOf(['SANDBOX', 'PRODUCTION']),
    rail: Type.String({ description: 'Rail of the payment; INTERNAL between two internal accounts.' }),
    count: Type.Integer({ minimum: 1 }),
    payments: Type.Array(StuckPayment, { description: 'The 20 latest payments.' }),
  },
  { $id: 'StuckRail', description: 'Stuck payments of one platform on one rail.' },
)
export type StuckRail = Static<typeof StuckRail>

export const listStuckPayments = operation({
  id: 'operatorListStuckPayments',
  method: 'GET',
  path: '/operator/stuck',
  tag: 'Operator',
  summary: 'List stuck payments by platform and rail',
  description:
    'Longest wait first. Payments that wait for a person, such as for an authorization or an approval, are not stuck. Money in suspense is in `GET /operator/suspense`. Corridor examines the 10,000 payments of each platform and environment whose next step is due soonest.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: listOf('StuckRailList', StuckRail) },
  errors: [],
})

const seconds = (description: string) => Type.Integer({ minimum: 0, description })

const RailPause = Type.Object(
  {
    id: idOf('Pause'),
    platformId: Type.Optional(Type.String({ description: 'Absent: all platforms.' })),
    rail: Type.Optional(Type.String({ description: 'Absent: all rails of the platform.' })),
    reasonCode: PauseReason,
    pausedBy: Type.String(),
    pausedAt: timestamp(),
  },
  { $id: 'RailPause', description: 'A pause of payouts on the rail.' },
)

export const RailUnderWay = Type.Object(
  {
    environment: enumOf(['SANDBOX', 'PRODUCTION']),
    rail: Type.String(),
    settlement: enumOf(['INSTANT', 'HOURS', 'SAME_BUSINESS_DAY', 'BUSINESS_DAYS'], {
      description: 'Usual settlement time.',
    }),
    expectedSeconds: Type.Optional(seconds('Of INSTANT and HOURS.')),
    businessDays: Type.Optional(Type.Integer({ description: 'Only for BUSINESS_DAYS.' })),
    underWay: seconds(
      'Payments that wait for the rail, for a collection or a payout, including paused ones.',
    ),
    stuck: seconds('Payments among them that are late or given up.'),
    held: seconds('Payments among them that wait for a pause.'),
    oldestSeconds: Type.Optional(seconds('Age of the oldest payment, on its own clock.')),
    platforms: Type.Array(
      Type.Object({
        platformId: Type.String(),
        underWay: seconds('For this platform.'),
        stuck: seconds('For this platform.'),
        held: seconds('For this platform.'),
      }),
      {
        description:
          'The 20 platforms with the most stuck payments, then with the most payments in progress.',
      },
    ),
    pauses: Type.Array(RailPause),
  },
  { $id: 'RailUnderWay', description: 'A rail in one environment, for all platforms.' },
)
export type RailUnderWay = Static<typeof RailUnderWay>

export const listRails = operation({
  id: 'operatorListRails',
  method: 'GET',
  path: '/operator/rails',
  tag: 'Operator',
  summary: 'List rails with their payments in progress, stuck and paused',
  description:
    'Contains every payout rail, once per environment that has a platform. Corridor examines the 10,000 payments of each platform and environment whose next step is due soonest.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: listOf('RailUnderWayList', RailUnderWay) },
  errors: [],
})
