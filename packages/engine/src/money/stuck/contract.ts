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
        'LATE: the rail has had longer than was expected. GIVEN_UP: its step failed until nobody tried any more; retry its dead job. PAUSED: past its time because an operator has paused payouts on its rail; it goes on once that is lifted. UNWATCHED: the bank of its collection has not answered for a quarter of an hour or more, so a return would not be noticed; `rail` is that of the collection, and `expectedAt` is when the bank answered last.',
    }),
    since: timestamp({ description: 'When it last changed, on the clock of its environment.' }),
    expectedAt: timestamp({
      description: 'When it was to be over: as its rail says it, else an hour after it last changed.',
    }),
    lateSeconds: Type.Integer({ minimum: 0, description: 'How long that is past, on the same clock.' }),
  },
  { $id: 'StuckPayment' },
)

export const StuckRail = Type.Object(
  {
    platformId: Type.String(),
    environment: enumOf(['SANDBOX', 'PRODUCTION']),
    rail: Type.String({ description: 'That it waits for; INTERNAL where it is between two accounts here.' }),
    count: Type.Integer({ minimum: 1 }),
    payments: Type.Array(StuckPayment, { description: 'The first 20: those that are late the longest.' }),
  },
  { $id: 'StuckRail', description: 'The payments of one platform that are stuck on one rail.' },
)
export type StuckRail = Static<typeof StuckRail>

export const listStuckPayments = operation({
  id: 'operatorListStuckPayments',
  method: 'GET',
  path: '/operator/stuck',
  tag: 'Operator',
  summary: 'List payments that are past their time, by platform and rail',
  description:
    'The rail that has waited longest first. What waits for people, such as an authorization or an approval, is not stuck; money in suspense is in `GET /operator/suspense`. Of each platform and environment the 10,000 payments under way whose next step is due soonest are looked at.',
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
    platformId: Type.Optional(Type.String({ description: 'Absent: of all platforms.' })),
    rail: Type.Optional(Type.String({ description: 'Absent: of this platform, on all rails.' })),
    reasonCode: PauseReason,
    pausedBy: Type.String(),
    pausedAt: timestamp(),
  },
  { $id: 'RailPause', description: 'What holds payouts on a rail back.' },
)

export const RailUnderWay = Type.Object(
  {
    environment: enumOf(['SANDBOX', 'PRODUCTION']),
    rail: Type.String(),
    settlement: enumOf(['INSTANT', 'HOURS', 'SAME_BUSINESS_DAY', 'BUSINESS_DAYS'], {
      description: 'How long it takes as a rule.',
    }),
    expectedSeconds: Type.Optional(seconds('Of INSTANT and HOURS.')),
    businessDays: Type.Optional(Type.Integer({ description: 'Of BUSINESS_DAYS.' })),
    underWay: seconds('Payments that wait for it, to be collected or to be paid out; the held ones too.'),
    stuck: seconds('Of those: past their time, or given up.'),
    held: seconds('Of those: held back by a pause.'),
    oldestSeconds: Type.Optional(seconds('How long the oldest has been there, on its own clock.')),
    platforms: Type.Array(
      Type.Object({
        platformId: Type.String(),
        underWay: seconds('Of this platform.'),
        stuck: seconds('Of this platform.'),
        held: seconds('Of this platform.'),
      }),
      { description: 'The 20 with the most that is stuck, then with the most under way.' },
    ),
    pauses: Type.Array(RailPause),
  },
  { $id: 'RailUnderWay', description: 'One rail in one environment, of all platforms.' },
)
export type RailUnderWay = Static<typeof RailUnderWay>

export const listRails = operation({
  id: 'operatorListRails',
  method: 'GET',
  path: '/operator/rails',
  tag: 'Operator',
  summary: 'List rails: what is under way, stuck and held back on each',
  description:
    'Every rail that payouts go by, once for each environment that has a platform. Of each platform and environment the 10,000 payments under way whose next step is due soonest are looked at.',
  auth: 'operator',
  role: 'VIEWER',
  permissions: [],
  responses: { 200: listOf('RailUnderWayList', RailUnderWay) },
  errors: [],
})
