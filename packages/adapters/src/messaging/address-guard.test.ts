import { describe, expect, it } from 'vitest'
import { isPrivateAddress } from './address-guard.ts'

describe('a private address', () => {
  it.each([
    ['0.0.0.0', 'this machine'],
    ['10.1.2.3', 'a private network'],
    ['100.64.0.1', 'the network of a carrier'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['169.254.169.254', 'a metadata service'],
    ['172.16.0.1', 'a private network'],
    ['172.31.255.255', 'a private network'],
    ['192.168.1.1', 'a private network'],
    ['198.18.0.1', 'a test bench'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'this machine'],
    ['::1', 'loopback'],
    ['::7f00:1', 'loopback in the old IPv4 notation'],
    ['::ffff:127.0.0.1', 'loopback as IPv4-mapped IPv6'],
    ['::ffff:7f00:1', 'loopback as IPv4-mapped IPv6 in hexadecimal'],
    ['0:0:0:0:0:ffff:a9fe:a9fe', 'a metadata service as IPv4-mapped IPv6'],
    ['64:ff9b::7f00:1', 'loopback behind a translator'],
    ['2002:7f00:1::', 'loopback behind a tunnel'],
    ['fd00:ec2::254', 'a metadata service'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['ff02::1', 'multicast'],
    ['localhost', 'no address at all'],
    ['', 'nothing'],
  ])('is %s: %s', (address) => {
    expect(isPrivateAddress(address)).toBe(true)
  })

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '100.128.0.1',
    '126.255.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '::ffff:1.1.1.1',
    '2606:4700::1111',
  ])('is not %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  })
})
