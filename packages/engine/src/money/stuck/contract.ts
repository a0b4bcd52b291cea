import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { enumOf, idOf, listOf, timestamp } from '../../vocabulary/shapes.ts'

/** What the operator's people look at first at night: payments that should be over and are not. */

const StuckPayment = Type.Object(
  {
    id: idOf('Transaction'),
    status: Type.String(),
    reason: enumOf(['LATE', 'GIVEN_UP'], {
      description:
        'LATE: the rail has had longer than was expected. GIVEN_UP: its step failed until nobody tried any more; retry its dead job.',
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
