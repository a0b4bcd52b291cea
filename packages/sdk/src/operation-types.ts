import type { operations } from './generated/api.ts'

/** The types of one operation, read off the published document. */

type Id = keyof operations

type Json<T> = T extends { content: infer C }
  ? C extends { 'application/json': infer J }
    ? J
    : undefined
  : never

/** The body of a request, as JSON. */
export type Body<O extends Id> = operations[O] extends { requestBody?: infer B }
  ? Json<NonNullable<B>>
  : never

/** The parameters after the `?`. */
export type Query<O extends Id> = NonNullable<operations[O]['parameters']['query']>

type Success = 200 | 201 | 202
type Responses<O extends Id> = operations[O]['responses']

/** The body of a success, or undefined where there is none. */
export type Answer<O extends Id> = {
  [S in keyof Responses<O>]: S extends Success ? Json<Responses<O>[S]> : S extends 204 ? undefined : never
}[keyof Responses<O>]

/** One entry of a list. */
export type Item<O extends Id> = Answer<O> extends { data: readonly (infer T)[] } ? T : never

export interface RequestOptions {
  /** Repeating a call with the same key has no second effect. Without it each call has a key of its own. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** For each attempt. Default: that of the client. */
  readonly timeoutMs?: number
  /** How often a failed attempt is repeated. Default: that of the client. */
  readonly maxRetries?: number
  /** Sent as they are, beside those of the client: `Service-Wallet-Signature`, `Request-Id`. */
  readonly headers?: Readonly<Record<string, string>>
}
