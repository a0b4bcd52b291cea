import { lowerAscii, type World } from '@corridor/kernel'
import { isUmaDomain } from '../../platform/platforms/index.ts'

/** UMA addresses: `$name@domain`, one name space for all platforms (customers 4.3). */

const longestAddress = 64
const userPart = /^[a-z0-9\-_.+]+$/

/** The stored form: lower case. Comparisons go by it. */
export function normalizeUmaAddress(address: string): string {
  return lowerAscii(address)
}

/** Name and domain of an address that is well-formed once in lower case, else undefined. */
export function parseUmaAddress(address: string): { user: string; domain: string } | undefined {
  const normalized = normalizeUmaAddress(address)
  if (!normalized.startsWith('$') || normalized.length > longestAddress) return undefined
  const at = normalized.indexOf('@')
  const [user, domain] = [normalized.slice(1, at), normalized.slice(at + 1)]
  return at > 0 && userPart.test(user) && isUmaDomain(domain) ? { user, domain } : undefined
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const generatedLength = 12

/** A random address in the platform's domain, for customers that bring none. */
export function generateUmaAddress(world: Pick<World, 'randomBytes'>, domain: string): string {
  let user = ''
  while (user.length < generatedLength) {
    // 252 is the largest multiple of 36 in a byte: above it some characters would come more often.
    for (const byte of world.randomBytes(generatedLength)) {
      if (byte < 252 && user.length < generatedLength) user += alphabet[byte % alphabet.length]
    }
  }
  return `$${user}@${domain}`
}
