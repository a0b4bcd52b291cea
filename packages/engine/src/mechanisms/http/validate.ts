import { domainToASCII } from 'node:url'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormatsPlugin, { type FormatsPlugin } from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import type { Operation } from '../../vocabulary/operation.ts'
import { partsWithin, validatorComponents } from './components.ts'
import { createFormCompiler, type FormCompiler, type Uncompiled } from './form-compiler.ts'
import { toQueryCheck } from './query.ts'

/** The compiled forms of one operation's schemas. */
export interface CompiledOperation {
  readonly body?: Check
  readonly query?: Check
  /** By success status; absent for answers without a body. */
  readonly serialize: ReadonlyMap<number, (body: unknown) => string>
  /** Validates an answer; used by tests, where every answer is checked against its schema. */
  readonly checkReply: ReadonlyMap<number, Check>
}

/**
 * The forms of all operations of a process, compiled when they are first used. They know nothing of a database, so the servers of
 * all its worlds share them: to compile them anew would be half of what the first request of a fork takes.
 */
export interface SharedForms {
  readonly compiled: ReadonlyMap<Operation, CompiledOperation>
  readonly compiler: FormCompiler
}

export function shareForms(operations: readonly Operation[], { checkReplies = false } = {}): SharedForms {
  const uncompiled: Uncompiled = new Map()
  const compiled = compileOperations(operations, { checkReplies, uncompiled })
  return { compiled, compiler: createFormCompiler(uncompiled) }
}

/** Undefined when the value is as declared, else every error. */
export type Check = (value: unknown) => readonly ErrorObject[] | undefined

// The package is CommonJS: its callable export is the module itself for Node and `default` for bundlers.
const addFormats = ((addFormatsPlugin as { default?: FormatsPlugin }).default ??
  addFormatsPlugin) as FormatsPlugin

/**
 * Compiles the validators and serialisers of all operations: at once or, if `uncompiled` is given, each at its first call. `uncompiled`
 * then receives the functions that compile them earlier. Query values arrive as text and are
 * coerced; bodies are taken as they are. Serialisers drop fields the schema does not name.
 */
export function compileOperations(
  operations: readonly Operation[],
  { checkReplies = false, uncompiled }: { checkReplies?: boolean; uncompiled?: Uncompiled } = {},
): Map<Operation, CompiledOperation> {
  const components = validatorComponents()
  const plain = new Map<TSchema, object>()
  const refer = (schema: TSchema): object => {
    let known = plain.get(schema)
    if (!known) {
      known = components.reference(schema)
      plain.set(schema, known)
    }
    return known
  }
  for (const { body, query, responses } of operations) {
    for (const schema of [body, query, ...Object.values(responses)]) if (schema) refer(schema)
  }

  const parts = components.all()
  const forValidators = Object.values(parts).map((part) => forValidator(part) as object)
  const options = {
    allErrors: true,
    discriminator: true,
    strict: false,
    verbose: true,
    // Ours, and looked at where answers are checked, in tests: to look again took an eighth of a start.
    validateSchema: checkReplies,
  } as const
  const bodies = new Ajv({ ...options, useDefaults: true })
  const queries = new Ajv({ ...options, useDefaults: true, coerceTypes: 'array' })
  for (const ajv of [bodies, queries]) {
    addFormats(ajv, ['date', 'date-time', 'email', 'uri', 'ipv4', 'ipv6'])
    const isUri = ajv.formats.uri as (text: string) => boolean
    ajv.addFormat('uri', (text: string) => isUri(text) && !hasUserInformation(text))
    const isAsciiEmail = ajv.formats.email as RegExp
    ajv.addFormat('email', (text: string) => isEmail(text, (plain) => isAsciiEmail.test(plain)))
    const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
    ajv.addFormat('date-time', { validate: (text: string) => validate(text) && isStorable(text) })
    // A file in a form: its bytes are the route's to judge.
    ajv.addFormat('binary', true)
    for (const [name, { validate }] of Object.entries(ajv.formats as Record<string, { validate: unknown }>)) {
      if (typeof validate === 'function') ajv.addFormat(name, { validate: bounded(validate as never) })
    }
    ajv.addSchema(forValidators)
  }
  const serializerParts = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, forSerializer(part)]),
  )
  const check = (ajv: Ajv, schema: TSchema) => ajv.compile(forValidator(refer(schema)) as object)
  // A form of a large schema takes 0.1 s, and many operations return the same.
  const serializers = new Map<string, (value: unknown) => string>()
  const serializer = (schema: TSchema) => {
    const plain = forSerializer(refer(schema))
    const text = JSON.stringify(plain)
    let known = serializers.get(text)
    if (!known) {
      // It reads all parts that it is given, so it is given only the parts of this schema.
      known = fastJsonStringify(plain as never, { schema: partsWithin(serializerParts, plain) as never })
      serializers.set(text, known)
    }
    return known
  }

  /** Compile one part each, so that no single step takes long. Parts of parts come first. */
  const partSteps = new Map<string, () => void>()
  const stepsOf = (body: TSchema) =>
    Object.keys(partsWithin(parts, refer(body)))
      .reverse()
      .map((name) => {
        const step = partSteps.get(name) ?? (() => void bodies.getSchema(name))
        partSteps.set(name, step)
        return step
      })

  const compiled = new Map<Operation, CompiledOperation>()
  for (const operation of operations) {
    const later: (() => void)[] = uncompiled && operation.body ? stepsOf(operation.body) : []
    uncompiled?.set(operation, later)
    const compile: <A, R>(make: () => (value: A) => R) => (value: A) => R = uncompiled
      ? (make) => atFirstCall(make, later)
      : (make) => make()
    const { body, query, responses } = operation
    const serialize = new Map<number, (body: unknown) => string>()
    const checkReply = new Map<number, Check>()
    for (const [status, schema] of Object.entries(responses)) {
      if (!schema) continue
      serialize.set(
        Number(status),
        compile(() => serializer(schema)),
      )
      if (checkReplies)
        checkReply.set(
          Number(status),
          compile(() => toCheck(check(bodies, schema))),
        )
    }
    compiled.set(operation, {
      serialize,
      checkReply,
      ...(body ? { body: compile(() => toCheck(check(bodies, body))) } : {}),
      ...(query ? { query: compile(() => toQueryCheck(query, check(queries, query))) } : {}),
    })
  }
  return compiled
}

/** The function that `make` makes, at its first call or when what is added to `later` is called. */
function atFirstCall<A, R>(make: () => (value: A) => R, later: (() => void)[]): (value: A) => R {
  let made: ((value: A) => R) | undefined
  later.push(() => {
    made ??= make()
  })
  return (value) => {
    made ??= make()
    return made(value)
  }
}

function toCheck(validate: ValidateFunction): Check {
  return (value) => (validate(value) ? undefined : (validate.errors ?? []).slice(0, maxErrors))
}

/** Of one field there may be several; answers name a hundred fields. */
const maxErrors = 1000

/**
 * The same schema, in which a text is compared with patterns and formats only when its length is right, and a
 * list is gone through only when it is not too long: else one wrong field could cost as much as it likes.
 */
function forValidator(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forValidator)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) kept[keyword] = forValidator(value)
  // Or what is no object at all would pass for one of the union.
  if (kept.discriminator !== undefined) kept.type ??= 'object'
  // Published for its readers. Whoever sends none of them is told so by the check of the route, in one sentence.
  if (Array.isArray(kept.anyOf) && kept.anyOf.every(isChoiceOfFields)) delete kept.anyOf
  // Published too. Whoever gives the other of the two has no default of this one, which the route knows.
  if (kept['x-excludes'] !== undefined) delete kept.default
  for (const [limit, keywords] of costly) {
    const then: Record<string, unknown> = {}
    if (typeof kept[limit] !== 'number') continue
    for (const keyword of keywords) {
      if (kept[keyword] === undefined) continue
      then[keyword] = kept[keyword]
      delete kept[keyword]
    }
    if (Object.keys(then).length > 0)
      kept.allOf = [...((kept.allOf as unknown[]) ?? []), { if: { [limit]: kept[limit] }, then }]
  }
  return kept
}

function isChoiceOfFields(schema: unknown): boolean {
  return Object.keys(schema as object).join() === 'required'
}

const costly = [
  ['maxLength', ['pattern', 'format']],
  ['maxItems', ['items', 'uniqueItems', 'contains']],
] as const

/** A format of text that says nothing of its length: none is as long as this. */
function bounded(validate: (text: string) => boolean): (text: string) => boolean {
  return (text) => text.length <= maxFormatLength && validate(text)
}

const maxFormatLength = 2048

/** Whether a time lies in the years 1 to 9999, which the database can hold and print. */
function isStorable(timestamp: string): boolean {
  const at = Date.parse(timestamp)
  return at >= earliest && at <= latest
}

const earliest = Date.parse('0001-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The serialiser writes what we built ourselves: it needs types and members, not lengths and patterns,
 * and a `date-time` that is text already must not be parsed again. Members that are only written never
 * leave, whatever a command puts into its answer.
 */
function forSerializer(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forSerializer)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (droppedKeywords.has(keyword)) continue
    kept[keyword] =
      keyword === 'properties'
        ? Object.fromEntries(
            Object.entries(value as Record<string, { writeOnly?: boolean }>)
              .filter(([, part]) => !part.writeOnly)
              .map(([name, part]) => [name, forSerializer(part)]),
          )
        : forSerializer(value)
  }
  return kept
}

const droppedKeywords = new Set([
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minItems',
  'maxItems',
  'description',
  'examples',
  'default',
  'x-amount',
  'x-tags',
  'discriminator',
  'readOnly',
])

/**
 * Whether a text is an e-mail address, also with letters of other alphabets in front of the @ (RFC 6531) and behind it (IDNA).
 * Its other characters must be those of an ASCII address, so that no invisible one gets in.
 */
function isEmail(text: string, isAsciiEmail: (text: string) => boolean): boolean {
  const at = text.lastIndexOf('@')
  if (text.length > maxFormatLength || at < 0 || /^[\0-\x7f]*$/.test(text)) return isAsciiEmail(text)
  const [name, domain] = [text.slice(0, at), text.slice(at + 1)]
  // Letters that stand for others, such as ﬁ for fi, would make two texts of one address.
  if (text.normalize('NFKC') !== text || /[^\0-\x7f\p{L}\p{M}\p{N}]/u.test(text)) return false
  return isAsciiEmail(`${name.replace(/[^\0-\x7f]/gu, 'x')}@${domainToASCII(domain)}`)
}

/** A name or a password in a URL would be kept in rows and shown to everybody who reads them. */
function hasUserInformation(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}
