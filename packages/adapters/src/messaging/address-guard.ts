import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, type Dispatcher } from 'undici'
import { timedConnector } from './connection-times.ts'

export type { Dispatcher }

/**
 * Beside the ranges that `ipaddr.js` knows from IANA's registries of special addresses: what leads to IPv4
 * addresses in an old notation, a block for dummies (RFC 9780), and the service by which a cloud talks to its
 * machines.
 */
const furtherRanges = new BlockList()
furtherRanges.addSubnet('::', 96, 'ipv6')
furtherRanges.addSubnet('100:0:0:1::', 64, 'ipv6')
furtherRanges.addAddress('168.63.129.16', 'ipv4')

/**
 * Addresses that reach this machine, its network or a cloud's metadata service, and ranges that no public
 * server has: all that is not global unicast. Checked as numbers, so that the way an address is written does
 * not matter. Also true for text that is no address: what cannot be checked is not connected to.
 */
export function isPrivateAddress(address: string): boolean {
  // A zone names an interface of this machine; such addresses are link-local anyway.
  const [plain = ''] = address.split('%')
  if (isIP(plain) === 0) return true
  // An IPv4 address inside IPv6 counts as what it is.
  const parsed = ipaddr.process(plain)
  const family = parsed.kind()
  return parsed.range() !== 'unicast' || furtherRanges.check(parsed.toString(), family)
}

/**
 * Ports of services that take no HTTP and might read commands out of it, as browsers refuse them (WHATWG Fetch, bad ports).
 */
const refusedPorts: ReadonlySet<string> = new Set(
  `1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
  139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720
  1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(/\s+/),
)

/** Whether nothing is sent to this port of a URL, which is empty for the usual one. */
export function isRefusedPort(port: string): boolean {
  return refusedPorts.has(port)
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
    connect: timedConnector({
      lookup(hostname, options, callback) {
        resolve(hostname, { ...options, all: true }, (error, addresses) => {
          const [first] = addresses ?? []
          if (error || !first) return callback(error ?? new Error('no address'), [])
          if (addresses.some(({ address }) => isRefused(address))) return callback(new RefusedAddress(), [])
          if (options.all) callback(null, addresses)
          else callback(null, first.address, first.family)
        })
      },
    }),
  })
}

class RefusedAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS'
  constructor() {
    super('the endpoint resolves to a private address')
  }
}
