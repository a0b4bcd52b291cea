import type { FieldConstraint, FieldError } from '@corridor/kernel'
import type { ErrorObject } from 'ajv'
import { type Failure, failFields } from './errors.ts'

/**
 * Turns the validator's errors into one failure with every wrong field, in schema order (conventions 12).
 * A numeric amount that is zero, negative, fractional or too large answers INVALID_AMOUNT, unless another
 * field is wrong as well. `checked` are the errors of the route's own check; the schema's go first.
 */
export function toFieldFailure(errors: readonly ErrorObject[], checked: readonly FieldError[] = []): Failure {
  const fields = new Map<string, { error: FieldError; isAmount: boolean }>()
  for (const error of errors) {
    if (wrappers.has(error.keyword)) continue
    const field = fieldOf(error)
    const found = { error: { field, ...describe(error) }, isAmount: isAmountError(error) }
    const known = fields.get(field)
    // Several rules of one field are one error; what is said about its type weighs most.
    if (!known || error.keyword === 'type') fields.set(field, found)
  }
  for (const error of checked) {
    if (!fields.has(error.field)) fields.set(error.field, { error, isAmount: false })
  }
  const found = [...fields.values()]
  const onlyAmounts = found.length > 0 && found.every(({ isAmount }) => isAmount)
  return failFields(
    found.map(({ error }) => error),
    onlyAmounts ? 'INVALID_AMOUNT' : 'INVALID_INPUT',
  )
}

/** Keywords that only repeat what their branches say. */
const wrappers = new Set(['if', 'oneOf', 'anyOf', 'allOf'])

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.keyword === 'discriminator') path.push(String(error.params.tag))
  return path.join('.')
}

function isAmountError(error: ErrorObject): boolean {
  const schema = error.parentSchema as Record<string, unknown> | undefined
  if (schema?.['x-amount'] !== true) return false
  const isNumber = typeof error.data === 'number' && Number.isFinite(error.data)
  return isNumber && ['type', 'minimum', 'maximum'].includes(error.keyword)
}

function describe(error: ErrorObject): { message: string; constraint?: FieldConstraint } {
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return { message: 'is required' }
    case 'enum':
      return {
        message: 'is not one of the allowed values',
        constraint: { enum: allowed(params.allowedValues) },
      }
    case 'const':
      return { message: 'is not the allowed value', constraint: { enum: [String(params.allowedValue)] } }
    case 'discriminator':
      return { message: 'is not one of the allowed values', constraint: { enum: tagValues(error) } }
    case 'format':
      return { message: `is not a valid ${params.format}`, constraint: { format: String(params.format) } }
    case 'pattern':
      return { message: 'does not have the required form', constraint: { pattern: String(params.pattern) } }
    case 'minLength':
      return { message: 'is too short', constraint: { minLength: Number(params.limit) } }
    case 'maxLength':
      return { message: 'is too long', constraint: { maxLength: Number(params.limit) } }
    default:
      return { message: error.message ?? 'is not valid' }
  }
}

function allowed(values: unknown): string[] {
  return (values as unknown[]).filter((value) => value !== null).map(String)
}

/** The tag values of a union, read from its resolved variants. */
function tagValues(error: ErrorObject): string[] {
  const { tag } = error.params as { tag: string }
  const union = error.parentSchema as { 'x-tags'?: string[] } | undefined
  return union?.['x-tags'] ?? [tag]
}
