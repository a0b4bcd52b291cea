import type { TSchema } from 'typebox'

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: unknown
  readonly items?: TSchema
}

/** A body without the fields, at any depth, that its schema does not name. Objects whose keys the caller chooses stay whole. */
export function knownFields<T>(schema: TSchema, body: T): T {
  return pick(schema as Shape, body) as T
}

function pick(shape: Shape | undefined, value: unknown): unknown {
  if (!shape || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => pick(shape.items as Shape | undefined, item))
  const { properties, additionalProperties } = shape
  if (!properties || additionalProperties) return value
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(known.map(([name, member]) => [name, pick(properties[name] as Shape, member)]))
}
