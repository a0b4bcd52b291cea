import { lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { Agent, type Dispatcher } from 'undici'

export type { Dispatcher }

/** Addresses that reach this machine, its network, or a cloud's metadata service. */
const privateAddresses = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  privateAddresses.addSubnet(net, prefix, 'ipv4')
}
for (const [net, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  privateAddresses.addSubnet(net, prefix, 'ipv6')
}

export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  const plain = mapped ?? address
  const family = isIP(plain)
  if (family === 0) return true
  return privateAddresses.check(plain, family === 6 ? 'ipv6' : 'ipv4')
}

/** A dispatcher whose connections refuse private addresses after the name has been resolved. */
export function guardedDispatcher(): Dispatcher {
  return new Agent({
    connect: {
      lookup(hostname, options, callback) {
        lookup(hostname, { ...options, all: true }, (error, addresses) => {
          if (error) return callback(error, [])
          const refused = addresses.find(({ address }) => isPrivateAddress(address))
          if (refused) return callback(new RefusedAddress(), [])
          callback(null, addresses)
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
