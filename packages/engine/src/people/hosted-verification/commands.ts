import { assert, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Actor, type Scope, silently } from '../../vocabulary/scope.ts'
import { type Customer, loadCustomer, requireActive } from '../customers/index.ts'
import { isFinal, submit, type Verification } from '../verifications/index.ts'
import { decideLink, endOfLink, useLink } from './rules.ts'
import { findLink, type VerificationLink } from './store.ts'

const tokenBytes = 32

/** `POST /customers/{customerId}/kyc-link` (customers 8). */
export async function createLink(
  engine: Engine,
  scope: Scope,
  { customerId, redirectUri }: { customerId: string; redirectUri: string | undefined },
): Promise<Result<Reply, Failure>> {
  const { world, keys, settings } = engine
  const random = () => Buffer.from(world.randomBytes(tokenBytes)).toString('base64url')
  const { identity } = engine.adapters[scope.environment]
  const token = random()
  const link = {
    id: world.id('VerificationLink'),
    address: `${settings.baseUrl}/verify/${token}`,
    tokenHash: keys.hashSecret(token),
    redirectUri,
    embeddingToken: identity.embeddingToken?.(random()),
  }
  return commit(engine.applier, scope, async () => {
    const customer = await requireActive(engine, scope, customerId)
    return customer.ok ? decideLink(scope, customer.value, link) : customer
  })
}

/** Somebody who came with a link: in whose name and book they act, and whether the link still leads there. */
export interface Visit {
  readonly scope: Scope
  readonly link: VerificationLink
  readonly customer: Customer
  readonly end: ReturnType<typeof endOfLink>
}

const applicant: Actor = { id: 'applicant', permissions: ['MANAGE'] }

export async function openLink(engine: Engine, token: string): Promise<Visit | undefined> {
  const link = await findLink(engine.database, engine.keys.hashSecret(token))
  if (!link) return undefined
  const scope = await engine.clock.scope(link, applicant)
  const customer = await loadCustomer(engine, scope, link.customerId)
  assert(customer, 'a link belongs to a customer')
  return { scope, link, customer, end: endOfLink(link, customer, scope.now) }
}

export type Completion =
  /** The link is used; `customer` is as it is now, `verification` as it was decided. */
  | { readonly kind: 'DONE'; readonly customer: Customer; readonly verification: Verification | undefined }
  /** A better document is asked for; the link stays. */
  | { readonly kind: 'RETRY'; readonly verification: Verification }
  | { readonly kind: 'INCOMPLETE'; readonly verification: Verification }
  | { readonly kind: 'REFUSED'; readonly failure: Failure }
  | { readonly kind: 'ENDED'; readonly visit: Visit }

/**
 * Submits the customer and uses up the link, as one (customers 8). An incomplete packet is no submission
 * here: the page asks for the rest. For a customer who is decided already only the link changes.
 */
export async function completeLink(engine: Engine, token: string, scope: Scope): Promise<Completion> {
  const outcome = await commit<Completion>(engine.applier, silently(scope), async () => {
    const visit = await openLink(engine, token)
    assert(visit, 'links are never removed')
    if (visit.end) return unchanged({ kind: 'ENDED', visit })
    const { link, customer } = visit
    if (isFinal(customer.status)) {
      return ok({
        updates: [useLink(scope, link)],
        result: () => ({ kind: 'DONE', customer, verification: undefined }) as const,
      })
    }
    const submitted = await submit(engine, scope, customer)
    if (!submitted.ok) return unchanged({ kind: 'REFUSED', failure: submitted.failure })
    const { verification, changes, customer: after } = submitted.value
    if (verification.status !== 'RESOLVE_ERRORS') {
      return ok({
        ...changes,
        updates: [useLink(scope, link), ...(changes.updates ?? [])],
        result: () => ({ kind: 'DONE', customer: after, verification }) as const,
      })
    }
    const isPoor = verification.errors.some(({ type }) => type === 'POOR_QUALITY_DOCUMENT')
    if (!isPoor) return unchanged({ kind: 'INCOMPLETE', verification })
    return ok({ ...changes, result: () => ({ kind: 'RETRY', verification }) as const })
  })
  return outcome.ok ? outcome.value : { kind: 'REFUSED', failure: outcome.failure }
}

function unchanged(completion: Completion): Result<Decision<Completion>, never> {
  return ok({ result: () => completion })
}
