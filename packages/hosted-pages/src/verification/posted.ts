import type { Field } from './fields.ts'

type Posted = Readonly<Record<string, unknown>>

/**
 * The body that the API would take, from the flat fields of a form: paths become members, marked boxes a
 * list, and what was left blank is left out.
 */
export function toBody(fields: readonly Field[], posted: Posted): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    const value = readAnswer(field, posted)
    if (value !== undefined) place(body, field.name.split('.'), value)
  }
  return body
}

function readAnswer({ name, kind, options = [] }: Field, posted: Posted): unknown {
  if (kind === 'checks') {
    const chosen = options.map(([value]) => value).filter((value) => posted[`${name}.${value}`] !== undefined)
    return chosen.length > 0 ? chosen : undefined
  }
  const text = posted[name]
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const trimmed = text.trim()
  return kind === 'integer' && /^\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed
}

function place(body: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    body[name] = value
    return
  }
  const known = body[name]
  const inner = typeof known === 'object' && known !== null ? (known as Record<string, unknown>) : {}
  body[name] = inner
  place(inner, rest, value)
}

/** The member at a path, for filling in what is known. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined | null)?.[key], value)
}
