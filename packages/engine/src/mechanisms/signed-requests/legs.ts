import { failed, ok, type Result } from '@corridor/kernel'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call } from '../../vocabulary/operation.ts'

/** The second leg of a signed action: which challenge it answers, and the signature over it. */
export interface SignedRetry {
  readonly requestId: string
  readonly signature: string
}

/** Which leg a request is by its two headers (wallets 4.1); undefined for the first. */
export function readSignedRetry(header: Call['header']): Result<SignedRetry | undefined, Failure> {
  const requestId = header('request-id')
  const signature = readSignature(header)
  if (!signature.ok) return signature
  if (requestId === undefined && signature.value === undefined) return ok(undefined)
  if (requestId === undefined) {
    return failed(fail('REQUEST_ID_MISSING', { reason: 'Request-Id header is required' }))
  }
  if (signature.value === undefined) return failed(signatureMissing())
  return ok({ requestId, signature: signature.value })
}

/** The signature header under either of its names; two that differ cannot be told apart (conventions 2.2). */
export function readSignature(header: Call['header']): Result<string | undefined, Failure> {
  const named = header('service-wallet-signature')
  const alias = header('grid-wallet-signature')
  if (named !== undefined && alias !== undefined && named !== alias) return failed(signatureMalformed())
  return ok(named ?? alias)
}

export function signatureMissing(): Failure {
  return fail('WALLET_SIGNATURE_MISSING', { reason: 'Wallet signature header is required' })
}

export function signatureMalformed(): Failure {
  return fail('WALLET_SIGNATURE_MALFORMED', { reason: 'Wallet signature could not be parsed' })
}
