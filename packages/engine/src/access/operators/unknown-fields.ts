import type { TSchema } from 'typebox'
import type { FieldProblem } from '../../vocabulary/errors.ts'

/** Of a body with a thousand of them the first are enough to see what is wrong. */
const most = 20

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: unknown
  readonly items?: TSchema
}

/** The fields of a body, at any depth, that its schema does not name. Objects whose keys the caller chooses are left alone. */
export function unknownFields(schema: TSchema | undefined, body: unknown): FieldProblem[] {
  const found: FieldProblem[] = []
  look(schema as Shape | undefined, body, '')
  return found

  function look(shape: Shape | undefined, value: unknown, place: string): void {
    if (!shape || typeof value !== 'object' || value === null || found.length >= most) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(shape.items as Shape, item, `${place}[${index}]`)
      return
    }
    const { properties, additionalProperties } = shape
    if (!properties || additionalProperties) return
    for (const [name, member] of Object.entries(value)) {
      const field = place === '' ? name.slice(0, 100) : `${place}.${name.slice(0, 100)}`
      if (Object.hasOwn(properties, name)) look(properties[name] as Shape, member, field)
      else if (found.length < most) found.push({ field, message: 'is not known' })
    }
  }
}
