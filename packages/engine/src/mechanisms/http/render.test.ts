import { describe, expect, it } from 'vitest'
import { conflictReasons } from '../../vocabulary/conflict-reasons.ts'
import { fail } from '../../vocabulary/errors.ts'
import { unknownRoute } from './paths.ts'
import { renderFailure } from './render.ts'

const messageOf = (failure: Parameters<typeof renderFailure>[0]) => renderFailure(failure, 'r-1').body.message

describe('the message of a conflict', () => {
  it.each(Object.keys(conflictReasons) as (keyof typeof conflictReasons)[])(
    'says what %s means',
    (reason) => {
      expect(messageOf(fail('CONFLICT', { reason }))).toBe(conflictReasons[reason])
      expect(conflictReasons[reason]).toMatch(/^[A-Z].*\.$/)
    },
  )

  it('says what can no longer be changed, is taken or is not allowed', () => {
    expect(messageOf(fail('CONFLICT', { reason: 'WRONG_STATE', status: 'PROCESSING' }))).toBe(
      'The current status does not allow this operation. Its status is PROCESSING.',
    )
    expect(messageOf(fail('CONFLICT', { field: 'region', status: 'APPROVED' }))).toBe(
      'region can no longer be changed, because the status is APPROVED.',
    )
    expect(messageOf(fail('CONFLICT', { field: 'platformCustomerId', customerId: 'Customer:1' }))).toBe(
      'The platformCustomerId is already in use.',
    )
    expect(messageOf(fail('CONFLICT', { status: 'PROCESSING', quoteId: 'Quote:1' }))).toBe(
      'The status PROCESSING does not allow this operation.',
    )
    expect(messageOf(fail('CONFLICT', { externalAccountId: 'ExternalAccount:1' }))).toBe(
      'The account is already registered.',
    )
  })
})

describe('a path that leads nowhere', () => {
  it('says where the API is when it lacks the version', () => {
    expect(messageOf(unknownRoute('/quotes'))).toBe('The path was not found. The API starts at /2025-10-13.')
    expect(messageOf(unknownRoute('/2025-10-13/qoutes'))).toBe('The path was not found.')
    expect(messageOf(fail('REFERENCE_NOT_FOUND', { resourceType: 'Agent', id: 'x' }))).toBe(
      'The resource was not found.',
    )
  })
})
