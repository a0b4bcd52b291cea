import { Ajv } from 'ajv'
import Type, { type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { validatorComponents } from '../mechanisms/http/components.ts'
import { amountMinor, Currency, enumOf, extend, idOf, nullable, partOf } from './shapes.ts'

function accepts(schema: TSchema, value: unknown): boolean {
  const components = validatorComponents()
  const root = components.reference(schema)
  const ajv = new Ajv({ strict: false, discriminator: true, schemas: Object.values(components.all()) })
  return ajv.validate(root, value) as boolean
}

const uuid = '0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'

describe('idOf', () => {
  it.each([
    [`Customer:${uuid}`, true],
    [`Quote:${uuid}`, false],
    [`Customer:${uuid.toUpperCase()}`, false],
    [`Customer:${uuid}x`, false],
    [uuid, false],
    [7, false],
  ])('judges %s as an id of a customer: %s', (value, expected) => {
    expect(accepts(idOf('Customer'), value)).toBe(expected)
  })

  it('takes every kind that is named', () => {
    const either = idOf('InternalAccount', 'ExternalAccount')
    expect(accepts(either, `InternalAccount:${uuid}`)).toBe(true)
    expect(accepts(either, `ExternalAccount:${uuid}`)).toBe(true)
    expect(accepts(either, `Customer:${uuid}`)).toBe(false)
  })
})

describe('amountMinor', () => {
  it.each([
    [1, true],
    [100.0, true],
    [9_000_000_000_000_000, true],
    [0, false],
    [-1, false],
    [100.5, false],
    ['100', false],
    [9_000_000_000_000_001, false],
  ])('judges %s: %s', (value, expected) => {
    expect(accepts(amountMinor(), value)).toBe(expected)
  })
})

describe('nullable', () => {
  const Color = enumOf(['RED', 'GREEN'], { $id: 'Color' })

  it('adds null to text, to a closed list and to an object, and nothing else', () => {
    for (const schema of [Type.String(), Color, Currency]) expect(accepts(nullable(schema), null)).toBe(true)
    expect(accepts(nullable(Color), 'BLUE')).toBe(false)
    expect(accepts(nullable(Type.String()), 7)).toBe(false)
    expect(accepts(nullable(Currency), {})).toBe(false)
  })
})

describe('partOf', () => {
  const Level = enumOf(['LOW', 'MIDDLE', 'HIGH'], { $id: 'Level' })

  it('allows the words named and not the rest of the list', () => {
    expect(accepts(partOf(Level, 'LOW'), 'LOW')).toBe(true)
    expect(accepts(partOf(Level, 'LOW'), 'HIGH')).toBe(false)
    expect(accepts(partOf(Level, 'LOW', 'HIGH'), 'HIGH')).toBe(true)
  })
})

describe('extend', () => {
  it('adds fields, replaces those given again, and forgets the name of the base', () => {
    const base = Type.Object({ a: Type.String(), b: Type.String() }, { $id: 'Base' })
    const wider = extend(base, { b: Type.Integer(), c: Type.Optional(Type.Boolean()) })
    expect(wider).toEqual(
      Type.Object({ a: Type.String(), b: Type.Integer(), c: Type.Optional(Type.Boolean()) }),
    )
  })
})
