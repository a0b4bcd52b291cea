import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

// Generators of clients choose the class of an answer by one field (architecture 9). Anything beside a plain list in
// that field is read differently by each of them, and an outgoing payment becomes an incoming one.

interface Schema {
  readonly [keyword: string]: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly { readonly $ref: string }[]
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
}

const file = join(import.meta.dirname, '../../openapi/openapi.json')
const document = JSON.parse(readFileSync(file, 'utf8')) as { components: { schemas: Record<string, Schema> } }

function unionsIn(part: unknown): Schema[] {
  if (typeof part !== 'object' || part === null) return []
  const own = 'discriminator' in part && 'oneOf' in part ? [part as Schema] : []
  return [...own, ...Object.values(part).flatMap(unionsIn)]
}

it('every variant of every union says in one plain list which values select it', () => {
  const unions = unionsIn(document)
  expect(unions.length).toBeGreaterThan(20)
  for (const { oneOf = [], discriminator } of unions) {
    const { propertyName, mapping } = discriminator!
    const said = oneOf.flatMap(({ $ref }) => {
      const whole = document.components.schemas[$ref.split('/').at(-1)!]!
      // Generators drop what stands beside `allOf`; the last part of it is the variant's own.
      if (whole.allOf) expect(whole, $ref).not.toHaveProperty('properties')
      const variant = whole.allOf?.at(-1) ?? whole
      const field = variant.properties![propertyName]!
      const what = `${$ref} ${propertyName}`
      expect(
        Object.keys(field)
          .filter((keyword) => keyword !== 'description')
          .sort(),
        what,
      ).toEqual(['enum', 'type'])
      expect(variant.required, what).toContain(propertyName)
      return (field.enum as string[]).map((value) => [value, $ref])
    })
    // No value twice, and each where the mapping says.
    expect(Object.fromEntries(said)).toEqual(mapping)
    expect(said).toHaveLength(Object.keys(mapping).length)
  }
})
