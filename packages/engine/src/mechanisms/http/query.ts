import { toTimestamp } from '@corridor/kernel'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { TObject, TSchema } from 'typebox'
import { isText } from './fields.ts'
import type { Check } from './validate.ts'

interface Parameter {
  readonly name: string
  readonly type: unknown
  readonly isRepeatable: boolean
  readonly isTime: boolean
}

/**
 * The check of a query, which also brings it into one form, so that routes, and the filters that cursors
 * are bound to, do not depend on how it was written: undeclared parameters are dropped (conventions 4),
 * values of a repeatable one come once each and in order, and times are in UTC.
 */
export function toQueryCheck(schema: TSchema, validate: ValidateFunction): Check {
  const { properties } = schema as TObject
  const parameters = Object.entries(properties).map(([name, field]) => toParameter(name, field))
  return (value) => {
    const query = value as Record<string, unknown>
    for (const name of Object.keys(query)) if (!Object.hasOwn(properties, name)) delete query[name]
    for (const { name, type } of parameters) {
      // The validator would read 0x10 and 1e1 as numbers; it refuses a blank.
      const text = query[name]
      if (type === 'integer' && typeof text === 'string' && !/^-?\d+$/.test(text)) query[name] = ''
    }
    const errors = validate(query)
      ? []
      : (validate.errors ?? []).slice(0, 1000).map((error) => named(error, parameters))
    for (const { name } of parameters) if (![query[name]].flat().every(isText)) errors.push(notText(name))
    if (errors.length > 0) return errors
    for (const parameter of parameters) normalize(query, parameter)
    return undefined
  }
}

function toParameter(name: string, field: TSchema): Parameter {
  const { type, format } = field as { type?: unknown; format?: unknown }
  return { name, type, isRepeatable: 'x-repeatable' in field, isTime: format === 'date-time' }
}

function normalize(query: Record<string, unknown>, { name, isRepeatable, isTime }: Parameter): void {
  const value = query[name]
  if (isRepeatable && Array.isArray(value)) query[name] = [...new Set(value)].sort()
  if (isTime && typeof value === 'string') query[name] = toTimestamp(Date.parse(value))
}

/** A wrong value of several is an error of the parameter. */
function named(error: ErrorObject, parameters: readonly Parameter[]): ErrorObject {
  const [, name = ''] = error.instancePath.split('/')
  const isRepeatable = parameters.some((parameter) => parameter.name === name && parameter.isRepeatable)
  if (isRepeatable) return { ...error, instancePath: `/${name}` }
  const isRepeated = error.keyword === 'type' && Array.isArray(error.data)
  return isRepeated ? { ...error, message: 'may be given only once' } : error
}

function notText(name: string): ErrorObject {
  const message = 'contains control characters'
  return { keyword: 'text', instancePath: `/${name}`, schemaPath: '', params: {}, message }
}
