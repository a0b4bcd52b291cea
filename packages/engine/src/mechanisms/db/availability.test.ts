import { describe, expect, it } from 'vitest'
import { isAnswer } from './availability.ts'

const withCode = (code: string) => Object.assign(new Error('it failed'), { code })

describe('an error with a code', () => {
  it.each(['23505', '40001', '42P01', 'XX000', 'P0001', '0LP01', 'HV00A'])(
    'that is an SQLSTATE is an answer of the server: %s',
    (code) => expect(isAnswer(withCode(code))).toBe(true),
  )

  it.each(['EPIPE', 'EPERM', 'EBUSY', 'EROFS', 'ECONNRESET', 'ETIMEDOUT', '57P01'])(
    'that the system gave, or that a session said last, leaves the connection in doubt: %s',
    (code) => expect(isAnswer(withCode(code))).toBe(false),
  )
})
