import type { Instant } from '@corridor/kernel'
import type { BodyCheck } from '../../mechanisms/feature/bound.ts'
import type { FieldProblem } from '../../vocabulary/errors.ts'
import {
  checkAddress,
  checkCountry,
  checkDate,
  earliestBirthDate,
  identifierForm,
  identifierWords,
} from '../customers/index.ts'
import { loadOwner } from './store.ts'

type Members = Readonly<Record<string, unknown>>

/** What the schema cannot say about an owner (customers 12), for a new one. */
export const checkNewOwner: BodyCheck = (_engine, scope, body) => {
  const info = membersOf(body.personalInfo)
  return [...checkFields(scope.now, info), ...checkIdentification(info, info)]
}

/** The same for a change, measured on the owner that it leads to. */
export const checkChangedOwner: BodyCheck = async (engine, scope, body, { beneficialOwnerId = '' }) => {
  const info = membersOf(body.personalInfo)
  const owner = await loadOwner(engine, scope, beneficialOwnerId)
  if (!owner) return checkFields(scope.now, info)
  const after: Record<string, unknown> = { ...owner.personalInfo }
  for (const [name, value] of Object.entries(info)) if (value !== undefined) after[name] = value
  return [...checkFields(scope.now, info), ...checkIdentification(after, info)]
}

function checkFields(now: Instant, info: Members): FieldProblem[] {
  const blank = ['firstName', 'lastName'].filter((name) => {
    const value = info[name]
    return typeof value === 'string' && value.trim() === ''
  })
  return [
    ...blank.map((name) => ({
      field: at(name),
      message: 'is blank',
      constraint: { minLength: 1 },
    })),
    ...checkDate(at('birthDate'), info.birthDate, now, earliestBirthDate),
    ...checkCountry(at('nationality'), info.nationality),
    ...checkAddress(at('address'), info.address),
    ...checkCountry(at('countryOfIssuance'), info.countryOfIssuance),
  ]
}

/** `given` are the members of the request: what it does not touch is not its mistake. */
function checkIdentification(info: Members, given: Members): FieldProblem[] {
  const isTouched = ['idType', 'identifier', 'countryOfIssuance'].some((name) => given[name] !== undefined)
  if (!isTouched) return []
  const { idType, identifier, countryOfIssuance } = info
  if (idType === 'SSN' || idType === 'ITIN') {
    if (typeof identifier !== 'string' || new RegExp(identifierForm).test(identifier)) return []
    const constraint = { pattern: identifierForm }
    return [{ field: at('identifier'), message: identifierWords, constraint }]
  }
  if (idType === 'NON_US_TAX_ID' && (countryOfIssuance === undefined || countryOfIssuance === null)) {
    return [{ field: at('countryOfIssuance'), message: 'is required with NON_US_TAX_ID' }]
  }
  return []
}

function at(name: string): string {
  return `personalInfo.${name}`
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}
