import {
  failed,
  type Id,
  type Instant,
  ok,
  type Result,
  stateAfter,
  statesBefore,
  toTimestamp,
} from '@corridor/kernel'
import type { Decision, Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import type { Customer } from '../customers/index.ts'
import { hasVerifiedContacts } from '../verifications/index.ts'
import { verificationLinkMachine } from './machine.ts'
import type { VerificationLink } from './store.ts'

const linkLifeMs = 24 * 60 * 60 * 1000
/** The only provider that the published schema knows, whoever decides behind it. */
const provider = 'SUMSUB'

/** What a new link is made of; the token is in its address and nowhere else. */
export interface NewLink {
  readonly id: Id<'VerificationLink'>
  readonly address: string
  readonly tokenHash: string
  readonly redirectUri: string | undefined
  readonly embeddingToken: string | undefined
}

/** A fresh link beside those there are; no status changes (customers 8). */
export function decideLink(
  scope: Scope,
  customer: Customer,
  link: NewLink,
): Result<Decision<Reply>, Failure> {
  if (!hasVerifiedContacts(customer.contactVerification)) {
    return failed(fail('CONFLICT', { reason: 'CONTACTS_NOT_VERIFIED', customerId: customer.id }))
  }
  const at = toTimestamp(scope.now)
  const expiresAt = toTimestamp(scope.now + linkLifeMs)
  return ok({
    inserts: [
      {
        table: 'verification_links',
        row: {
          id: link.id,
          customer_id: customer.id,
          status: 'ISSUED',
          token_hash: link.tokenHash,
          redirect_uri: link.redirectUri ?? null,
          created_at: at,
          updated_at: at,
          expires_at: expiresAt,
        },
      },
    ],
    result: () => ({
      status: 201,
      body: {
        kycUrl: link.address,
        expiresAt,
        provider,
        ...(link.embeddingToken === undefined ? {} : { token: link.embeddingToken }),
      },
    }),
  })
}

/** Why a link leads nowhere any more, or undefined while it does (customers 8, link states). */
export function endOfLink(
  link: Pick<VerificationLink, 'status' | 'expiresAt'>,
  customer: Pick<Customer, 'deletedAt'>,
  now: Instant,
): 'USED' | 'EXPIRED' | 'VOID' | undefined {
  if (customer.deletedAt !== null) return 'VOID'
  if (link.status === 'USED') return 'USED'
  return now >= link.expiresAt ? 'EXPIRED' : undefined
}

export function useLink(scope: Scope, { id, version }: VerificationLink): Update {
  return {
    table: 'verification_links',
    id,
    version,
    from: statesBefore(verificationLinkMachine, 'use'),
    set: { status: stateAfter(verificationLinkMachine, 'use'), updated_at: toTimestamp(scope.now) },
  }
}
