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
        'LATE means that the rail has taken longer than expected. GIVEN_UP means that Corridor no longer retries a step of the payment; run the dead job again. PAUSED means that the payment waits until the operator lifts a pause on the rail. UNWATCHED means that the bank of a collection or delivered payout has not responded for at least 15 minutes, so Corridor would not notice a return. `rail` is then the rail of this bank, and `expectedAt` the time of its last response.',
    }),
    since: timestamp({ description: 'Last change, on the clock of the environment.' }),
    expectedAt: timestamp({
      description: 'Expected completion according to the rail, or otherwise one hour after the last change.',
    }),
    lateSeconds: Type.Integer({ minimum: 0, description: 'Seconds since `expectedAt`, on the same clock.' }),
  },
  { $id: 'StuckPayment' },
)

export const StuckRail = Type.Object(
  {
    platformId: Type.String(),
    environment: enumOf(['SANDBOX', 'PRODUCTION']),
    rail: Type.String({
      description: 'Rail of the payment, or INTERNAL for a payment between two internal accounts.',
    }),
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
    'Returns the platforms and rails with the longest wait first. Payments that wait for a person, for example for an authorization or an approval, are not stuck. For money in suspense, see `GET /operator/suspense`. Corridor examines the 10,000 payments of each platform and environment whose next step is due soonest.',
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
    platformId: Type.Optional(Type.String({ description: 'If absent, the pause applies to all platforms.' })),
    rail: Type.Optional(
      Type.String({ description: 'If absent, the pause applies to all rails of the platform.' }),
    ),
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
      'Number of payments that wait for a collection or payout on the rail, including paused payments.',
    ),
    stuck: seconds('Number of these payments that are late or given up.'),
    held: seconds('Number of these payments that wait because of a pause.'),
    oldestSeconds: Type.Optional(seconds('Age of the oldest payment, on the clock of its environment.')),
    platforms: Type.Array(
      Type.Object({
        platformId: Type.String(),
        underWay: seconds('Number for this platform.'),
        stuck: seconds('Number for this platform.'),
        held: seconds('Number for this platform.'),
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
    'Returns each payout rail once per environment that has a platform. Corridor examines the 10,000 payments of each platform and environment whose next step is due soonest.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: listOf('RailUnderWayList', RailUnderWay) },
  errors: [],
})
