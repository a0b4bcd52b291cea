/**
 * Major versions of the protocol (webhooks-uma 6.4). Version 0 has other names for the same things, no settlement layer but
 * Lightning, amounts in units of the receiver alone, and no signature under the answer to a pay request.
 */
export type UmaMajor = 0 | 1

/** What is said and answered in each. */
export const umaVersions: Readonly<Record<UmaMajor, string>> = { 0: '0.3', 1: '1.0' }

/** The highest first. */
export const supportedMajors: readonly UmaMajor[] = [1, 0]

/** Undefined for a version that is not spoken here, or none at all. */
export function majorOf(version: unknown): UmaMajor | undefined {
  const match = typeof version === 'string' ? /^([01])\.[0-9]{1,3}$/.exec(version) : null
  return match ? (Number(match[1]) as UmaMajor) : undefined
}

/** The highest that both speak, as a peer lists its own when it refuses one. */
export function commonMajor(theirs: unknown): UmaMajor | undefined {
  return Array.isArray(theirs) ? supportedMajors.find((major) => theirs.includes(major)) : undefined
}
