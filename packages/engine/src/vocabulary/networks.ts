import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Addresses and networks that something is allowed from. Who calls is known by the whole address of IPv4 and by the
 * /64 of one of IPv6 (mechanisms/http/sources.ts), so a network of IPv6 is a /64 or larger.
 */

const maxPrefix = { 4: 32, 6: 64 } as const

/** What is wrong with a text that is to be an address of IPv4, or a network of either; undefined: nothing. */
export function networkProblem(text: string): string | undefined {
  const parsed = parse(text)
  if (!parsed || parsed.prefix > maxPrefix[parsed.family]) {
    return 'must be an IPv4 address or network, or an IPv6 network of up to /64'
  }
  // Of an address with a prefix it is not known whether the one or the many were meant.
  return isStartOf(parsed) ? undefined : `has bits set after the first ${parsed.prefix} bits of the network`
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
  // A zone (`fe80::1%eth0`) is one of some machine, and says nothing here.
  if (rest.length > 0 || address.includes('%') || (family !== 4 && family !== 6)) return undefined
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return undefined
  return { address, prefix: prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix), family }
}

/** Whether nothing of an address is behind the prefix. */
function isStartOf({ address, prefix, family }: { address: string; prefix: number; family: 4 | 6 }): boolean {
  const [width, perGroup] = family === 4 ? [32, 8] : [128, 16]
  const groups = family === 4 ? address.split('.').map(Number) : groupsOf(address)
  const bits = groups.reduce((sum, group) => (sum << BigInt(perGroup)) | BigInt(group), 0n)
  return (bits & ((1n << BigInt(width - prefix)) - 1n)) === 0n
}

/** The eight groups of an address of IPv6, which the parser of URLs writes out. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const parse16 = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [front, back] = [parse16(head), parse16(tail ?? '')]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}
