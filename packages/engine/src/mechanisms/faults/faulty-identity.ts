import type { IdentityProvider } from '../../ports/identity.ts'
import { ProviderUnavailable } from '../../ports/provider-unavailable.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { FaultKind } from './fault.ts'
import type { Faults } from './faults.ts'

/** What is asked of a provider while somebody waits. */
export type AskedIdentity = Pick<IdentityProvider, 'decide' | 'inspectDocument'>

/**
 * A provider of decisions about customers as the faults of a book make it appear for one of them. What is decided
 * without asking anybody is decided all the same.
 */
export async function faultyIdentity(
  identity: AskedIdentity,
  faults: Pick<Faults, 'hit' | 'inForce'>,
  book: Book,
  customerId: string,
): Promise<AskedIdentity> {
  if (!(await faults.inForce(book))) return identity

  /** Whether it says nothing of what it was given; throws where it does not even take it. */
  async function isSilent(isAsked: (kind: FaultKind) => boolean): Promise<boolean> {
    const subject = { id: customerId, customerIds: [customerId] }
    const hits = await faults.hit(book, 'IDENTITY', subject, isAsked)
    const away = hits.find(({ fault }) => fault.kind !== 'SILENCE')
    if (away) throw new ProviderUnavailable(`${away.fault.kind} on purpose: ${away.fault.id}`)
    return hits.length > 0
  }

  return {
    async decide(submission) {
      if (await isSilent(() => true)) return submission.isComplete ? 'PENDING_MANUAL_REVIEW' : 'INCOMPLETE'
      return identity.decide(submission)
    },
    async inspectDocument(document) {
      await isSilent((kind) => kind !== 'SILENCE')
      return identity.inspectDocument?.(document)
    },
  }
}
