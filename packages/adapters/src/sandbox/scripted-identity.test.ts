import { expect, test } from 'vitest'
import { reviewedIdentity } from '../identity/reviewed-identity.ts'
import { scriptedIdentity } from './scripted-identity.ts'

const individual = { customerType: 'INDIVIDUAL', isRegulated: false, skipPaperwork: false } as const

test('a script reads the last three characters of a name, where paperwork is skipped', () => {
  const decide = (fullName: string) =>
    scriptedIdentity.decideAtCreation({ ...individual, skipPaperwork: true, fullName })
  expect(['A 001', 'A002 ', 'A 003', 'A 004', '001 A', ''].map(decide)).toEqual([
    'PENDING',
    'REJECTED',
    'UNVERIFIED',
    'APPROVED',
    'APPROVED',
    'APPROVED',
  ])
  expect(scriptedIdentity.decideAtCreation({ ...individual, fullName: 'A 002' })).toBe('UNVERIFIED')
})

test('people decide about everybody but the individuals of regulated institutions', () => {
  const decide = (customerType: 'INDIVIDUAL' | 'BUSINESS', isRegulated: boolean) =>
    reviewedIdentity.decideAtCreation({
      customerType,
      isRegulated,
      skipPaperwork: true,
      fullName: 'A 002',
    })
  expect(decide('INDIVIDUAL', true)).toBe('APPROVED')
  expect(decide('INDIVIDUAL', false)).toBe('UNVERIFIED')
  expect(decide('BUSINESS', true)).toBe('UNVERIFIED')
})
