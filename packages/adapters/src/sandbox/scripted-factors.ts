import type { FactorLiveness, Factors, Passkeys, TotpCodes } from '@corridor/engine/ports/factors.ts'
import { webAuthnPasskeys } from '../factors/passkeys.ts'
import { totpCodes } from '../factors/totp.ts'
import { factorOutcomes, nameSuffix } from './outcomes.ts'

/** Real codes are good, and the constant is good at any time and any number of times (customers 13.3). */
const scriptedTotp: TotpCodes = {
  uri: totpCodes.uri,
  match: (given) => (given.code === factorOutcomes.totpCode ? given.lastStep : totpCodes.match(given)),
}

/**
 * A passkey that is one is checked like one. Whatever else has an id is taken for a passkey of that id, which
 * every object with the id answers for: nobody needs an authenticator to try the flow (customers 13.3).
 */
const scriptedPasskeys: Passkeys = {
  creationOptions: webAuthnPasskeys.creationOptions,
  requestOptions: (request) =>
    webAuthnPasskeys.requestOptions({ ...request, credentialId: asWebAuthnId(request.credentialId) }),
  async register(registration) {
    const real = await webAuthnPasskeys.register(registration)
    if (real) return real
    const id = idOf(registration.credential)
    return id === undefined ? undefined : { credentialId: id, publicKey: null, counter: 0 }
  },
  async authenticate(authentication) {
    const { assertion, passkey } = authentication
    if (passkey.publicKey !== null && isSigned(assertion))
      return webAuthnPasskeys.authenticate(authentication)
    const id = idOf(assertion)
    return id === passkey.credentialId || id === asWebAuthnId(passkey.credentialId) ? passkey : undefined
  },
}

function idOf(credential: unknown): string | undefined {
  if (typeof credential !== 'object' || credential === null) return undefined
  const { id, credentialId } = credential as Record<string, unknown>
  const named = id ?? credentialId
  return typeof named === 'string' && named !== '' && named.length <= largestId ? named : undefined
}

/** The options that a browser is given name credentials in base64url; an id that is made up may be any text. */
function asWebAuthnId(id: string): string {
  return /^[\w-]+$/.test(id) ? id : Buffer.from(id).toString('base64url')
}

/** WebAuthn ids have at most 1023 bytes. */
const largestId = 1364

function isSigned(assertion: unknown): boolean {
  return typeof assertion === 'object' && assertion !== null && 'response' in assertion
}

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
  passkeys: scriptedPasskeys,
  liveness: scriptedLiveness,
}
