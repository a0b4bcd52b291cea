/** One operation of the published document, as the client calls it and the command line lists it. */
export interface OperationRow {
  /** How it is called: `customers.externalAccounts.create`. */
  readonly name: string
  /** Its `operationId`. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** With its parameters in braces. */
  readonly path: string
  readonly query?: readonly string[]
  readonly requiredQuery?: readonly string[]
  /** What the body is, where there is one. */
  readonly body?: 'json' | 'form'
  readonly requiredBody?: boolean
  /** Whether its body says of which environment it is. */
  readonly namesEnvironment?: boolean
  /** Whether it answers a list, which the client walks page by page. */
  readonly isList?: boolean
  /** Whether it is asked without credentials. */
  readonly isOpen?: boolean
  /** Whether it takes an Idempotency-Key. */
  readonly takesKey?: boolean
  readonly summary: string
}
