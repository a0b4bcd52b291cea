import Type, { type Static, type TSchemaOptions } from 'typebox'
import { faultKinds, faultParams } from '../../mechanisms/faults/fault.ts'
import { operation } from '../../vocabulary/operation.ts'
import {
  enumOf,
  idOf,
  listOf,
  nullable,
  paging,
  repeatable,
  timeFilters,
  timestamp,
} from '../../vocabulary/shapes.ts'

const tag = 'Sandbox'

const kinds = Object.keys(faultParams) as (keyof typeof faultParams)[]
const FaultKind = enumOf(kinds as [(typeof kinds)[number]], { $id: 'SandboxFaultKind' })
const FaultTarget = enumOf(Object.keys(faultKinds) as [keyof typeof faultKinds], {
  $id: 'SandboxFaultTarget',
})

const word = (options?: TSchemaOptions) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, ...options }))
const whole = (minimum: number, maximum: number, options?: TSchemaOptions) =>
  Type.Optional(Type.Integer({ minimum, maximum, ...options }))

const FaultMatch = Type.Object(
  {
    operationId: word({
      description: 'API: that of the reference, of one that platforms call.',
      examples: ['createQuote'],
    }),
    railId: word({ description: 'RAIL: as transactions name it.', examples: ['SPEI'] }),
    eventType: word({ description: 'WEBHOOK.', examples: ['OUTGOING_PAYMENT.COMPLETED'] }),
    customerId: word({
      description:
        'API, RAIL, WEBHOOK, RATES, IDENTITY, UMA, MESSAGING: whom a request or an event names, or whose payment, submission, document or message it is.',
    }),
    accountId: word({
      description: 'API, RAIL, RATES: one that a request or a quote names, or that the rail reaches.',
    }),
    minAmount: whole(0, Number.MAX_SAFE_INTEGER, {
      description: 'API, RAIL, RATES: in minor units; of a request that names several the largest counts.',
    }),
  },
  { $id: 'SandboxFaultMatch', description: 'What it is meant for; all that is given must be so.' },
)

const FaultParams = Type.Object(
  {
    ms: whole(1, 30_000, {
      description: 'LATENCY: milliseconds; for WEBHOOK on the clock of the sandbox.',
    }),
    distribution: Type.Optional(
      enumOf(['FIXED', 'LONG_TAILED'], {
        description:
          'LATENCY: always as long, or twice as long for every other, four times for every fourth, and so on.',
      }),
    ),
    bytesPerSecond: whole(1, 1_000_000, { description: 'SLOW_BODY.' }),
    status: whole(400, 599, { description: 'ERROR: of the answer; by its code when absent.' }),
    code: word({
      description: 'ERROR: of the answer; by its status when absent, and INTERNAL_ERROR without either.',
    }),
    retryAfter: whole(1, 3_600, { description: 'RATE_LIMITED: seconds; 1 when absent.' }),
    copies: whole(2, 10, { description: 'DUPLICATE: how often in all; 2 when absent.' }),
    order: Type.Optional(
      enumOf(['ONE_BY_ONE', 'AT_ONCE'], { description: 'DUPLICATE: ONE_BY_ONE when absent.' }),
    ),
    seconds: whole(1, 2_592_000, {
      description:
        'On the clock of the sandbox. DELAY: until there is word, or an event is sent. REORDER: for how long the first of them waits; 10 when absent. OUTCOME: until the payment is returned. For WEBHOOK at most 518400.',
    }),
    outcome: Type.Optional(
      enumOf(['002', '003', '004', '005', '006', '007'], {
        description: 'OUTCOME: the ending of an account that does the same. With `seconds` always `005`.',
      }),
    ),
    bps: whole(-9_000, 90_000, {
      description:
        'RATE_SHOCK: how much more a US dollar buys of each other currency, in hundredths of a percent.',
    }),
    n: whole(2, 20, { description: 'REORDER: how many events or payments change places with each other.' }),
  },
  { $id: 'SandboxFaultParams' },
)

const asked = {
  kind: FaultKind,
  target: FaultTarget,
  match: Type.Optional(FaultMatch),
  probability: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1, default: 1, description: 'Of each that it fits.' }),
  ),
  times: whole(1, 1_000_000, { description: 'How often it hits. Absent: until it is deleted.' }),
  after: whole(0, 1_000_000, { default: 0, description: 'How many that it fits are let pass first.' }),
  until: Type.Optional(timestamp({ description: 'When it ends, on the clock of the sandbox.' })),
  seed: Type.Optional(
    Type.String({
      maxLength: 64,
      default: '',
      description: 'What is drawn where the probability is less than 1.',
    }),
  ),
  params: Type.Optional(FaultParams),
  hidden: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether `X-Corridor-Fault` is left out of the answers and webhooks that it hits, and explanations say nothing of it.',
    }),
  ),
}

export const SandboxFaultCreateRequest = Type.Object(asked, { $id: 'SandboxFaultCreateRequest' })
/** What a fault may be given, by name; of a match and of parameters too. */
export const faultNames = {
  '': Object.keys(asked),
  match: Object.keys(FaultMatch.properties),
  params: Object.keys(FaultParams.properties),
} as const
export type SandboxFaultCreateRequest = Static<typeof SandboxFaultCreateRequest>

/** As many as a sandbox may have: each is looked at for every request. */
export const mostInFile = 100

export const SandboxFaultFile = Type.Object(
  {
    seed: Type.Optional(
      Type.String({ maxLength: 64, default: '', description: 'Of those that name none of their own.' }),
    ),
    faults: Type.Array(SandboxFaultCreateRequest, { minItems: 1, maxItems: mostInFile }),
  },
  { $id: 'SandboxFaultFile' },
)
export type SandboxFaultFile = Static<typeof SandboxFaultFile>

export const SandboxFault = Type.Object(
  {
    id: idOf('Fault'),
    kind: FaultKind,
    target: FaultTarget,
    match: FaultMatch,
    probability: Type.Number(),
    times: Type.Optional(Type.Integer()),
    after: Type.Integer(),
    until: Type.Optional(timestamp()),
    seed: Type.String(),
    params: FaultParams,
    hidden: Type.Boolean(),
    seen: Type.Integer({ description: 'How many it fitted so far.' }),
    hits: Type.Integer({ description: 'How many of them it hit.' }),
    createdAt: timestamp(),
  },
  { $id: 'SandboxFault' },
)
export type SandboxFault = Static<typeof SandboxFault>

export const SandboxFaultActivation = Type.Object(
  {
    id: Type.String(),
    faultId: idOf('Fault'),
    kind: FaultKind,
    target: FaultTarget,
    subject: Type.String({
      description:
        'What it hit: a transaction, an event, or an operation with a hash of its Idempotency-Key or its path.',
    }),
    requestId: nullable(Type.String({ description: 'Of the request, where it hit one.' })),
    operationId: nullable(Type.String({ description: 'Of that request.' })),
    createdAt: timestamp({ description: 'On the clock of the sandbox.' }),
  },
  { $id: 'SandboxFaultActivation' },
)
export type SandboxFaultActivation = Static<typeof SandboxFaultActivation>

const faultPath = Type.Object({ faultId: Type.String() })

export const createSandboxFault = operation({
  id: 'createSandboxFault',
  method: 'POST',
  path: '/sandbox/faults',
  tag,
  summary: 'Make something fail on purpose',
  description:
    'From then on the API, a rail, the webhooks, the rates, other institutions, who decides about customers or the messages fail as said, in this sandbox alone: what is heard of the platform changes, its books never do. Names that are not known are wrong here, beside the others too. The operations of faults never fail. Where several processes serve one installation the others know it within two seconds.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  body: SandboxFaultCreateRequest,
  responses: { 201: SandboxFault },
  errors: ['CONFLICT'],
  extension: true,
  isFaultless: true,
  example: {
    kind: 'LOST_ANSWER',
    target: 'API',
    match: { operationId: 'createQuote' },
    times: 1,
  },
})

export const applySandboxFaults = operation({
  id: 'applySandboxFaults',
  method: 'POST',
  path: '/sandbox/faults/apply',
  tag,
  summary: 'Make all faults of a file',
  description:
    'All of them or, where one is wrong or there would be more than a hundred, none. Names that are not known are wrong here. In a sandbox with a seed (`dev --seed`) the same file, given at the same place among the same requests, hits the same.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  body: SandboxFaultFile,
  responses: { 201: Type.Object({ data: Type.Array(SandboxFault) }, { $id: 'SandboxFaults' }) },
  errors: ['CONFLICT'],
  extension: true,
  isFaultless: true,
  example: {
    seed: '41',
    faults: [
      { kind: 'LOST_ANSWER', target: 'API', match: { operationId: 'executeQuote' }, probability: 0.3 },
      { kind: 'REORDER', target: 'WEBHOOK', params: { n: 3 } },
    ],
  },
})

export const listSandboxFaults = operation({
  id: 'listSandboxFaults',
  method: 'GET',
  path: '/sandbox/faults',
  tag,
  summary: 'List what fails on purpose',
  description: 'Those that are over too, until they are deleted.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  query: Type.Object({
    kind: Type.Optional(repeatable(FaultKind)),
    target: Type.Optional(repeatable(FaultTarget)),
    createdAfter: timeFilters.createdAfter,
    createdBefore: timeFilters.createdBefore,
    ...paging,
  }),
  responses: { 200: listOf('SandboxFaultListResponse', SandboxFault) },
  errors: [],
  extension: true,
  isFaultless: true,
})

export const getSandboxFault = operation({
  id: 'getSandboxFault',
  method: 'GET',
  path: '/sandbox/faults/{faultId}',
  tag,
  summary: 'Read a fault',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  params: faultPath,
  responses: { 200: SandboxFault },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
  isFaultless: true,
})

export const listSandboxFaultActivations = operation({
  id: 'listSandboxFaultActivations',
  method: 'GET',
  path: '/sandbox/faults/{faultId}/activations',
  tag,
  summary: 'List what a fault has hit',
  description:
    'The latest 10,000 of the sandbox or somewhat more, for seven days; those that say what becomes of a payment as long as it is under way.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  params: faultPath,
  query: Type.Object({ ...paging }),
  responses: { 200: listOf('SandboxFaultActivationListResponse', SandboxFaultActivation) },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
  isFaultless: true,
})

export const deleteSandboxFault = operation({
  id: 'deleteSandboxFault',
  method: 'DELETE',
  path: '/sandbox/faults/{faultId}',
  tag,
  summary: 'End a fault',
  description:
    'A rail that was silent because of it is heard again; an outcome that was forced on a payment stays what it is.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  params: faultPath,
  responses: { 204: null },
  errors: ['REFERENCE_NOT_FOUND'],
  extension: true,
  isFaultless: true,
})

export const deleteSandboxFaults = operation({
  id: 'deleteSandboxFaults',
  method: 'DELETE',
  path: '/sandbox/faults',
  tag,
  summary: 'End all faults',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  responses: { 204: null },
  errors: [],
  extension: true,
  isFaultless: true,
})
