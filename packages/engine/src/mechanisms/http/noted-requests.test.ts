import { expect, it } from 'vitest'
import { refusalOf } from './noted-requests.ts'

const refusal = (errors: unknown) => ({
  status: 400,
  body: JSON.stringify({ code: 'INVALID_INPUT', details: { errors } }),
})

it('of a refusal the code and the names of fields are kept, each once, and no more than twenty', () => {
  const errors = ['source.accountId', 'a[0].b', 'a-b_c', 'source.accountId'].map((field) => ({
    field,
    message: 'is 12345',
  }))
  expect(refusalOf(refusal(errors))).toEqual({
    code: 'INVALID_INPUT',
    fields: ['source.accountId', 'a[0].b', 'a-b_c'],
  })
  const many = Array.from({ length: 500 }, (_, index) => ({ field: `f${index}` }))
  expect(refusalOf(refusal(many)).fields).toHaveLength(20)
})

it('what has not the form of a name is left out', () => {
  const made = [
    'ana@example.com',
    'Ana Lopez',
    '',
    '4111 1111 1111 1111',
    '12345',
    'x'.repeat(101),
    null,
    7,
    {},
  ]
  expect(refusalOf(refusal(made.map((field) => ({ field })))).fields).toEqual([])
  for (const errors of [undefined, null, 'text', 7, [null, 'text', {}]]) {
    expect(refusalOf(refusal(errors)).fields).toEqual([])
  }
})

it('a success has neither', () => {
  expect(refusalOf({ status: 200, body: '{"code":"x"}' })).toEqual({ code: null, fields: [] })
})
