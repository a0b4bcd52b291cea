import { expect, it } from 'vitest'
import { subjectOfOwner, subjectOfResponse } from './subject.ts'

const ana = 'Customer:019542f5-b3e7-1d02-0000-000000000001'

it.each([
  [{ id: 'Transaction:1', destination: {}, customerId: ana }, ana],
  [{ id: 'Quote:1', source: { customerId: ana } }, ana],
  [{ id: ana, fullName: 'Ana' }, ana],
  [{ data: [{ id: 'ExternalAccount:1', customerId: ana }] }, ana],
  [{ id: 'ExternalAccount:1', customerId: null }, null],
  [{ id: 'Transaction:1', customerId: 'PlatformConfig:1' }, null],
  [{ id: 'Quote:1', description: `{"customerId":"${ana}"}` }, null],
  [undefined, null],
  [null, null],
  ['', null],
])('the response %j tells of %s', (body, subject) => {
  expect(subjectOfResponse(body)).toBe(subject)
})

it('what belongs to a customer tells of that customer, and what belongs to the platform of nobody', () => {
  expect([ana, 'platform', null].map(subjectOfOwner)).toEqual([ana, null, null])
})
