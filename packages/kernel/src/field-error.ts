/** One wrong field of a request, as `details.errors[]` shows it (conventions 12). */
export interface FieldError {
  /** Dot path with array indexes: `currencies.1`, `accountInfo.beneficiary.birthDate`. */
  readonly field: string
  readonly message?: string
  readonly constraint?: FieldConstraint
}

export interface FieldConstraint {
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
}
