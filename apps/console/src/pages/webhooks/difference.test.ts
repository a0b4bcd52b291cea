import { expect, it } from 'vitest'
import { differencesOf } from './difference.ts'

const first = {
  status: 503,
  error: 'HTTP_503',
  milliseconds: 12,
  headers: { 'Content-Type': 'application/json', 'X-Webhook-Attempt': '1' },
}

it('names what differs between two attempts, and nothing that is alike', () => {
  expect(differencesOf(first, first)).toEqual([])
  const second = {
    status: null,
    error: 'TIMEOUT',
    milliseconds: 30_000,
    headers: { 'Content-Type': 'application/json', 'X-Webhook-Attempt': '2' },
  }
  expect(differencesOf(first, second)).toEqual([
    { of: 'status', before: '503', after: '—' },
    { of: 'error', before: 'HTTP_503', after: 'TIMEOUT' },
    { of: 'milliseconds', before: '12', after: '30000' },
    { of: 'X-Webhook-Attempt', before: '1', after: '2' },
  ])
})

it('sets answers and times beside each other, where both are known', () => {
  const slow = { ...first, times: 'wait 30000 ms', answer: 'busy' }
  const quick = { ...first, times: 'wait 4 ms', answer: '' }
  expect(differencesOf(slow, quick)).toEqual([
    { of: 'times', before: 'wait 30000 ms', after: 'wait 4 ms' },
    { of: 'answer', before: 'busy', after: '—' },
  ])
  expect(differencesOf(slow, { ...quick, times: null, answer: null })).toEqual([])
})

it('says nothing of what is known of one of them alone', () => {
  const signed = { ...first, milliseconds: null, headers: { ...first.headers, 'X-Webhook-Key-Id': 'k-1' } }
  expect(differencesOf(first, signed)).toEqual([])
})
