import { assert } from '@corridor/kernel'
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
 * A union by discriminator, so that a validator reports on the one variant that was meant. The
 * discriminator's `mapping` belongs to the published document only: the validator refuses it.
 */
export function unionOf<T = unknown>(
  discriminator: string,
  variants: readonly TSchema[],
  options: object = {},
) {
  return Type.Unsafe<T>({
    ...options,
    type: 'object',
    oneOf: variants.map((variant) => ({ $ref: componentId(variant) })),
    discriminator: { propertyName: discriminator },
  })
}

export function componentId(schema: TSchema): string {
  const { $id } = schema as { $id?: unknown }
  assert(typeof $id === 'string', 'a variant of a union is a named component')
  return $id
}
