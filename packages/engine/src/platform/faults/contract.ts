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
      description: 'Id of an operation that platforms call. Only for the target API.',
      examples: ['createQuote'],
    }),
    railId: word({
      description: 'Name of the rail, as in transactions. Only for the target RAIL.',
      examples: ['SPEI'],
    }),
    eventType: word({
      description: 'Event type. Only for the target WEBHOOK.',
      examples: ['OUTGOING_PAYMENT.COMPLETED'],
    }),
    customerId: word({
      description:
        'Customer that the request or event names, or owner of the payment, submission, document or message. For the targets API, RAIL, WEBHOOK, RATES, IDENTITY, UMA and MESSAGING.',
    }),
    accountId: word({
      description:
        'Account that the request or quote names, or account on the rail. Only for the targets API, RAIL and RATES.',
    }),
    minAmount: whole(0, Number.MAX_SAFE_INTEGER, {
      description:
        'Minimum amount in minor units. If a request has several amounts, the largest amount counts. Only for the targets API, RAIL and RATES.',
    }),
  },
  { $id: 'SandboxFaultMatch', description: 'Conditions for a hit. All conditions must match.' },
)

const FaultParams = Type.Object(
  {
    ms: whole(1, 30_000, {
      description:
        'Delay of LATENCY in milliseconds. For the target WEBHOOK, Corridor measures the delay on the sandbox clock.',
    }),
    distribution: Type.Optional(
      enumOf(['FIXED', 'LONG_TAILED'], {
        description:
          'Distribution of the LATENCY delay. FIXED delays each hit by the same time. LONG_TAILED doubles the delay of every second hit, doubles it again for every fourth hit, and so on.',
      }),
    ),
    bytesPerSecond: whole(1, 1_000_000, { description: 'Speed of SLOW_BODY in bytes per second.' }),
    status: whole(400, 599, { description: 'Response status of ERROR. Default: the status of `code`.' }),
    code: word({
      description:
        'Error code of ERROR. Default: the code of `status`, or INTERNAL_ERROR if `status` is absent.',
    }),
    retryAfter: whole(1, 3_600, {
      description: 'Value of the Retry-After header for RATE_LIMITED, in seconds. Default: 1.',
    }),
    copies: whole(2, 10, { description: 'Total number of copies for DUPLICATE. Default: 2.' }),
    order: Type.Optional(
      enumOf(['ONE_BY_ONE', 'AT_ONCE'], {
        description: 'Order of the copies for DUPLICATE. Default: ONE_BY_ONE.',
      }),
    ),
    seconds: whole(1, 2_592_000, {
      description:
        'Seconds on the sandbox clock. For DELAY, the time until the rail reports or Corridor sends the event. For REORDER, the maximum wait of the first event or payment, default 10. For OUTCOME, the time until the bank returns the payment. For the target WEBHOOK, the maximum is 518400.',
    }),
    outcome: Type.Optional(
      enumOf(['002', '003', '004', '005', '006', '007'], {
        description: 'Account ending whose effect OUTCOME forces. With `seconds`, the value must be `005`.',
      }),
    ),
    bps: whole(-9_000, 90_000, {
      description:
        'Change of the US dollar against each other currency for RATE_SHOCK, in hundredths of a percent.',
    }),
    n: whole(2, 20, { description: 'Number of events or payments whose order REORDER changes.' }),
  },
  { $id: 'SandboxFaultParams' },
)

const asked = {
  kind: FaultKind,
  target: FaultTarget,
  match: Type.Optional(FaultMatch),
  probability: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: 1,
      description: 'Probability of a hit for each match.',
    }),
  ),
  times: whole(1, 1_000_000, { description: 'Maximum number of hits. If absent, there is no maximum.' }),
  after: whole(0, 1_000_000, { default: 0, description: 'Number of matches to skip first.' }),
  until: Type.Optional(timestamp({ description: 'End of the fault, on the sandbox clock.' })),
  seed: Type.Optional(
    Type.String({
      maxLength: 64,
      default: '',
      description: 'Seed of the random choice if the probability is below 1.',
    }),
  ),
  params: Type.Optional(FaultParams),
  hidden: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'If true, the affected responses and webhooks have no `X-Corridor-Fault` header, and explanations do not mention the fault.',
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
      Type.String({
        maxLength: 64,
        default: '',
        description: 'Seed for faults without a seed of their own.',
      }),
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
    seen: Type.Integer({ description: 'Number of matches so far, with or without a hit.' }),
    hits: Type.Integer({ description: 'Number of hits so far.' }),
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
        'Target of the hit, which is a transaction, an event, or an operation with a hash of its Idempotency-Key or path.',
    }),
    requestId: nullable(Type.String({ description: 'Id of the request, if the fault hit a request.' })),
    operationId: nullable(Type.String({ description: 'Operation of the request that the fault hit.' })),
    createdAt: timestamp({ description: 'Time on the sandbox clock.' }),
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
  summary: 'Create a fault',
  description:
    'A fault makes one target fail in this sandbox: the API, a rail, the webhooks, the rates, other institutions, the identity checks or the messages. A fault changes the responses and events that the platform receives, but never its ledger. This operation rejects unknown field names. Faults never affect the fault operations. Other processes of the installation apply a new fault within two seconds.',
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
  summary: 'Create faults from a file',
  description:
    'Creates all faults in the file, or no fault if any of them is invalid or the total would exceed 100. This operation rejects unknown field names. In a sandbox with a seed (`dev --seed`), the same file has the same hits if you load it at the same point in the same sequence of requests.',
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
  summary: 'List faults',
  description: 'Faults that have ended stay in the list until you delete them.',
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
  summary: 'List the hits of a fault',
  description:
    'Corridor keeps about 10,000 of the latest hits in the sandbox for seven days. A hit that decides the outcome of a payment is kept until the payment ends.',
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
  summary: 'Delete a fault',
  description:
    'If the fault silenced a rail, the rail reports again. If the fault forced the outcome of a payment, the payment keeps the outcome.',
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
  summary: 'Delete all faults',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  responses: { 204: null },
  errors: [],
  extension: true,
  isFaultless: true,
})
