import { expect, it } from 'vitest'
import { isFromNetworks, isNetwork } from './networks.ts'

it.each([
  ['192.0.2.17', true],
  ['10.0.0.0/8', true],
  ['0.0.0.0/0', true],
  ['2001:db8:1:2::/64', true],
  ['2001:db8::/32', true],
  ['2001:db8::1', false],
  ['2001:db8::/65', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/8/9', false],
  ['10.0.0.0/-1', false],
  ['10.0.0.0/', false],
  ['10.0.0', false],
  ['example.com', false],
  ['', false],
])('%s is a network: %s', (text, is) => {
  expect(isNetwork(text)).toBe(is)
})

it.each([
  [['192.0.2.17'], '192.0.2.17', true],
  [['192.0.2.17'], '192.0.2.18', false],
  [['10.0.0.0/8'], '10.200.3.4', true],
  [['2001:db8::/32'], '2001:db8:0:7', true],
  [['2001:db8:0:7::/64'], '2001:db8:0:7', true],
  [['2001:db8:0:7::/64'], '2001:db8:0:8', false],
  [['0.0.0.0/0'], '2001:db8:0:8', false],
  [['0.0.0.0/0'], '', false],
] as const)('%s lets in %s: %s', (networks, source, is) => {
  expect(isFromNetworks(networks, source)).toBe(is)
})
