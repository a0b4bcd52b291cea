import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { Agent, type Dispatcher } from 'undici'

export type { Dispatcher }

/**
 * Addresses that reach this machine, its network or a cloud's metadata service, and ranges that no public
 * server has (RFC 6890). Checked as numbers, so that the way an address is written does not matter.
 */
const privateAddresses = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  privateAddresses.addSubnet(net, prefix, 'ipv4')
}
for (const [net, prefix] of [
  // IPv4 addresses in the old notation inside IPv6, the unspecified address and loopback.
  ['::', 96],
  // Translation and tunnels: they lead to an IPv4 address that would have to be checked by itself.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  privateAddresses.addSubnet(net, prefix, 'ipv6')
}

/** Also true for text that is no address: what cannot be checked is not connected to. */
export function isPrivateAddress(address: string): boolean {
  // A zone names an interface of this machine; such addresses are link-local anyway.
  const [plain = ''] = address.split('%')
  const family = isIP(plain)
  if (family === 0) return true
  return privateAddresses.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}

/** How a host name becomes addresses. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A dispatcher whose connections refuse private addresses after the name has been resolved: the address
 * that was checked is the one that is connected to. One private address among several refuses them all.
 */
export function guardedDispatcher({
  resolve = systemLookup,
  isRefused = isPrivateAddress,
}: {
  resolve?: Resolve
  isRefused?: (address: string) => boolean
} = {}): Dispatcher {
  return new Agent({
    connect: {
      lookup(hostname, options, callback) {
        resolve(hostname, { ...options, all: true }, (error, addresses) => {
          const [first] = addresses ?? []
          if (error || !first) return callback(error ?? new Error('no address'), [])
          if (addresses.some(({ address }) => isRefused(address))) return callback(new RefusedAddress(), [])
          if (options.all) callback(null, addresses)
          else callback(null, first.address, first.family)
        })
      },
    },
  })
}

class RefusedAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS'
  constructor() {
    super('the endpoint resolves to a private address')
  }
}
