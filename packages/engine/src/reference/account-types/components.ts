import { type TObject, type TSchema, Type } from 'typebox'

/** A named component with the given fields, optional unless listed as required. */
export function component(
  id: string,
  fields: Readonly<Record<string, TSchema>>,
  required: readonly string[],
): TObject {
  const properties = Object.entries(fields).map(([field, schema]): [string, TSchema] => [
    field,
    required.includes(field) ? schema : Type.Optional(schema),
  ])
  return Type.Object(Object.fromEntries(properties), { $id: id })
}

/**
 * A union by discriminator, so that a validator reports on the one variant that was meant. Variants are
 * embedded by value; whoever publishes or registers them turns named ones into references.
 */
export function unionOf<T = unknown>(
  discriminator: string,
  variants: readonly TSchema[],
  options: object = {},
) {
  return Type.Unsafe<T>({ ...options, oneOf: variants, discriminator: { propertyName: discriminator } })
}
