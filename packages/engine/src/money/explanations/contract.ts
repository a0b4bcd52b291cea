import Type, { type Static } from 'typebox'
import { interventionKind } from '../../vocabulary/interventions.ts'
import { operation } from '../../vocabulary/operation.ts'
import { PauseReason } from '../../vocabulary/pause-reason.ts'
import { enumOf, idOf, nullable, timestamp } from '../../vocabulary/shapes.ts'
import { explanationMarkdown } from './markdown.ts'

const ratio = (description: string) => Type.String({ pattern: '^-?\\d+(/\\d+)?$', description })

const Amount = Type.Object(
  {
    amount: Type.String({
      pattern: '^-?\\d+$',
      description: 'In minor units, as a string to keep the value exact.',
    }),
    currency: Type.String(),
  },
  { $id: 'ExplainedAmount' },
)

const Step = Type.Object(
  {
    step: Type.Integer({ minimum: 1 }),
    name: Type.String({ description: 'Name of the result. Later formulas refer to this name.' }),
    formula: Type.String({
      description: 'Formula with the names in `inputs`, the operators + − × ÷, and brackets.',
    }),
    inputs: Type.Record(Type.String(), ratio('Exact.')),
    exact: ratio('Result of the formula before rounding.'),
    rounding: enumOf(['NONE', 'FLOOR', 'CEIL', 'HALF_UP']),
    result: Amount,
    residue: Type.Optional(
      Type.Object({
        exact: ratio('Remainder from rounding, in minor units.'),
        goesTo: Type.String({ description: 'Ledger account that receives the remainder.' }),
      }),
    ),
    rule: Type.String({ description: 'Reason for this calculation.' }),
  },
  { $id: 'ExplanationStep' },
)
export type ExplanationStep = Static<typeof Step>

const Journal = Type.Object(
  {
    id: Type.String(),
    step: Type.String(),
    at: timestamp(),
    reverses: nullable(Type.String({ description: 'Pending posting that this posting posts or voids.' })),
    postings: Type.Array(
      Type.Object({
        kind: enumOf(['POSTED', 'PENDING', 'POST_PENDING', 'VOID_PENDING']),
        from: Type.String({ description: 'Debited ledger account.' }),
        to: Type.String({ description: 'Credited ledger account.' }),
        value: Amount,
        why: Type.String({ description: 'Purpose of the credited account.' }),
      }),
    ),
  },
  { $id: 'ExplanationJournal' },
)
export type ExplanationJournal = Static<typeof Journal>

export const Explanation = Type.Object(
  {
    subject: Type.Object({
      id: Type.String(),
      type: enumOf(['Quote', 'Transaction', 'InternalAccount', 'Webhook', 'Request']),
      about: Type.Optional(
        Type.String({
          description:
            'Id of the resource that the explained request was about. The timeline includes the events of this resource.',
        }),
      ),
      environment: enumOf(['SANDBOX', 'PRODUCTION']),
      asOf: timestamp(),
    }),
    sentence: Type.String({ maxLength: 300 }),
    status: Type.Object({
      now: Type.String(),
      since: timestamp(),
      waitingFor: enumOf(['NOBODY', 'CUSTOMER', 'PLATFORM', 'RAIL', 'OPERATOR', 'CLOCK']),
      paused: Type.Optional(
        Type.Object(
          {
            since: timestamp({
              description: 'Time at which the wait started, on the clock of the environment.',
            }),
            reasonCode: PauseReason,
          },
          {
            description:
              'The operator has paused payouts on the rail, so Corridor does not hand the payment over. The payment continues automatically when the pause is lifted.',
          },
        ),
      ),
      expectedBy: nullable(timestamp()),
      overdue: Type.Boolean(),
      cancellable: Type.Boolean({
        description: 'True while `POST /transactions/{transactionId}/cancel` may still stop the payment.',
      }),
      safeToRetry: Type.Object({
        answer: enumOf(['YES', 'YES_SAME_KEY', 'YES_NEW_QUOTE', 'NO'], {
          description: 'If the value is `YES`, you can repeat the request without an idempotency key.',
        }),
        why: Type.String(),
      }),
    }),
    derivation: Type.Array(Step),
    rate: Type.Optional(
      Type.Object({
        exact: ratio('Receiving minor units per sending minor unit.'),
        source: Type.String(),
        lockedAt: timestamp(),
        expiresAt: timestamp(),
      }),
    ),
    currencies: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), decimals: Type.Integer({ minimum: 0 }) }), {
        description:
          'Number of decimals of each currency in the explanation. Absent if the explanation contains no amount.',
      }),
    ),
    journals: Type.Array(Journal),
    balances: Type.Optional(
      Type.Array(
        Type.Object(
          {
            account: idOf('InternalAccount'),
            currency: Type.String(),
            changes: Type.Array(
              Type.Object({
                step: Type.String({ description: 'Journal that changed the balance.' }),
                at: timestamp(),
                before: Type.String({ pattern: '^-?\\d+$', description: 'In minor units, as a string.' }),
                after: Type.String({ pattern: '^-?\\d+$', description: 'In minor units, as a string.' }),
              }),
            ),
          },
          { $id: 'ExplainedBalance' },
        ),
        {
          description:
            'Available balance of each internal account before and after this payment. Omits accounts whose events are no longer kept, and accounts whose balance another payment changed at the same moment.',
        },
      ),
    ),
    timeline: Type.Array(
      Type.Object({
        at: timestamp(),
        kind: enumOf([
          'REQUEST',
          'TRANSITION',
          'HOLD',
          'RAIL',
          interventionKind,
          'CLOCK',
          'OPERATOR',
          'WEBHOOK',
        ]),
        text: Type.String(),
        actor: Type.Optional(
          Type.String({ description: 'Id of the token, agent or operator that made the request.' }),
        ),
        requestId: Type.Optional(Type.String({ description: 'Value of `X-Request-Id` in the response.' })),
        idempotencyKey: Type.Optional(
          Type.String({
            description:
              'Hash of the `Idempotency-Key` header. Requests with the same key have the same hash.',
          }),
        ),
        ref: Type.Optional(Type.String()),
      }),
    ),
    webhooks: Type.Array(
      Type.Object({
        id: idOf('Webhook'),
        type: Type.String(),
        status: Type.String(),
        attempts: Type.Integer({ minimum: 0 }),
        createdAt: timestamp(),
      }),
    ),
    next: Type.Array(
      Type.Object({
        what: Type.String(),
        when: nullable(
          timestamp({
            description: 'Due or expected time. Null if no future time is known.',
          }),
        ),
        doNow: Type.Optional(Type.String({ description: 'Request that triggers this step now.' })),
      }),
    ),
    checks: Type.Array(Type.Object({ name: Type.String(), holds: Type.Boolean() })),
    unknown: Type.Array(Type.String(), { description: 'Details that Corridor has not stored.' }),
  },
  { $id: 'Explanation' },
)
export type Explanation = Static<typeof Explanation>

export const explain = operation({
  id: 'explain',
  method: 'GET',
  path: '/explain/{id}',
  tag: 'Transactions',
  summary: 'Explain an amount or a delivery',
  description:
    'Explains quotes, transactions (except card transactions) and internal accounts: the calculation of each amount, the postings, the events, who has to act next, and whether a retry is safe. For a webhook event, the explanation lists the attempts and the next step. For a request, identified by its `X-Request-Id`, the explanation shows the response, the affected resource and the next step. Ids of other resources, such as cards, customers and external accounts, return 404. With `Accept: text/markdown`, the response is text for a support ticket. The operation only reads stored data.',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ id: Type.String() }),
  responses: { 200: Explanation },
  errors: ['REFERENCE_NOT_FOUND'],
  asMarkdown: (body) => explanationMarkdown(body as Explanation),
  extension: true,
})
