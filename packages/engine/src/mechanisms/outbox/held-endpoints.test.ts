import { expect, it } from 'vitest'
import { isHeld } from './held-endpoints.ts'

const held = ['https://Hooks.example.com:443/in?of=me#here']

it.each([
  'https://hooks.example.com/in?of=me',
  'https://HOOKS.example.com/in?of=me#there',
  'HTTPS://hooks.example.com.:443/in?of=me',
  'https://hooks.example.com/./in?of=me',
])('knows an endpoint that is written otherwise: %s', (endpoint) => {
  expect(isHeld(held, endpoint)).toBe(true)
})

it.each([
  'http://hooks.example.com/in?of=me',
  'https://hooks.example.com:8443/in?of=me',
  'https://hooks.example.com/IN?of=me',
  'https://hooks.example.com/in?of=you',
  'https://hooks.example.com/in',
  'https://other.example.com/in?of=me',
])('takes another for another: %s', (endpoint) => {
  expect(isHeld(held, endpoint)).toBe(false)
})

it('holds nothing where nothing is held, and no endpoint that is none', () => {
  expect(isHeld([], held[0]!)).toBe(false)
  expect(isHeld(held, null)).toBe(false)
  expect(isHeld(['what it was'], 'what it was')).toBe(true)
  expect(isHeld(['what it was'], 'what it is')).toBe(false)
})
