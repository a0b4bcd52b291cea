import { expect, it } from 'vitest'
import { subjectOf } from './subject.ts'

it.each([
  ['{"id":"Transaction:1","destination":{},"customerId":"Customer:1"}', 'Customer:1'],
  ['{"id":"Customer:1","fullName":"Ana"}', 'Customer:1'],
  ['{"id":"Webhook:1","type":"T","timestamp":"t","data":{"id":"Customer:1"}}', 'Customer:1'],
  ['{"id":"Webhook:1","type":"T","timestamp":"t","data":{"id":"ExternalAccount:1","customerId":null}}', null],
  ['{"id":"Transaction:1","customerId":"PlatformConfig:1"}', null],
  ['{"description":"\\"customerId\\":\\"Customer:2\\"","customerId":"Customer:1"}', 'Customer:1'],
  ['{"id":"Quote:1","description":"{\\"id\\":\\"Customer:2\\""}', null],
  ['', null],
])('%s tells of %s', (json, subject) => {
  expect(subjectOf(json)).toBe(subject)
})
