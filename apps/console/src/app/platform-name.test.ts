import { describe, expect, it } from 'vitest'
import { addressNameOf } from './platform-name.ts'

describe('what a platform is called in addresses', () => {
  it.each([
    ['acme', 'acme'],
    ['Acme Payments, Inc.', 'acme-payments-inc'],
    ['Zürich', 'zürich'],
    ['a/b?c#d', 'a-b-c-d'],
    ['..', undefined],
    ['Operator', undefined],
    ['api', undefined],
    ['0198f2a0-0000-7000-8000-000000000000', undefined],
  ])('%s', (name, expected) => {
    expect(addressNameOf(name)).toBe(expected)
  })
})
