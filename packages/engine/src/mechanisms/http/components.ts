import type { TSchema } from 'typebox'

/** A JSON Schema as plain data. */
export type PlainSchema = { [keyword: string]: unknown }

export interface Components {
  /** The schema with every named part replaced by a reference, collecting the parts. */
  reference(schema: TSchema): PlainSchema
  /** Every named part met so far, by name, in alphabetical order. */
  all(): Record<string, PlainSchema>
}

/**
 * Components for Ajv and Fastify: each keeps its `$id`, references read `{ $ref: 'Quote#' }`, and the
 * whole list is added to the validator first.
 */
export function validatorComponents(): Components {
  return collect({
    refer: (name) => ({ $ref: `${name}#` }),
    finish: (name, schema) => ({ $id: name, ...schema }),
    isDocument: false,
  })
}

/** Of all named parts those that a schema of the validator refers to, and those that they refer to. */
export function partsWithin(
  all: Readonly<Record<string, unknown>>,
  schema: unknown,
): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [keyword, child] of Object.entries(value)) {
      const name = keyword === '$ref' && typeof child === 'string' ? child.slice(0, -1) : undefined
      if (name === undefined) visit(child)
      else if (!Object.hasOwn(found, name)) {
        found[name] = all[name]
        visit(all[name])
      }
    }
  }
  visit(schema)
  return found
}

/**
 * Components for the published document: references into `#/components/schemas`, and a `mapping` in every
 * discriminator, which the validator would refuse. The field that tells variants apart is a plain `enum` of
 * what this variant allows: generators of clients read nothing beside `allOf`, and would take one variant for
 * another. The list of all stands in a part of its own, as in a base that the variant extends, and all that the
 * variant has stands in the other part. A union without a name gets one of its variants: generators make a class of
 * a name, and of some unions within a member no code that runs.
 */
export function documentComponents(): Components {
  const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  return collect({ refer, finish: (_name, schema) => schema, isDocument: true })
}

interface Form {
  readonly refer: (name: string) => { $ref: string }
  readonly finish: (name: string, schema: PlainSchema) => PlainSchema
  readonly isDocument: boolean
}

function collect(form: Form): Components {
  const found = new Map<string, PlainSchema>()
  const sources = new Map<string, unknown>()
  /** By the name of a variant: the field that tells it from the others. */
  const tags = new Map<string, string>()

  function reference(schema: unknown): PlainSchema {
    const { $id = form.isDocument ? unionName(schema as PlainSchema) : undefined, ...body } =
      schema as PlainSchema
    if (typeof $id !== 'string') return copy(body)
    const known = sources.get($id)
    if (known === undefined) {
      sources.set($id, schema)
      found.set($id, form.finish($id, copy(body)))
    } else if (known !== schema && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas are named ${$id}`)
    }
    return form.refer($id)
  }

  /** Copies a schema keyword by keyword; values that are not schemas are taken as they are. */
  function copy(body: PlainSchema): PlainSchema {
    const out: PlainSchema = {}
    for (const [keyword, value] of Object.entries(body)) {
      if (keyword === 'properties' || keyword === 'patternProperties') {
        out[keyword] = Object.fromEntries(
          Object.entries(value as PlainSchema).map(([name, part]) => [name, reference(part)]),
        )
      } else if (listKeywords.has(keyword)) out[keyword] = (value as unknown[]).map(reference)
      else if (keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not') {
        out[keyword] = typeof value === 'object' ? reference(value) : value
      } else if (keyword === 'discriminator') {
        out[keyword] = discriminator(body)
        if (!form.isDocument) out['x-tags'] = allTags(body)
      } else out[keyword] = value
    }
    return out
  }

  /** For the error that lists what a tag may be. */
  function allTags(union: PlainSchema): string[] {
    const { propertyName } = union.discriminator as { propertyName: string }
    return (union.oneOf as PlainSchema[]).flatMap((variant) => tagsOf(variant, propertyName))
  }

  function discriminator(union: PlainSchema): PlainSchema {
    const { propertyName } = union.discriminator as { propertyName: string }
    if (!form.isDocument) return { propertyName }
    const mapping: Record<string, string> = {}
    for (const variant of union.oneOf as PlainSchema[]) {
      tags.set(String(variant.$id), propertyName)
      for (const tag of tagsOf(variant, propertyName)) mapping[tag] = form.refer(String(variant.$id)).$ref
    }
    return { propertyName, mapping }
  }

  return {
    reference,
    all: () =>
      Object.fromEntries(
        [...found]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, schema]) => [name, withPlainTag(schema, tags.get(name))]),
      ),
  }
}

function withPlainTag(variant: PlainSchema, tag: string | undefined): PlainSchema {
  const properties = variant.properties as Record<string, PlainSchema> | undefined
  const field = tag === undefined ? undefined : properties?.[tag]
  if (!tag || !field) return variant
  const { allOf: lists = [], const: only, ...plain } = field
  const own = { ...properties, [tag]: only === undefined ? plain : { ...plain, enum: [only] } }
  const bases = (lists as PlainSchema[]).map((list) => ({ type: 'object', properties: { [tag]: list } }))
  const parts = [...((variant.allOf as PlainSchema[]) ?? []), ...bases]
  if (parts.length === 0) return { ...variant, properties: own }
  const { type, required, properties: _, additionalProperties, ...rest } = variant
  // Members of a part are additional to every other part; not evaluated are those that no part knows.
  const closed = additionalProperties === false ? { unevaluatedProperties: false } : {}
  return { ...rest, allOf: [...parts, { type, required, properties: own }], ...closed }
}

/** The variants of a union that has no name of its own. */
function unionName({ oneOf, discriminator }: PlainSchema): string | undefined {
  return discriminator === undefined ? undefined : (oneOf as PlainSchema[]).map(({ $id }) => $id).join('Or')
}

const listKeywords = new Set(['oneOf', 'anyOf', 'allOf'])

/** The values of the discriminating field that select this variant. */
function tagsOf(variant: PlainSchema, propertyName: string): readonly string[] {
  const field = (variant.properties as Record<string, PlainSchema>)[propertyName]
  if (typeof variant.$id !== 'string' || !field) {
    throw new Error(`a variant of a tagged union needs an $id and the field ${propertyName}`)
  }
  return field.const === undefined ? (field.enum as string[]) : [String(field.const)]
}
