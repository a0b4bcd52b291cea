import type { FactorLiveness, Factors, TotpCodes } from '@corridor/engine/ports/factors.ts'
import { totpCodes } from '../factors/totp.ts'
import { factorOutcomes, nameSuffix } from './outcomes.ts'

/** Real codes are good, and the constant is good at any time and any number of times (customers 13.3). */
const scriptedTotp: TotpCodes = {
  uri: totpCodes.uri,
  match: (given) => (given.code === factorOutcomes.totpCode ? given.lastStep : totpCodes.match(given)),
}

/** The sandbox also accepts passkeys that no authenticator made (customers 13.3). */
function idOf(credential: unknown): string | undefined {
  if (typeof credential !== 'object' || credential === null) return undefined
  const { id, credentialId } = credential as Record<string, unknown>
  const named = id ?? credentialId
  return typeof named === 'string' && named !== '' && named.length <= largestId ? named : undefined
}

/** WebAuthn ids have at most 1023 bytes. */
const largestId = 1364

/** Nothing at the first look, an outcome from the second on; the name decides which (customers 13.6). */
const scriptedLiveness: FactorLiveness = {
  start: async ({ resetId }) => ({
    accessToken: `_liveness-sbx-${resetId.slice(resetId.indexOf(':') + 1)}`,
    link: `https://liveness.corridor.example/${encodeURIComponent(resetId)}`,
  }),
  outcome: async ({ reads, originalName = '' }) =>
    reads < 2 ? undefined : (factorOutcomes.liveness[nameSuffix(originalName)]?.outcome ?? 'PASSED'),
}

export const scriptedFactors: Factors = {
  totp: scriptedTotp,
  madeUpPasskeys: { idOf },
  liveness: scriptedLiveness,
}
