import type { CallContext } from '../../ports/call-context.ts'
import type { IdentityProvider } from '../../ports/identity.ts'
import { ProviderUnavailable } from '../../ports/provider-unavailable.ts'
import { type FaultsOfCalls, hitsOfCall } from './calls.ts'
import type { FaultKind } from './fault.ts'
import { overlaid } from './overlay.ts'

/**
 * A provider of decisions about customers as the faults of a book make it appear for one of them. Decisions that need no provider
 * are made all the same.
 */
export function faultyIdentity(identity: IdentityProvider, faults: FaultsOfCalls): IdentityProvider {
  /** Returns true if the provider accepts the data and never decides. Throws if a fault makes it unavailable. */
  async function isSilent(
    context: CallContext | undefined,
    isAsked: (kind: FaultKind) => boolean,
  ): Promise<boolean> {
    if (!context || !(await faults.inForce(context.scope))) return false
    const hits = await hitsOfCall(faults, context, 'IDENTITY', isAsked)
    const away = hits.find(({ fault }) => fault.kind !== 'SILENCE')
    if (away) throw new ProviderUnavailable(`${away.fault.kind} on purpose: ${away.fault.id}`)
    return hits.length > 0
  }

  return overlaid(identity, {
    decide: (decide) => async (submission) => {
      if (await isSilent(submission.context, () => true)) {
        return submission.isComplete ? 'PENDING_MANUAL_REVIEW' : 'INCOMPLETE'
      }
      return decide(submission)
    },
    inspectDocument: (inspect) => async (document) => {
      await isSilent(document.context, (kind) => kind !== 'SILENCE')
      return inspect?.(document)
    },
  })
}
