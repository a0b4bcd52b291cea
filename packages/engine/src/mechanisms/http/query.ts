import { toTimestamp } from '@corridor/kernel'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { TObject, TSchema } from 'typebox'
import type { Operation } from '../../vocabulary/operation.ts'
import { containsCharacter, controlCharacterOf } from './fields.ts'
import type { Check } from './validate.ts'

interface Parameter {
  readonly name: string
  readonly type: unknown
  readonly isRepeatable: boolean
  readonly isTime: boolean
  /** The parameter that it is given instead of. */
  readonly excludes: string | undefined
}

/**
 * Values by parameter. Many HTTP clients write an array as `status[]=A` or `status[0]=A`; a filter under such a
 * name must not be ignored, because the list would then contain everything.
 */
export function byParameter(
  query: Readonly<Record<string, unknown>>,
  { query: schema, refusedQuery }: Pick<Operation, 'query' | 'refusedQuery'>,
): Record<string, unknown> {
  const declared = { ...(schema as TObject | undefined)?.properties, ...refusedQuery }
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) {
    const parameter = parameterOf(name)
    if (!Object.hasOwn(declared, parameter)) continue
    values[parameter] = Object.hasOwn(values, parameter) ? [values[parameter], value].flat() : value
  }
  return values
}

function parameterOf(name: string): string {
  const bracket = name.indexOf('[')
  return bracket < 0 ? name : name.slice(0, bracket)
}

/**
 * The check of a query, which also brings it into one form, so that routes, and the filters that cursors
 * are bound to, do not depend on how it was written: values of a repeatable one come once each and in order,
 * and times are in UTC. Of two that exclude each other both are wrong when both are given.
 */
export function toQueryCheck(schema: TSchema, validate: ValidateFunction): Check {
  const { properties } = schema as TObject
  const parameters = Object.entries(properties).map(([name, field]) => toParameter(name, field))
  return (value) => {
    const query = value as Record<string, unknown>
    for (const { name, type } of parameters) {
      // The validator would read 0x10 and 1e1 as numbers; it refuses a blank.
      const text = query[name]
      if (type === 'integer' && typeof text === 'string' && !/^-?\d+$/.test(text)) query[name] = ''
    }
    const errors = validate(query)
      ? []
      : (validate.errors ?? []).slice(0, 1000).map((error) => named(error, parameters))
    for (const { name, excludes } of parameters) {
      const character = [query[name]].flat().map(controlCharacterOf).find(Boolean)
      if (character !== undefined) errors.push(wrong(name, containsCharacter(character)))
      if (excludes !== undefined && query[name] !== undefined && query[excludes] !== undefined)
        errors.push(wrong(name, `must not be given together with ${excludes}`))
    }
    if (errors.length > 0) return errors
    for (const parameter of parameters) normalize(query, parameter)
    return undefined
  }
}

function toParameter(name: string, field: TSchema): Parameter {
  const { type, format, 'x-excludes': excludes } = field as Partial<Record<string, string>>
  return { name, type, isRepeatable: 'x-repeatable' in field, isTime: format === 'date-time', excludes }
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
  return isRepeated ? { ...error, message: 'can be sent only once' } : error
}

function wrong(name: string, message: string): ErrorObject {
  return { keyword: 'query', instancePath: `/${name}`, schemaPath: '', params: {}, message }
}
