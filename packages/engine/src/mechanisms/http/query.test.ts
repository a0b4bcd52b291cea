import { effort } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations } from '../../assembly/features.ts'
import { byParameter } from './query.ts'

const withQuery = operations.filter(({ query }) => query)

const parameters = (operation: (typeof operations)[number]) =>
  Object.keys((operation.query as unknown as { properties: object }).properties)

describe('byParameter', () => {
  it('reads a bracketed name of every operation as the parameter before the bracket', () => {
    const bracket = fc.oneof(
      fc.constantFrom('[]', '[0]', '[1]', '[a]', '[', '[][]', '[0][x]'),
      fc.string().map((inside) => `[${inside}`),
    )
    expect(withQuery.length).toBeGreaterThan(60)
    for (const operation of withQuery) {
      fc.assert(
        fc.property(fc.constantFrom(...parameters(operation)), bracket, fc.string(), (name, end, value) => {
          expect(byParameter({ [`${name}${end}`]: value }, operation)).toEqual({ [name]: value })
        }),
        { numRuns: effort(10, 200) },
      )
    }
  })

  it('collects the values of all spellings of a name', () => {
    const operation = operations.find(({ id }) => id === 'listTransactions')!
    const query = { 'status[]': ['A', 'B'], status: 'C', 'status[0]': 'D', 'customerId[]': 'E' }
    expect(byParameter(query, operation)).toEqual({ status: ['A', 'B', 'C', 'D'], customerId: 'E' })
  })

  it('drops what is no parameter', () => {
    const [operation] = withQuery
    const query = { __proto__: null, constructor: 'a', '__proto__[]': 'a', '[limit]': 'a', 'Limit[]': 'a' }
    expect(byParameter(query, operation!)).toEqual({})
    expect(byParameter(query, {})).toEqual({})
  })
})
