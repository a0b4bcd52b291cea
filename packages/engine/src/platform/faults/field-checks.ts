import {
  type FaultKind,
  type FaultParams,
  type FaultTarget,
  faultKinds,
  faultMatches,
  faultParams,
} from '../../mechanisms/faults/fault.ts'
import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import { errorRegistry, type FieldProblem } from '../../vocabulary/errors.ts'

/** What the schema cannot say of a fault: which kinds, matches and parameters go together. */
export const checkFault: BodyCheck = ({ faults }, { now }, body) => {
  const { kind, target, match, params, until } = body
  const problems: FieldProblem[] = []
  const isTarget = typeof target === 'string' && Object.hasOwn(faultKinds, target)
  const isKind = typeof kind === 'string' && Object.hasOwn(faultParams, kind)
  if (isTarget && isKind && !Object.hasOwn(faultKinds[target as FaultTarget], kind)) {
    problems.push({ field: 'kind', message: `is none of ${target}` })
  }
  if (isTarget) {
    const known: readonly string[] = faultMatches[target as FaultTarget]
    for (const name of namesOf(match)) {
      if (!known.includes(name))
        problems.push({ field: `match.${name}`, message: `means nothing for ${target}` })
    }
  }
  const { operationId } = (match ?? {}) as { operationId?: unknown }
  if (target === 'API' && typeof operationId === 'string' && !faults.isOperation(operationId)) {
    problems.push({ field: 'match.operationId', message: 'is no operation that can be made to fail' })
  }
  if (isKind) {
    const { may = [], must } = faultParams[kind as FaultKind]
    for (const name of namesOf(params)) {
      if (name !== must && !may.includes(name as keyof FaultParams)) {
        problems.push({ field: `params.${name}`, message: `means nothing for ${kind}` })
      }
    }
    if (must && !namesOf(params).includes(must))
      problems.push({ field: `params.${must}`, message: 'is required' })
    const { code } = (params ?? {}) as { code?: unknown }
    if (kind === 'ERROR' && typeof code === 'string' && !Object.hasOwn(errorRegistry, code)) {
      problems.push({ field: 'params.code', message: 'is no error code' })
    }
  }
  if (typeof until === 'string' && Date.parse(until) <= now)
    problems.push({ field: 'until', message: 'is over' })
  return problems
}

/** Unknown ones mean nothing anywhere: the schema leaves them out. */
const knownNames = [
  'operationId',
  'railId',
  'eventType',
  'customerId',
  'accountId',
  'minAmount',
  'ms',
  'distribution',
  'bytesPerSecond',
  'status',
  'code',
  'retryAfter',
  'copies',
  'seconds',
  'outcome',
]

function namesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return knownNames.filter((name) => (value as Record<string, unknown>)[name] != null)
}
