import { expect, it } from 'vitest'
import { reachOf } from './corridor-line.tsx'

it('is turned back only where the money came back, and nothing is done that was not delivered', () => {
  expect(reachOf('COMPLETED')).toBe('done')
  expect(reachOf('PROCESSING')).toBe('moving')
  expect(reachOf('FAILED')).toBe('stopped')
  expect(reachOf('FAILED', { status: 'PENDING' })).toBe('stopped')
  expect(reachOf('FAILED', { status: 'FAILED' })).toBe('stopped')
  expect(reachOf('FAILED', { status: 'COMPLETED' })).toBe('returned')
  expect(reachOf('REFUNDED')).toBe('returned')
  // Cancelled.
  expect(reachOf('COMPLETED', { status: 'PENDING' })).toBe('stopped')
  expect(reachOf('COMPLETED', { status: 'COMPLETED' })).toBe('returned')
})
