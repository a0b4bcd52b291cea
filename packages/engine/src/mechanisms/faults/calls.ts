import type { CallContext } from '../../ports/call-context.ts'
import type { RequestOfScope } from '../../vocabulary/scope.ts'
import { type FaultKind, type FaultSubject, type FaultTarget, faultKinds } from './fault.ts'
import type { Faults, Hit } from './faults.ts'

/** The functions that a decorator of a port calls: whether a book has faults, and which of them hit a call. */
export type FaultsOfCalls = Pick<Faults, 'hit' | 'inForce'>

const metByCommand = new WeakMap<object, Map<string, Promise<readonly Hit[]>>>()
const metByRequest = new WeakMap<RequestOfScope, Hit[]>()

/**
 * Faults of some kinds that hit this call. A command that is decided again because data changed meets its faults once: neither
 * `times` nor `after` counts it twice.
 */
export function hitsOfCall(
  faults: Pick<Faults, 'hit'>,
  { scope, command, id, customerIds, accountIds, amount }: CallContext,
  target: FaultTarget,
  isAsked: (kind: FaultKind) => boolean = () => true,
  more: Partial<FaultSubject> = {},
): Promise<readonly Hit[]> {
  const meet = () => faults.hit(scope, target, { id, customerIds, accountIds, amount, ...more }, isAsked)
  if (!command) return meet()
  const kinds = Object.keys(faultKinds[target]).filter((kind) => isAsked(kind as FaultKind))
  const key = [target, ...kinds].join(' ')
  const met = metByCommand.get(command) ?? new Map<string, Promise<readonly Hit[]>>()
  metByCommand.set(command, met)
  const before = met.get(key)
  if (before) return before
  const first = meet().then((hits) => {
    const { request } = scope
    if (request) metByRequest.set(request, [...(metByRequest.get(request) ?? []), ...hits])
    return hits
  })
  met.set(key, first)
  return first
}

/** Hits of the commands of a request. The request creates the resource that they are about only afterwards. */
export function hitsOfRequest(request: RequestOfScope): readonly Hit[] {
  return metByRequest.get(request) ?? []
}
