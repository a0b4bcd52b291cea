import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { PauseReason } from '../../vocabulary/pause-reason.ts'
import { enumOf, idOf, nullable, timestamp } from '../../vocabulary/shapes.ts'
import { explanationMarkdown } from './markdown.ts'

const ratio = (description: string) => Type.String({ pattern: '^-?\\d+(/\\d+)?$', description })

const Amount = Type.Object(
  {
    amount: Type.String({
      pattern: '^-?\\d+$',
      description: 'Minor units; as text, so that it stays exact.',
    }),
    currency: Type.String(),
  },
  { $id: 'ExplainedAmount' },
)

const Step = Type.Object(
  {
    step: Type.Integer({ minimum: 1 }),
    name: Type.String({ description: 'What the result is; later formulas call it so.' }),
    formula: Type.String({ description: 'Over the names in `inputs`, with + − × ÷ and brackets.' }),
    inputs: Type.Record(Type.String(), ratio('Exact.')),
    exact: ratio('What the formula comes to before it is rounded.'),
    rounding: enumOf(['NONE', 'FLOOR', 'CEIL', 'HALF_UP']),
    result: Amount,
    residue: Type.Optional(
      Type.Object({
        exact: ratio('What rounding left over, in minor units.'),
        goesTo: Type.String({ description: 'The ledger account it stays in.' }),
      }),
    ),
    rule: Type.String({ description: 'Why it is computed so.' }),
  },
  { $id: 'ExplanationStep' },
)
export type ExplanationStep = Static<typeof Step>

const Journal = Type.Object(
  {
    id: Type.String(),
    step: Type.String(),
    at: timestamp(),
    reverses: nullable(Type.String({ description: 'The posting that it ends, of a hold.' })),
    postings: Type.Array(
      Type.Object({
        kind: enumOf(['POSTED', 'PENDING', 'POST_PENDING', 'VOID_PENDING']),
        from: Type.String({ description: 'The ledger account that is debited.' }),
        to: Type.String({ description: 'The ledger account that is credited.' }),
        value: Amount,
        why: Type.String({ description: 'What the credited account is for.' }),
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
        Type.String({ description: 'Of a request: what it was about, and what is told.' }),
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
            since: timestamp({ description: 'When it was held back, on the clock of its environment.' }),
            reasonCode: PauseReason,
          },
          {
            description:
              'Nothing hands it to its rail: the operator has paused payouts there. It goes on by itself once that is lifted.',
          },
        ),
      ),
      expectedBy: nullable(timestamp()),
      overdue: Type.Boolean(),
      cancellable: Type.Boolean({
        description: 'Whether `POST /transactions/{transactionId}/cancel` may still stop it.',
      }),
      safeToRetry: Type.Object({
        answer: enumOf(['YES', 'YES_SAME_KEY', 'YES_NEW_QUOTE', 'NO'], {
          description: '`YES`: it had no key, and needs none.',
        }),
        why: Type.String(),
      }),
    }),
    derivation: Type.Array(Step),
    rate: Type.Optional(
      Type.Object({
        exact: ratio('Receiving minor units for one sending minor unit.'),
        source: Type.String(),
        lockedAt: timestamp(),
        expiresAt: timestamp(),
      }),
    ),
    currencies: Type.Optional(
      Type.Array(Type.Object({ code: Type.String(), decimals: Type.Integer({ minimum: 0 }) }), {
        description:
          'How many decimals each currency has that is named here; absent where no amount is told.',
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
                step: Type.String({ description: 'The journal that changed it.' }),
                at: timestamp(),
                before: Type.String({ pattern: '^-?\\d+$', description: 'Minor units, as text.' }),
                after: Type.String({ pattern: '^-?\\d+$', description: 'Minor units, as text.' }),
              }),
            ),
          },
          { $id: 'ExplainedBalance' },
        ),
        {
          description:
            'What could be spent of each internal account before and after this payment moved it. An account is left out where events no longer tell it, or another payment moved it at the same moment.',
        },
      ),
    ),
    timeline: Type.Array(
      Type.Object({
        at: timestamp(),
        kind: enumOf(['REQUEST', 'TRANSITION', 'HOLD', 'RAIL', 'FAULT', 'CLOCK', 'OPERATOR', 'WEBHOOK']),
        text: Type.String(),
        actor: Type.Optional(
          Type.String({ description: 'Who asked: a token, an agent or an operator by its id.' }),
        ),
        requestId: Type.Optional(Type.String({ description: 'That of the `X-Request-Id` of the answer.' })),
        idempotencyKey: Type.Optional(
          Type.String({ description: 'The same for the same `Idempotency-Key`; not the key itself.' }),
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
            description: 'When that is due or expected. Null: no moment that is still to come is known.',
          }),
        ),
        doNow: Type.Optional(Type.String({ description: 'The request that brings it on.' })),
      }),
    ),
    checks: Type.Array(Type.Object({ name: Type.String(), holds: Type.Boolean() })),
    unknown: Type.Array(Type.String(), { description: 'What is not on record and so is not told.' }),
  },
  { $id: 'Explanation' },
)
export type Explanation = Static<typeof Explanation>

export const explain = operation({
  id: 'explain',
  method: 'GET',
  path: '/explain/{id}',
  tag: 'Transactions',
  summary: 'Explain how an amount came about, or a delivery',
  description:
    'Of a quote, a transaction (other than of a card) or an internal account: how each amount was computed, what the ledger posted, what was told, who is waited for, and whether it is safe to try again. Of a webhook: what became of each attempt, and what to do. Of a request, by its `X-Request-Id`: how it was answered, what to do, and what it was about. Nothing else is explained: the id of a card, a card transaction, a customer, an external account or a stablecoin operation, say, is 404 also where there is one. `Accept: text/markdown` is answered with prose for a ticket. Told from what is on record; nobody is asked and nothing changes.',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ id: Type.String() }),
  responses: { 200: Explanation },
  errors: ['REFERENCE_NOT_FOUND'],
  asMarkdown: (body) => explanationMarkdown(body as Explanation),
  extension: true,
})
