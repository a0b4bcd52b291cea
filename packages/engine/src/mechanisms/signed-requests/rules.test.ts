import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../vocabulary/scope.ts'
import { redeemChallenge, type SignedAction, type Signers } from './rules.ts'
import type { SignedRequest } from './store.ts'

const now = 1_760_346_000_000
const scope = { platformId: 'p', environment: 'SANDBOX', now } as unknown as Scope
const action: SignedAction = { operation: 'export', resourceId: 'a', body: { key: '04', list: [1] } }
const request: SignedRequest = {
  id: 'Request:1',
  version: 3n,
  ...action,
  payloadToSign: 'sign me',
  details: {},
  status: 'PENDING',
  failures: 0,
  expiresAt: now + 1,
}

const secret = sha256(new TextEncoder().encode('a session'))
const publicKey = Buffer.from(p256.getPublicKey(secret, true)).toString('hex')
const signers: Signers = { publicKeys: [publicKey], literal: 'good-literal' }

function stampOver(text: string): string {
  const signature = p256.sign(sha256(new TextEncoder().encode(text)), secret).toDERHex()
  const stamp = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
  return Buffer.from(JSON.stringify(stamp)).toString('base64url')
}

interface Case {
  readonly request?: Partial<SignedRequest> | null
  readonly action?: Partial<SignedAction>
  readonly signature?: string
  readonly signers?: Signers
}

function redeem({ signature = stampOver('sign me'), ...given }: Case) {
  return redeemChallenge(
    scope,
    { ...action, ...given.action },
    {
      retry: { requestId: request.id, signature },
      request: given.request === null ? undefined : { ...request, ...given.request },
      signers: given.signers ?? signers,
    },
  )
}

describe('a signed retry', () => {
  it('uses its challenge up, once, under its version', () => {
    expect(redeem({})).toEqual({
      ok: true,
      value: {
        table: 'signed_requests',
        id: 'Request:1',
        from: ['PENDING'],
        version: 3n,
        set: { status: 'CONSUMED' },
      },
    })
  })

  it('holds the body to be the same whatever the order of its members', () => {
    expect(redeem({ action: { body: { list: [1], key: '04' } } }).ok).toBe(true)
    expect(redeem({ request: { body: {} }, action: { body: undefined } }).ok).toBe(true)
  })

  it('takes the literal of the environment, and only there', () => {
    expect(
      redeem({ signature: 'good-literal', signers: { publicKeys: [], literal: 'good-literal' } }).ok,
    ).toBe(true)
    const elsewhere = redeem({ signature: 'good-literal', signers: { publicKeys: [], literal: undefined } })
    expect(!elsewhere.ok && elsewhere.failure.refusal?.code).toBe('WALLET_SIGNATURE_MALFORMED')
  })

  const failing = { signature: 'not a stamp!' }
  const other = { action: { body: { key: '05', list: [1] } } }
  it.each<[string, Case, string, boolean]>([
    ['an unreadable signature', failing, 'WALLET_SIGNATURE_MALFORMED', true],
    [
      'an unreadable one without a challenge',
      { ...failing, request: null },
      'WALLET_SIGNATURE_MALFORMED',
      false,
    ],
    ['no challenge', { request: null }, 'UNAUTHORIZED', false],
    ['no challenge, for another body', { request: null, ...other }, 'UNAUTHORIZED', false],
    ['one that was used', { request: { status: 'CONSUMED' } }, 'UNAUTHORIZED', false],
    ['one that failed too often', { request: { status: 'DEAD' } }, 'UNAUTHORIZED', false],
    ['one whose time is up', { request: { expiresAt: now } }, 'UNAUTHORIZED', false],
    ['one of another operation', { action: { operation: 'update' } }, 'UNAUTHORIZED', false],
    ['one of another resource', { action: { resourceId: 'b' } }, 'UNAUTHORIZED', false],
    ['another body', other, 'WALLET_SIGNATURE_BODY_MISMATCH', true],
    [
      'a member more',
      { action: { body: { key: '04', list: [1], more: null } } },
      'WALLET_SIGNATURE_BODY_MISMATCH',
      true,
    ],
    [
      'another body and another key',
      { ...other, signers: { publicKeys: [], literal: undefined } },
      'WALLET_SIGNATURE_BODY_MISMATCH',
      true,
    ],
    [
      'the key of no session',
      { signers: { publicKeys: [], literal: undefined } },
      'WALLET_SIGNATURE_INVALID',
      true,
    ],
    ['a signature over another text', { signature: stampOver('sign you') }, 'WALLET_SIGNATURE_INVALID', true],
  ])('is refused for %s', (_what, given, code, isCounted) => {
    const redeemed = redeem(given)
    expect(redeemed.ok).toBe(false)
    const decision = redeemed.ok ? undefined : redeemed.failure
    expect(decision?.refusal?.code).toBe(code)
    expect(decision?.refusal?.details.reason).toBeTypeOf('string')
    const counted = { table: 'signed_requests', set: { failures: 1, status: 'PENDING' } }
    expect(decision?.updates ?? []).toMatchObject(isCounted ? [counted] : [])
  })

  it('ends its challenge with the tenth failure', () => {
    const redeemed = redeem({ request: { failures: 9 }, signature: 'not a stamp!' })
    const updates = redeemed.ok ? [] : redeemed.failure.updates
    expect(updates).toMatchObject([{ set: { failures: 10, status: 'DEAD' } }])
  })
})
