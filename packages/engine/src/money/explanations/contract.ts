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
      description: 'In minor units; a string, to keep it exact.',
    }),
    currency: Type.String(),
  },
  { $id: 'ExplainedAmount' },
)

const Step = Type.Object(
  {
    step: Type.Integer({ minimum: 1 }),
    name: Type.String({ description: 'Name of the result; later formulas use it.' }),
    formula: Type.String({ description: 'Uses the names in `inputs`, with + − × ÷ and brackets.' }),
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
    reverses: nullable(Type.String({ description: 'The pending posting that this one posts or voids.' })),
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
            'Only for a request: id of the resource that it was about. The timeline includes events of that resource.',
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
            since: timestamp({ description: 'Start of the wait, on the clock of the environment.' }),
            reasonCode: PauseReason,
          },
          {
            description:
              'The operator has paused payouts on the rail, so Corridor does not hand the payment over. It continues by itself once the pause is lifted.',
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
          description: '`YES`: you can repeat the request; it had no idempotency key and needs none.',
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
          'Number of decimals of each currency in the explanation. Absent if it contains no amount.',
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
            'Available balance of each internal account before and after this payment. Leaves out an account if its events are no longer kept, or if another payment moved it at the same moment.',
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
        actor: Type.Optional(Type.String({ description: 'Caller: id of a token, agent or operator.' })),
        requestId: Type.Optional(Type.String({ description: 'Value of `X-Request-Id` in the response.' })),
        idempotencyKey: Type.Optional(
          Type.String({
            description: 'A value that is the same for equal `Idempotency-Key` headers; not the key itself.',
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
            description: 'Due or expected time. Null: no future time is known.',
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
    'Explains quotes, transactions (not card transactions) and internal accounts: the calculation of each amount, the postings, the events, who has to act next, and whether a retry is safe. For a webhook, the explanation lists the attempts and recommends what to do. For a request, identified by its `X-Request-Id`, the explanation shows the response, the resource that it affected and what to do next. Ids of other resources, such as cards, customers and external accounts, are 404. With `Accept: text/markdown` the response is prose for a support ticket. Reads only stored data: contacts no third party and changes nothing.',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ id: Type.String() }),
  responses: { 200: Explanation },
  errors: ['REFERENCE_NOT_FOUND'],
  asMarkdown: (body) => explanationMarkdown(body as Explanation),
  extension: true,
})
