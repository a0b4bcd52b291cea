import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { enumOf, partOf, taggedUnion } from '../../vocabulary/shapes.ts'
import { documentComponents, validatorComponents } from './components.ts'

const Leaf = Type.Object({ name: Type.String() }, { $id: 'Leaf' })
const Cat = Type.Object({ kind: Type.Literal('CAT'), leaf: Type.Optional(Leaf) }, { $id: 'Cat' })
const Dog = Type.Object({ kind: Type.Enum(['DOG', 'PUPPY']) }, { $id: 'Dog' })
const Pet = taggedUnion('kind', [Cat, Dog], { $id: 'Pet' })
const Pets = Type.Object({ pets: Type.Array(Pet), first: Type.Optional(Leaf) })

describe('components of the validator', () => {
  it('replace every named part, however deep, and keep its $id', () => {
    const components = validatorComponents()
    expect(components.reference(Pets)).toEqual({
      type: 'object',
      required: ['pets'],
      properties: { pets: { type: 'array', items: { $ref: 'Pet#' } }, first: { $ref: 'Leaf#' } },
    })
    expect(Object.keys(components.all())).toEqual(['Cat', 'Dog', 'Leaf', 'Pet'])
    expect(components.all().Leaf).toMatchObject({ $id: 'Leaf', type: 'object' })
  })

  it('know the tags of a union without a mapping, which the validator would refuse', () => {
    const components = validatorComponents()
    components.reference(Pet)
    expect(components.all().Pet).toEqual({
      $id: 'Pet',
      discriminator: { propertyName: 'kind' },
      'x-tags': ['CAT', 'DOG', 'PUPPY'],
      oneOf: [{ $ref: 'Cat#' }, { $ref: 'Dog#' }],
    })
  })
})

describe('components of the document', () => {
  it('refer to the components section and map every tag to its variant', () => {
    const components = documentComponents()
    expect(components.reference(Pet)).toEqual({ $ref: '#/components/schemas/Pet' })
    expect(components.all().Pet).toMatchObject({
      discriminator: {
        propertyName: 'kind',
        mapping: {
          CAT: '#/components/schemas/Cat',
          DOG: '#/components/schemas/Dog',
          PUPPY: '#/components/schemas/Dog',
        },
      },
    })
    expect(components.all().Leaf).not.toHaveProperty('$id')
  })
})

describe('the field that tells variants apart', () => {
  const Kind = enumOf(['CAT', 'DOG', 'PUPPY'], { $id: 'Kind' })
  const Kitten = Type.Object({ kind: partOf(Kind, 'CAT') }, { $id: 'Kitten' })
  const Hound = Type.Object({ kind: partOf(Kind, 'DOG', 'PUPPY') }, { $id: 'Hound' })

  it('is a plain list of what the variant allows, beside a base with the list of all', () => {
    const components = documentComponents()
    components.reference(Kitten)
    components.reference(taggedUnion('kind', [Kitten, Hound], { $id: 'Animal' }))
    const base = { type: 'object', properties: { kind: { $ref: '#/components/schemas/Kind' } } }
    const own = (values: string[]) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', enum: values } },
    })
    expect(components.all().Kitten).toEqual({ allOf: [base, own(['CAT'])] })
    expect(components.all().Hound).toEqual({ allOf: [base, own(['DOG', 'PUPPY'])] })
  })

  it('makes a union that has no name one of its variants', () => {
    const components = documentComponents()
    const pet = taggedUnion('kind', [Cat, Dog])
    const name = { $ref: '#/components/schemas/CatOrDog' }
    expect(components.reference(Type.Object({ pet }))).toMatchObject({ properties: { pet: name } })
    expect(components.all().CatOrDog).toMatchObject({ discriminator: { propertyName: 'kind' } })
    expect(validatorComponents().reference(pet)).toHaveProperty('oneOf')
  })
})

describe('names', () => {
  it('may be given twice to the same content', () => {
    const components = validatorComponents()
    components.reference(Leaf)
    components.reference(Type.Object({ name: Type.String() }, { $id: 'Leaf' }))
    expect(Object.keys(components.all())).toEqual(['Leaf'])
  })

  it('are refused for two different contents', () => {
    const components = validatorComponents()
    components.reference(Leaf)
    expect(() => components.reference(Type.Object({}, { $id: 'Leaf' }))).toThrow('named Leaf')
  })

  it('are demanded of the variants of a tagged union', () => {
    const union = taggedUnion('kind', [Type.Object({ kind: Type.Literal('CAT') })])
    expect(() => documentComponents().reference(union)).toThrow('needs an $id')
  })
})
