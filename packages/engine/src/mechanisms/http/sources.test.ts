import { describe, expect, it, test } from 'vitest'
import { sourceOf } from './sources.ts'

describe('the source of a request', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '192.0.2.1'],
    ['::ffff:255.255.255.255', '255.255.255.255'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0:0:ffff::2', '2001:db8:0:0'],
    ['2001:db8:0:1::1', '2001:db8:0:1'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4'],
    ['1:2:3:4:5:6:7::', '1:2:3:4'],
  ])('of %s is %s', (ip, source) => {
    expect(sourceOf({ ip })).toBe(source)
  })

  test.each([
    ['an address', '192.0.2.1', '192.0.2.1'],
    ['an address and its port', '192.0.2.1:443', '192.0.2.1'],
    ['IPv6 and its port', '[2001:db8::1]:443', '2001:db8:0:0'],
    ['IPv6 in brackets', '[::ffff:192.0.2.1]', '192.0.2.1'],
    ['a word', 'unknown', '10.0.0.9'],
    ['an obfuscated name', '_hidden', '10.0.0.9'],
    ['nothing', '', '10.0.0.9'],
    ['no address', '1.2.3', '10.0.0.9'],
    ['too large a number', '1.2.3.999', '10.0.0.9'],
    ['too large a port', '192.0.2.1:123456', '10.0.0.9'],
    ['a text without end', '1'.repeat(8_000), '10.0.0.9'],
  ])('behind a trusted proxy that tells of %s', (_what, entry, source) => {
    expect(sourceOf({ ip: entry, ips: ['127.0.0.1', '10.0.0.9', entry] })).toBe(source)
  })

  it('is the same for all whose connection has ended already', () => {
    expect(sourceOf({ ip: undefined })).toBe('')
  })
})
