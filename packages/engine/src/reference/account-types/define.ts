import { assert, type FieldError, upperAscii } from '@corridor/kernel'
import {
  type AccountInfo,
  type AccountType,
  type CheckContext,
  type CheckResult,
  isRailed,
  textOf,
} from './account-type.ts'
import { checkBeneficiary, normalizeBeneficiary } from './beneficiary.ts'
import type { BeneficiaryNeeds } from './beneficiary-schemas.ts'
import type { Definition, Identifier, Refuse } from './definition.ts'
import { bankName, type Field, platformAccountId, type Rule } from './fields.ts'
import type { AccountTypeNames } from './names.ts'
import { schemasOf } from './variant-schemas.ts'

/** An account type whose schemas wait for the list of all names, which they refer to (catalogue.ts). */
export type DefinedAccountType = Omit<AccountType, 'schemas'> & {
  readonly schemas: (names: AccountTypeNames) => AccountType['schemas']
}

/** Builds an account type from its definition. Everything that all variants share lives here. */
export function defineAccountType(definition: Definition): DefinedAccountType {
  const { name, aliases = [], kind, identifiers } = definition
  const isBank = kind === 'BANK' || kind === 'BANK_OR_MOBILE_MONEY'
  const fields: Readonly<Record<string, Field>> = {
    ...definition.fields,
    ...(isBank && !definition.fields.bankName && { bankName }),
  }
  const needs = needsOf(definition)
  const given = (info: AccountInfo) =>
    identifiers.filter((identifier) => textOf(info, identifier.field) !== undefined)

  function primary(info: AccountInfo): Identifier & { value: string } {
    const [identifier] = given(info)
    assert(identifier, `${name} is checked before its primary id is read`)
    return { ...identifier, value: textOf(info, identifier.field)! }
  }

  return {
    name,
    aliases,
    kind,
    currencies: definition.currencies,
    isCurrencyConfigurable: definition.isCurrencyConfigurable ?? false,
    countries: definition.countries,
    ...(definition.network && { network: definition.network }),
    isPullable: definition.isPullable ?? { SHAPE: isBank, FULL: false },
    schemas: (names) => schemasOf(definition, fields, names),
    example: { accountType: name, ...definition.example },
    normalize(sent) {
      const kept = normalizeFields(sent, fields)
      const beneficiary = needs && normalizeBeneficiary(sent.beneficiary, needs)
      const info = { ...kept, ...(beneficiary !== undefined && beneficiary !== null && { beneficiary }) }
      return definition.derive?.(info) ?? info
    },
    check: (info, context) => check(definition, fields, info, context),
    primaryId: (info) => primary(info).value,
    duplicateKey(info, currency) {
      const { field, value, canonical, uniqueWithin = [] } = primary(info)
      const within = uniqueWithin.map((other) => upperAscii(textOf(info, other) ?? '') || null)
      return JSON.stringify([name, currency, field, canonical?.(value) ?? value, ...within])
    },
    rails: (info) => [...new Set(given(info).flatMap(({ rails }) => rails))],
    isSelfCustody: (info) => kind === 'WALLET' && textOf(info, 'vaspName') === undefined,
  }
}

/** What is asked of a beneficiary, or undefined where none is taken. A business paid over a rail needs an address. */
function needsOf({ kind, beneficiary = {} }: Definition): BeneficiaryNeeds | undefined {
  if (!isRailed(kind)) return kind === 'WALLET' ? {} : undefined
  return { ...beneficiary, businessInFull: ['address', ...(beneficiary.businessInFull ?? [])] }
}

function normalizeFields(sent: AccountInfo, fields: Readonly<Record<string, Field>>): AccountInfo {
  const kept: Record<string, unknown> = {}
  for (const [name, { clean }] of Object.entries({ ...fields, platformAccountId })) {
    const value = sent[name]
    if (value === undefined || value === null) continue
    kept[name] = typeof value === 'string' ? clean(value) : value
  }
  return { accountType: sent.accountType, ...kept }
}

function check(
  definition: Definition,
  fields: Readonly<Record<string, Field>>,
  info: AccountInfo,
  context: CheckContext,
): CheckResult {
  const isFull = context.strictness === 'FULL'
  const shape: FieldError[] = []
  const bank: FieldError[] = []

  for (const [name, { shape: rules, fullShape, bank: bankRules }] of Object.entries(fields)) {
    const value = info[name]
    if (typeof value !== 'string') continue
    const broken = firstBroken(isFull ? [...rules, ...fullShape] : rules, value)
    if (broken) refuseInto(shape)(name, broken.message, broken.constraint)
    // A checksum over the wrong number of digits would only repeat the complaint.
    const failed = isFull && !broken ? firstBroken(bankRules, value) : undefined
    if (failed) refuseInto(bank)(name, failed.message)
  }
  checkIdentifiers(definition, info, refuseInto(shape))
  definition.refuseShape?.(info, refuseInto(shape))
  const needs = needsOf(definition)
  if (needs) shape.push(...checkBeneficiary(info, needs, context))

  if (isFull) {
    definition.refuseBank?.(info, context, refuseInto(bank))
    const named = textOf(info, 'bankName')
    if (context.bankNames && named !== undefined && !context.bankNames.includes(named)) {
      refuseInto(bank)('bankName', 'is not a bank known for this currency')
    }
  }
  return { shape, bank }
}

/** Some identifier must be given, one that is begun must be completed, and a sole one is the schema's part. */
function checkIdentifiers(
  { identifiers, takesExactlyOne }: Definition,
  info: AccountInfo,
  refuse: Refuse,
): void {
  if (identifiers.length < 2) return
  const given = identifiers.filter(({ field }) => textOf(info, field) !== undefined)
  const choices = identifiers.map(({ field, needs = [] }) => [field, ...needs].join(' with ')).join(', or ')
  // Text of another type was refused by the schema; it is wrong, not missing.
  const isAnySent = identifiers.some(({ field }) => info[field] !== undefined)
  if (!isAnySent) refuse('', `must contain ${choices}`)
  if (takesExactlyOne && given.length > 1) refuse('', `must contain only one of: ${choices}`)
  for (const { field, needs = [] } of given) {
    for (const missing of needs.filter((other) => info[other] === undefined)) {
      refuse(missing, `is required with ${field}`)
    }
  }
}

function firstBroken(rules: readonly Rule[], value: string): Rule | undefined {
  return rules.find(({ accepts }) => !accepts(value))
}

function refuseInto(errors: FieldError[]): Refuse {
  return (field, message, constraint) => {
    const path = field === '' ? 'accountInfo' : `accountInfo.${field}`
    errors.push({ field: path, message, ...(constraint && { constraint }) })
  }
}
