import Type, {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TUnsafe,
} from 'typebox'

/**
 * The pieces that contracts are made of. A schema with an `$id` is a named component: embed it by
 * value, and `components.ts` turns it into a reference wherever schemas leave the program.
 */

/** A closed list of upper-case words (conventions 4). `type` is spelled out for readers of the document. */
export function enumOf<const V extends string[]>(values: readonly [...V], options?: TSchemaOptions) {
  return Type.Enum(values, { type: 'string', ...options })
}

/** Some words of a longer list, or one: what a variant of a union, or a family of events, allows. */
export function partOf<const V extends string[]>(list: TSchema, ...words: V) {
  const [only] = words
  const allowed = words.length === 1 ? { const: only } : { enum: words }
  return Type.Unsafe<V[number]>({ type: 'string', ...allowed, allOf: [list] })
}

/**
 * A value that may also be null. Scalars keep one flat schema, so that a wrong value is one error and
 * not one per branch; objects become a union with null.
 */
export function nullable<S extends TSchema>(schema: S) {
  const { $id: _, ...plain } = schema as TSchema & Record<string, unknown>
  if (typeof plain.type !== 'string' || plain.type === 'object') {
    return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
  }
  const values = Array.isArray(plain.enum) ? { enum: [...plain.enum, null] } : {}
  return Type.Unsafe<Static<S> | null>({ ...plain, type: [plain.type, 'null'], ...values })
}

/** The same optional fields for a PATCH, where null clears a scalar (customers 0.3). */
export function clearable<F extends TProperties>(fields: F) {
  const out: TProperties = {}
  for (const [name, field] of Object.entries(fields)) {
    const isScalar = (field as { type?: unknown }).type === 'string'
    out[name] = isScalar ? Type.Optional(nullable(field)) : field
  }
  return out as { [K in keyof F]: TOptional<TUnsafe<Clearable<Static<F[K]>>>> }
}

type Clearable<T> = T extends string ? T | null : T

/**
 * One of several objects, told apart by a field whose value is a literal (or a few) in each of them.
 * Every variant needs an `$id`, because the published union lists references (architecture 9).
 */
export function taggedUnion<V extends TSchema[]>(
  tag: string,
  variants: readonly [...V],
  options?: TSchemaOptions,
) {
  return Type.Unsafe<Static<V[number]>>({ discriminator: { propertyName: tag }, oneOf: variants, ...options })
}

/** An object with the fields of another and more; a field given again replaces the first one. */
export function extend<B extends TProperties, F extends TProperties>(
  base: TObject<B>,
  fields: F,
  options?: TSchemaOptions,
): TObject<Omit<B, keyof F> & F> {
  return Type.Object({ ...base.properties, ...fields } as Omit<B, keyof F> & F, options)
}

const uuid = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * The id of a resource in a body, a query or a response (conventions 3). Ids in paths are plain
 * strings, because a malformed one is a 404 and not a validation error.
 */
export function idOf<const K extends string>(...kinds: readonly K[]) {
  const prefix = kinds.length === 1 ? kinds[0] : `(${kinds.join('|')})`
  return Type.Unsafe<`${K}:${string}`>({
    type: 'string',
    pattern: `^${prefix}:${uuid}$`,
    examples: [`${kinds[0]}:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70`],
  })
}

/** Text of at most 255 characters, or as many as said: the default for names (conventions 4). */
export function nameText(options?: TSchemaOptions & { maxLength?: number }) {
  return Type.String({ minLength: 1, maxLength: 255, ...options })
}

/** Text of at most 512 characters: the default where nothing else is said (conventions 4). */
export function plainText(options?: TSchemaOptions) {
  return Type.String({ maxLength: 512, ...options })
}

/** Free text of at most 1024 characters (conventions 4). */
export function descriptionText(options?: TSchemaOptions) {
  return Type.String({ maxLength: 1024, ...options })
}

/** An absolute URL of at most 2048 characters (conventions 4). */
export function url(options?: TSchemaOptions) {
  return Type.String({ format: 'uri', maxLength: 2048, ...options })
}

/** What people are led to or shown: never a script, nor anything that others on the way can change. */
export function httpsUrl(options?: TSchemaOptions) {
  return url({ pattern: '^https://', ...options })
}

/** RFC 3339. Answers are in UTC with three fraction digits; any offset is accepted (conventions 5). */
export function timestamp(options?: TSchemaOptions) {
  return Type.String({ format: 'date-time', examples: ['2025-10-13T09:30:00.000Z'], ...options })
}

/** A day without a time, `YYYY-MM-DD`, that exists in the calendar (conventions 4). */
export function calendarDate(options?: TSchemaOptions) {
  return Type.String({ format: 'date', examples: ['1990-04-23'], ...options })
}

/** ISO 3166-1 alpha-2; lower case is accepted and stored in upper case (conventions 4). */
export function countryCode(options?: TSchemaOptions) {
  return Type.String({ minLength: 2, maxLength: 2, examples: ['US'], ...options })
}

/** An ISO 4217 code or the code of a crypto asset, in upper case. Whether it is offered is a rule. */
export function currencyCode(options?: TSchemaOptions) {
  return Type.String({ minLength: 1, maxLength: 16, examples: ['USD'], ...options })
}

/** E.164, with the leading plus (conventions 4). */
export function phoneNumber(options?: TSchemaOptions) {
  return Type.String({ pattern: '^\\+[1-9]\\d{1,14}$', examples: ['+14155551234'], ...options })
}

export function emailAddress(options?: TSchemaOptions) {
  return Type.String({ format: 'email', maxLength: 255, examples: ['ana.lopez@example.com'], ...options })
}

/** `$name@domain`. The syntax is a rule, because a wrong one answers INVALID_UMA_ADDRESS. */
export function umaAddress(options?: TSchemaOptions) {
  return Type.String({ maxLength: 512, examples: ['$ana@payments.example.com'], ...options })
}

/** The largest amount of a request (conventions 4). */
export const largestAmount = 9_000_000_000_000_000

/**
 * An amount in a request: a positive integer in the smallest unit of its currency. `x-amount` makes a
 * number that breaks this answer INVALID_AMOUNT; other types answer INVALID_INPUT (conventions 4).
 */
export function amountMinor(options?: TSchemaOptions & { minimum?: number; maximum?: number }) {
  return Type.Integer({
    minimum: 1,
    maximum: largestAmount,
    'x-amount': true,
    description: 'Amount in the smallest unit of the currency. The value 12550 is 125.50 USD.',
    examples: [12_550],
    ...options,
  })
}

/** An amount that may be zero: fees, limits, and totals in answers. */
export function unsignedMinor(options?: TSchemaOptions) {
  return Type.Integer({ minimum: 0, examples: [100], ...options })
}

/** An open object whose keys the caller or a counterparty chooses. */
export function openObject(options?: TSchemaOptions) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })
}

export const Currency = Type.Object(
  {
    code: currencyCode(),
    name: Type.String({ examples: ['United States Dollar'] }),
    symbol: Type.String({ examples: ['$'] }),
    decimals: Type.Integer({
      minimum: 0,
      description: 'Number of digits after the decimal point. With 2 decimals, the amount 12550 is 125.50.',
      examples: [2],
    }),
  },
  { $id: 'Currency' },
)
export type Currency = Static<typeof Currency>

export const CurrencyAmount = Type.Object(
  {
    amount: Type.Integer({ description: 'In the smallest unit of the currency.', examples: [12_550] }),
    currency: Currency,
  },
  { $id: 'CurrencyAmount' },
)
export type CurrencyAmount = Static<typeof CurrencyAmount>

/** A piece of information about a person or institution that a counterparty may ask for. */
export const CustomerInfoFieldName = enumOf(
  [
    'FULL_NAME',
    'BIRTH_DATE',
    'NATIONALITY',
    'PHONE_NUMBER',
    'EMAIL',
    'POSTAL_ADDRESS',
    'TAX_ID',
    'REGISTRATION_NUMBER',
    'USER_TYPE',
    'COUNTRY_OF_RESIDENCE',
    'ACCOUNT_IDENTIFIER',
    'FI_LEGAL_ENTITY_NAME',
    'FI_ADDRESS',
    'PURPOSE_OF_PAYMENT',
    'ULTIMATE_INSTITUTION_COUNTRY',
    'IDENTIFIER',
    'BUSINESS_TYPE',
    'COMPANY_LEGAL_NAME',
    'ID_TYPE',
    'ID_NUMBER',
  ],
  { $id: 'CustomerInfoFieldName' },
)
export type CustomerInfoFieldName = Static<typeof CustomerInfoFieldName>

export const CounterpartyFieldDefinition = Type.Object(
  {
    name: CustomerInfoFieldName,
    mandatory: Type.Boolean({ description: 'If true, payments without this field are rejected.' }),
  },
  { $id: 'CounterpartyFieldDefinition' },
)
export type CounterpartyFieldDefinition = Static<typeof CounterpartyFieldDefinition>

/** A fixed fee in the smallest unit of its currency. */
export const FixedFee = Type.Object(
  {
    amount: unsignedMinor({ description: 'In the smallest unit of the currency.' }),
    currency: currencyCode(),
  },
  { $id: 'FixedFee' },
)

export const SignedRequestChallenge = Type.Object(
  {
    payloadToSign: Type.String({
      description:
        'Sign exactly these bytes with the session key, then repeat the request with the signature.',
    }),
    requestId: idOf('Request'),
    expiresAt: timestamp(),
  },
  { $id: 'SignedRequestChallenge' },
)
export type SignedRequestChallenge = Static<typeof SignedRequestChallenge>

/** Why the people who run the installation decide as they do; kept with what they decided. */
export function operatorReason() {
  return plainText({ pattern: '\\S', description: 'Reason, stored with the decision.' })
}

/** The envelope of a paged list (conventions 7). `nextCursor` is present exactly when `hasMore` is true. */
export function listOf<I extends TSchema>($id: string, item: I) {
  return Type.Object(
    {
      data: Type.Array(item),
      hasMore: Type.Boolean(),
      nextCursor: Type.Optional(
        Type.String({ description: 'To read the next page, pass this value as `cursor`.' }),
      ),
      totalCount: Type.Integer({
        minimum: 0,
        description: 'Number of matches on all pages. A value of 10,000 can mean more.',
      }),
    },
    { $id },
  )
}

/** The answer of an operation of the operator that waits for a second person. */
export const Proposed = Type.Object(
  { id: idOf('Proposal'), status: Type.Literal('OPEN'), expiresAt: timestamp() },
  { $id: 'OperatorProposed', description: 'Another operator has to approve the proposal within a day.' },
)

/** Every list accepts these (conventions 7). Spread them into the query of an operation. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Maximum number of items per page.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'Value of `nextCursor` on the previous page. Keep the same filters.',
    }),
  ),
  sortOrder: Type.Optional(
    enumOf(['asc', 'desc'], {
      default: 'desc',
      description: 'Sort order by creation time. Default: newest first.',
    }),
  ),
}

/**
 * A filter of a list that may be repeated, which means any of the values (conventions 7). Routes always
 * receive an array, of different values in order; the document keeps the schema of one value.
 */
export function repeatable<S extends TSchema>(value: S) {
  return Type.Unsafe<readonly [Static<S>, ...Static<S>[]]>({
    type: 'array',
    items: value,
    minItems: 1,
    maxItems: 1000,
    'x-repeatable': true,
  })
}

/** Inclusive bounds on creation and change (conventions 7). */
export const timeFilters = {
  createdAfter: Type.Optional(timestamp({ description: 'Created at or after this time.' })),
  createdBefore: Type.Optional(timestamp({ description: 'Created at or before this time.' })),
  updatedAfter: Type.Optional(timestamp({ description: 'Changed at or after this time.' })),
  updatedBefore: Type.Optional(timestamp({ description: 'Changed at or before this time.' })),
}

/** Honoured on every POST and PATCH (conventions 6), declared where repeating would move money. */
export const idempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'If you repeat a request with the same key, Corridor returns the first response and does nothing else.',
    }),
  ),
})

/** The signature over the `payloadToSign` of a quote or of a challenge. */
export const walletSignature = {
  'Service-Wallet-Signature': Type.Optional(
    Type.String({ description: 'Signature of the session key over the exact `payloadToSign`.' }),
  ),
}

/** The headers of the second leg of a signed action (conventions 2.2). */
export const signedRetryHeaders = Type.Object({
  ...walletSignature,
  'Request-Id': Type.Optional(
    Type.String({ description: '`requestId` of the challenge to which this request responds.' }),
  ),
})
