import type { Instant } from '@corridor/kernel'
import {
  type FaultKind,
  type FaultParams,
  type FaultTarget,
  faultKinds,
  faultMatches,
  faultParams,
  longestHoldSeconds,
} from '../../mechanisms/faults/fault.ts'
import type { Faults } from '../../mechanisms/faults/faults.ts'
import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import { hadPrototype } from '../../mechanisms/http/strict-json.ts'
import { isDelivered } from '../../mechanisms/outbox/delivery-policy.ts'
import { isRailId } from '../../reference/rails/index.ts'
import { errorRegistry, errorStatuses, type FieldProblem } from '../../vocabulary/errors.ts'
import { faultNames, mostInFile } from './contract.ts'

/**
 * What the schema cannot say of a fault: which kinds, matches and parameters go together. A name that nobody knows is a
 * slip of whoever wrote it: without what it was to say the fault would hit everything.
 */
export const checkFault: BodyCheck = ({ faults }, { now }, body) => problemsOf(faults, now, body)

/** The same for each of a file. */
export const checkFaults: BodyCheck = ({ faults }, { now }, body) => {
  const given = Array.isArray(body.faults) ? (body.faults as unknown[]).slice(0, mostInFile) : []
  return [
    ...unknownNames(body, ['seed', 'faults']),
    ...given.flatMap((fault, index) => {
      if (!isObject(fault)) return []
      return problemsOf(faults, now, fault).map((problem) => ({
        ...problem,
        field: `faults.${index}.${problem.field}`,
      }))
    }),
  ]
}

/** Answers tell a hundred wrong fields. */
const mostUnknown = 100

function unknownNames(value: unknown, known: readonly string[], within = ''): FieldProblem[] {
  if (!isObject(value)) return []
  const names = hadPrototype(value) ? [...Object.keys(value), '__proto__'] : Object.keys(value)
  const unknown = names.filter((name) => !known.includes(name))
  return unknown
    .slice(0, mostUnknown)
    .map((name) => ({ field: `${within}${name.slice(0, 64)}`, message: 'is not known' }))
}

/** Of a member beside the others, where it belongs if that is known. */
function unknownBeside(fault: Readonly<Record<string, unknown>>): FieldProblem[] {
  return unknownNames(fault, faultNames['']).map((problem) => {
    const place = (['match', 'params'] as const).find((each) => faultNames[each].includes(problem.field))
    return place ? { ...problem, message: `does not belong here: move it to ${place}` } : problem
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function problemsOf(
  faults: Pick<Faults, 'isOperation'>,
  now: Instant,
  body: Readonly<Record<string, unknown>>,
): FieldProblem[] {
  const { kind, target, match, params, until } = body
  // A misspelt match would be none, and the fault would hit everything.
  const problems: FieldProblem[] = [
    ...unknownBeside(body),
    ...unknownNames(match, faultNames.match, 'match.'),
    ...unknownNames(params, faultNames.params, 'params.'),
  ]
  const isTarget = typeof target === 'string' && Object.hasOwn(faultKinds, target)
  const isKind = typeof kind === 'string' && Object.hasOwn(faultParams, kind)
  if (isTarget && isKind && !Object.hasOwn(faultKinds[target as FaultTarget], kind)) {
    const kinds = Object.keys(faultKinds[target as FaultTarget]).join(', ')
    problems.push({ field: 'kind', message: `is not a kind for ${target}: use ${kinds}` })
  }
  if (isTarget) {
    const known: readonly string[] = faultMatches[target as FaultTarget]
    for (const name of namesOf(match)) {
      if (!known.includes(name))
        problems.push({ field: `match.${name}`, message: `does not apply to ${target}` })
    }
  }
  const { operationId } = (match ?? {}) as { operationId?: unknown }
  if (target === 'API' && typeof operationId === 'string' && !faults.isOperation(operationId)) {
    problems.push({ field: 'match.operationId', message: 'is not an operation that faults can target' })
  }
  const { railId } = (match ?? {}) as { railId?: unknown }
  if (target === 'RAIL' && typeof railId === 'string' && !isRailId(railId)) {
    problems.push({ field: 'match.railId', message: 'is not a rail' })
  }
  if (isKind) {
    const { may = [], must } = faultParams[kind as FaultKind]
    for (const name of namesOf(params)) {
      if (name !== must && !may.includes(name as keyof FaultParams)) {
        problems.push({ field: `params.${name}`, message: `does not apply to ${kind}` })
      }
    }
    if (must && !namesOf(params).includes(must))
      problems.push({ field: `params.${must}`, message: 'is required' })
    const { code, seconds, status } = (params ?? {}) as Partial<
      Record<'code' | 'seconds' | 'status', unknown>
    >
    if (target === 'WEBHOOK' && Number(seconds) > longestHoldSeconds) {
      problems.push({ field: 'params.seconds', message: `is more than ${longestHoldSeconds}` })
    }
    if (kind === 'ERROR' && target === 'API' && status != null && !errorStatuses.includes(Number(status))) {
      const message = `must be an error status of the API: ${errorStatuses.join(', ')}`
      problems.push({ field: 'params.status', message })
    }
    // It would be taken for delivered, and sent to nobody.
    if (
      kind === 'ERROR' &&
      target === 'WEBHOOK' &&
      isDelivered({ ok: true, status: Number(status), body: '' })
    ) {
      problems.push({
        field: 'params.status',
        message: 'is not possible, because the endpoint would already have the event',
      })
    }
    if (kind === 'ERROR' && typeof code === 'string' && !Object.hasOwn(errorRegistry, code)) {
      problems.push({ field: 'params.code', message: 'is not an error code' })
    }
  }
  if (typeof until === 'string' && Date.parse(until) <= now)
    problems.push({ field: 'until', message: 'is over' })
  return problems
}

/** Those that somebody knows: of the others it is said that nobody does. */
const knownNames = [...faultNames.match, ...faultNames.params]

function namesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return knownNames.filter((name) => (value as Record<string, unknown>)[name] != null)
}
