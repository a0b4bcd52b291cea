import { isIP, isIPv6 } from 'node:net'

/** Where a request comes from, as far as limits and records care (conventions 8). */

interface Addressed {
  readonly ip: string | undefined
  /** From the connection outwards, up to the first that is no trusted proxy; absent where none is trusted. */
  readonly ips?: readonly string[] | undefined
}

/**
 * The source of a request. An entry of X-Forwarded-For that is no address says nothing, so the proxy that passed it
 * on counts: inventing entries gives nobody a limit of his own.
 */
export function sourceOf({ ip, ips }: Addressed): string {
  const addresses = (ips ?? [ip ?? '']).map(withoutPort)
  return networkOf(addresses.findLast((address) => isIP(address) !== 0) ?? '')
}

/** Some proxies tell the port as well: `192.0.2.1:443`, `[2001:db8::1]:443`. */
function withoutPort(entry: string): string {
  const [, inBrackets, bare] = /^(?:\[([0-9a-f:.]{2,45})\]|([0-9.]{7,15}))(?::\d{1,5})?$/i.exec(entry) ?? []
  return inBrackets ?? bare ?? entry
}

/** Who is behind an address: of IPv6 a whole /64, because one customer of a provider has all of it. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const groups = groupsOf(address.split('%')[0]!)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return groups.slice(0, 4).join(':')
  // An address of IPv4, as a socket of IPv6 shows it.
  const bits = Number.parseInt(groups[6]!, 16) * 0x10000 + Number.parseInt(groups[7]!, 16)
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.')
}

/** The eight groups of an IPv6 address in lower case, without leading zeros. */
function groupsOf(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').flatMap(toGroups))
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
}

function toGroups(part: string): string[] {
  if (part === '') return []
  if (!part.includes('.')) return [Number.parseInt(part, 16).toString(16)]
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
}
