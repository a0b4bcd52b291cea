import type { FieldConstraint } from '@corridor/kernel'
import type { ErrorObject } from 'ajv'
import { type Failure, type FieldErrorCode, type FieldProblem, failFields } from '../../vocabulary/errors.ts'
import { patternInWords } from './pattern-words.ts'

/**
 * Turns the validator's errors into one failure with every wrong field, in schema order (conventions 12).
 * A numeric amount that is zero, negative, fractional or too large answers INVALID_AMOUNT, unless another
 * field is wrong as well. `checked` are the errors of the route's own check; the schema's go first.
 */
export function toFieldFailure(
  errors: readonly ErrorObject[],
  checked: readonly FieldProblem[] = [],
): Failure {
  const fields = new Map<string, FieldProblem>()
  for (const error of errors) {
    if (wrappers.has(error.keyword)) continue
    const field = fieldOf(error)
    const code: FieldErrorCode = isAmountError(error) ? 'INVALID_AMOUNT' : 'INVALID_INPUT'
    // Several rules of one field are one error; what is said about its type weighs most.
    if (!fields.has(field) || error.keyword === 'type') fields.set(field, { field, ...describe(error), code })
    if (fields.size >= maxFields) break
  }
  for (const problem of checked) {
    if (fields.size >= maxFields) break
    if (!fields.has(problem.field)) fields.set(problem.field, problem)
  }
  return failProblems([...fields.values()])
}

/** What an answer names; the rest comes to light when these are put right. */
const maxFields = 100

/** One failure for wrong fields of perhaps several kinds. */
export function failProblems(problems: readonly FieldProblem[]): Failure {
  const codes = new Set(problems.map(({ code = 'INVALID_INPUT' }) => code))
  const [only] = codes
  const errors = problems.map(({ code: _code, details: _details, ...error }) => error)
  if (codes.size !== 1 || only === undefined) return failFields(errors)
  const failure = failFields(errors, only)
  const missing =
    only === 'MISSING_MANDATORY_USER_INFO' ? { missingFields: problems.map(({ field }) => field) } : {}
  const extra = Object.assign({}, ...problems.map(({ details }) => details ?? {}))
  return { ...failure, details: { ...failure.details, ...missing, ...extra } }
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
      return {
        message: params.tagValue === undefined ? 'is required' : 'is not one of the allowed values',
        constraint: { enum: tagValues(error) },
      }
    case 'format':
      return {
        message: formatInWords(String(params.format), error.data),
        constraint: { format: String(params.format) },
      }
    case 'pattern':
      return {
        message: patternInWords(String(params.pattern)),
        constraint: { pattern: String(params.pattern) },
      }
    case 'minLength':
      return { message: 'is too short', constraint: { minLength: Number(params.limit) } }
    case 'maxLength':
      return { message: 'is too long', constraint: { maxLength: Number(params.limit) } }
    default:
      return { message: error.message ?? 'is not valid' }
  }
}

/** What is wrong with a text of a format, where that can be said; `https://user:password@host` is one that is well-formed. */
function formatInWords(format: string, value: unknown): string {
  if (format === 'date') return 'is not a valid date: write YYYY-MM-DD, like 1990-04-23'
  if (format === 'date-time')
    return 'is not a valid time: write it with its offset, like 2025-10-13T09:30:00Z'
  if (format !== 'uri' || typeof value !== 'string') return `is not a valid ${format}`
  if (value.length <= maxUriCharacters && URL.canParse(value)) {
    const { username, password } = new URL(value)
    if (username !== '' || password !== '') return 'must not contain a user name or password'
  }
  return 'is not a valid uri: it must begin with a scheme, such as https://, and contain no spaces'
}

const maxUriCharacters = 2048

function allowed(values: unknown): string[] {
  return (values as unknown[]).filter((value) => value !== null).map(String)
}

/** The tag values of a union, read from its resolved variants. */
function tagValues(error: ErrorObject): string[] {
  const { tag } = error.params as { tag: string }
  const union = error.parentSchema as { 'x-tags'?: string[] } | undefined
  return union?.['x-tags'] ?? [tag]
}

/**
 * Fields whose text holds control characters, anywhere in a body (conventions 4). Line breaks and tabs
 * are allowed where people write several lines, and so is what turns the direction of text.
 */
export function controlCharacters(body: Readonly<Record<string, unknown>>): FieldProblem[] {
  const problems: FieldProblem[] = []
  const visit = (value: unknown, path: string, name: string): void => {
    if (problems.length >= maxFields) return
    if (typeof value === 'string') {
      const isMultiline = multiline.test(name)
      const refused = isMultiline ? controlExceptLines : control
      const found = refused.exec(value) ?? (isMultiline ? null : turning.exec(value))
      if (found) problems.push({ field: path, message: containsCharacter(found[0]) })
    } else if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value)
      for (const [key, member] of Object.entries(value)) {
        const at = path === '' ? key : `${path}.${key}`
        if (isText(key)) visit(member, at, isList ? name : key)
        else problems.push({ field: at, message: containsCharacter(control.exec(key)![0]) })
      }
    }
  }
  visit(body, '', '')
  return problems
}

/** Names the character, because nobody sees it in what was pasted. */
export function containsCharacter(character: string): string {
  const kind = turning.test(character) ? 'invisible' : 'control'
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `contains the ${kind} character U+${code}`
}

/** The first control character of a value of a query. */
export function controlCharacterOf(value: unknown): string | undefined {
  return typeof value === 'string' ? control.exec(value)?.[0] : undefined
}

/** Whether a key of a body is text: no control characters, no half characters. */
function isText(value: unknown): boolean {
  return typeof value !== 'string' || !control.test(value)
}

/** Half a surrogate pair is no character: no database takes it as text. */
const control = /[\p{Cc}\p{Cs}]/u
const controlExceptLines = /[^\P{Cc}\n\r\t]|\p{Cs}/u
/** What turns the direction of a line: with it a name is read as another one. Marks that names are written with are none. */
const turning = /[\u202a-\u202e\u2066-\u2069]/
const multiline = /description|bodyText/i
