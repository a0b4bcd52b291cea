import { describe, expect, it, test } from 'vitest'
import { controlCharacters, failProblems } from './fields.ts'

describe('the failure for wrong fields', () => {
  const missing = { field: 'email', code: 'MISSING_MANDATORY_USER_INFO' } as const
  const unknown = {
    field: 'currencies.0',
    code: 'INVALID_CURRENCY',
    details: { supported: ['USD'] },
  } as const

  it('has the code that all of them share, and what belongs to it', () => {
    expect(failProblems([missing, { ...missing, field: 'phoneNumber' }])).toEqual({
      code: 'MISSING_MANDATORY_USER_INFO',
      details: {
        errors: [{ field: 'email' }, { field: 'phoneNumber' }],
        missingFields: ['email', 'phoneNumber'],
      },
    })
    expect(failProblems([unknown])).toEqual({
      code: 'INVALID_CURRENCY',
      details: { errors: [{ field: 'currencies.0' }], field: 'currencies.0', supported: ['USD'] },
    })
  })

  it('is INVALID_INPUT with all of them when kinds mix', () => {
    const expected = (...fields: string[]) => ({
      code: 'INVALID_INPUT',
      details: { errors: fields.map((field) => ({ field })) },
    })
    expect(failProblems([missing, unknown])).toEqual(expected('email', 'currencies.0'))
    expect(failProblems([missing, { field: 'name' }])).toEqual(expected('email', 'name'))
  })
})

describe('control characters', () => {
  test.each([
    [{ name: 'a\u0000b' }, ['name']],
    [{ name: 'a\nb' }, ['name']],
    [{ description: 'a\n\tb\r' }, []],
    [{ description: 'a\u0007' }, ['description']],
    [{ address: { line1: '\u0085' }, tags: ['ok', '\u001b'] }, ['address.line1', 'tags.1']],
    [{ name: 'Bank \u202eknaB', person: { fullName: 'a\u2066b' } }, ['name', 'person.fullName']],
    [{ name: 'דנה\u200f', description: 'a \u202a+1 555\u202c' }, []],
    [{ otherDescription: ['a\nb'] }, []],
    [{ name: 'José 田中 🙂', count: 1, nothing: null }, []],
  ])('in %j are found in %j', (body, fields) => {
    expect(controlCharacters(body).map(({ field }) => field)).toEqual(fields)
  })
})
