import { expect, it } from 'vitest'
import { isFromNetworks, networkProblem } from './networks.ts'

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
  ['127.0.0.1/0', false],
  ['10.1.0.0/8', false],
  ['192.0.2.17/31', false],
  ['192.0.2.17/32', true],
  ['192.0.2.16/31', true],
  ['2001:db8:1::/32', false],
  ['2001:db8::1/64', false],
  ['2001:db8:0:8000::/49', true],
  ['2001:db8:0:8000::/48', false],
  ['::/0', true],
  ['::1/0', false],
  ['1:2:3:4:5:6:7:8/64', false],
  ['::ffff:1.2.3.4/64', false],
  ['fe80::%eth0/64', false],
])('%s is a network: %s', (text, is) => {
  expect(networkProblem(text) === undefined).toBe(is)
})

it('says whether it is no network, or more than one', () => {
  expect(networkProblem('example.com')).toMatch(/^must be an IPv4 address/)
  expect(networkProblem('127.0.0.1/0')).toBe('has bits set after the first 0 bits of the network')
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
