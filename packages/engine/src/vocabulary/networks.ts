import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Addresses and networks that something is allowed from. Who calls is known by the whole address of IPv4 and by the
 * /64 of one of IPv6 (mechanisms/http/sources.ts), so a network of IPv6 is a /64 or larger.
 */

const maxPrefix = { 4: 32, 6: 64 } as const

/** Whether a text is an address of IPv4, or a network of either. */
export function isNetwork(text: string): boolean {
  const parsed = parse(text)
  return parsed !== undefined && parsed.prefix <= maxPrefix[parsed.family]
}

/** Whether a source is in one of them. */
export function isFromNetworks(networks: readonly string[], source: string): boolean {
  const list = new BlockList()
  for (const text of networks) {
    const { address, prefix, family } = parse(text) ?? {}
    if (address !== undefined) list.addSubnet(address, prefix!, family === 6 ? 'ipv6' : 'ipv4')
  }
  const address = isIP(source) === 0 ? `${source}::` : source
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function parse(text: string): { address: string; prefix: number; family: 4 | 6 } | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (rest.length > 0 || (family !== 4 && family !== 6)) return undefined
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined
  return { address, prefix: prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix), family }
}
