import { isIP } from 'node:net'
import { typedCode, upperAscii } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Customer } from '../../people/customers/index.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { ScaFactor } from './challenge-schemas.ts'
import { type Challenge, codeText } from './challenges.ts'
import { authenticatePasskey } from './passkeys.ts'
import { relyingPartyOf } from './relying-party.ts'
import type { ScaState } from './state.ts'

/** What a customer answers with: a code, or what an authenticator signed and on which page. */
export type Proof =
  | { readonly kind: 'CODE'; readonly code: string }
  | { readonly kind: 'PASSKEY'; readonly assertion: unknown; readonly origin: string }

interface ProofFields {
  readonly code?: string | null
  readonly passkeyAssertion?: Record<string, unknown> | null
  readonly origin?: string | null
}

/** The proof in a body that `checkProof` has passed. */
export function readProof({ code, passkeyAssertion, origin }: ProofFields): Proof {
  return code != null
    ? { kind: 'CODE', code: typedCode(code) }
    : { kind: 'PASSKEY', assertion: passkeyAssertion, origin: origin ?? '' }
}

/** Exactly one proof, an assertion with the page it was made on, an address that is one. Null is absence. */
export function checkProof(body: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { code, passkeyAssertion, origin, endUserIpAddress } = body
  const problems: FieldProblem[] = []
  if ((code == null) === (passkeyAssertion == null)) {
    const message = 'send exactly one proof: this field, or passkeyAssertion with origin'
    problems.push({ field: 'code', message })
  }
  if (passkeyAssertion != null && origin == null) {
    problems.push({ field: 'origin', message: 'is required with passkeyAssertion' })
  }
  if (typeof endUserIpAddress === 'string' && isIP(endUserIpAddress) === 0) {
    const constraint = { format: 'ip' }
    problems.push({ field: 'endUserIpAddress', message: 'is not an IPv4 or IPv6 address', constraint })
  }
  return problems
}

/** A code as it was sent, or as an app shows it or as its recovery codes are written. */
const codeForms = {
  SMS_OTP: /^\d{6}$/,
  TOTP: /^(\d{6}|\s?[A-Za-z0-9]{4}-[A-Za-z0-9]{4}-[A-Za-z0-9]{4}\s?)$/,
} as const

/**
 * Whether a proof is one that a factor could take. Another kind, or what has not the form of one, is a mistake and
 * no attempt: it is refused and not counted (customers 13.4).
 */
export function isOfFactor(proof: Proof, factor: ScaFactor): boolean {
  if (factor === 'PASSKEY') return proof.kind === 'PASSKEY' && namesCredential(proof.assertion)
  return proof.kind === 'CODE' && codeForms[factor].test(proof.code)
}

function namesCredential(assertion: unknown): boolean {
  const { id, credentialId } = (assertion ?? {}) as Record<string, unknown>
  const named = id ?? credentialId
  return typeof named === 'string' && named !== ''
}

/**
 * Judges a proof: the state that a right one leaves (a used step, a used recovery code, a counter), or
 * undefined for a wrong one. Nothing outside is asked.
 */
export async function judge(
  engine: Engine,
  scope: Scope,
  {
    customer,
    challenge,
    state,
    proof,
  }: {
    readonly customer: Customer
    readonly challenge: Challenge
    readonly state: ScaState
    readonly proof: Proof
  },
): Promise<ScaState | undefined> {
  switch (challenge.factor) {
    case 'SMS_OTP': {
      if (proof.kind !== 'CODE' || challenge.codeHash === null) return undefined
      return engine.keys.matchesSecret(codeText(challenge, customer, proof.code), challenge.codeHash)
        ? state
        : undefined
    }
    case 'TOTP':
      return proof.kind === 'CODE' ? judgeAppCode(engine, scope, challenge, state, proof.code) : undefined
    case 'PASSKEY': {
      const { passkey } = state.factors
      if (proof.kind !== 'PASSKEY' || !passkey || challenge.passkeyChallenge === null) return undefined
      const party = await relyingPartyOf(engine, scope)
      if (!party.origins.includes(proof.origin)) return undefined
      const { factors } = engine.adapters[scope.environment]
      const used = await authenticatePasskey(factors, passkey, proof.assertion, {
        challenge: challenge.passkeyChallenge,
        origin: proof.origin,
        party,
      })
      return used && { ...state, factors: { ...state.factors, passkey: used } }
    }
  }
}

function judgeAppCode(
  engine: Engine,
  scope: Scope,
  challenge: Challenge,
  state: ScaState,
  code: string,
): ScaState | undefined {
  const { totp } = state.factors
  if (!totp) return undefined
  const secret = Buffer.from(totp.secret, 'base64url')
  const { lastStep, recoveryHashes } = totp
  const { now } = scope
  const step = engine.adapters[scope.environment].factors.totp.match({ secret, code, now, lastStep })
  if (step !== undefined) {
    return { ...state, factors: { ...state.factors, totp: { ...totp, lastStep: step } } }
  }
  // Whoever lost the app logs in with a recovery code, each once (customers 13.3).
  if (challenge.kind !== 'LOGIN') return undefined
  const text = recoveryText(state.customerId, code)
  const used = recoveryHashes.find((hash) => engine.keys.matchesSecret(text, hash))
  if (used === undefined) return undefined
  const left = recoveryHashes.filter((hash) => hash !== used)
  return { ...state, factors: { ...state.factors, totp: { ...totp, recoveryHashes: left } } }
}

/** What a recovery code is hashed with; people write it in any case. */
export function recoveryText(customerId: string, code: string): string {
  return `${customerId}\n${upperAscii(code.trim())}`
}
