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
    ['2001:2::1', 'a test bench'],
    ['2001:10::1', 'a name for a host (ORCHID)'],
    ['2001:20::1', 'a name for a host (ORCHIDv2)'],
    ['2001:2f:ffff:ffff:ffff:ffff:ffff:ffff', 'the last of ORCHIDv2'],
    ['3fff::1', 'documentation'],
    ['3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', 'the last of documentation'],
    ['5f00::1', 'segment routing'],
    ['::ffff:0:7f00:1', 'loopback as IPv4-translated IPv6'],
    ['::ffff:0:808:808', 'any address as IPv4-translated IPv6'],
    ['100::1', 'the discard block'],
    ['100:0:0:1::1', 'the dummy block'],
    ['168.63.129.16', "a cloud's service for its machines"],
    ['::ffff:168.63.129.16', 'the same as IPv4-mapped IPv6'],
    ['192.88.99.1', 'an old tunnel'],
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
    '168.63.129.15',
    '168.63.129.17',
  ])('is not %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  })
})
