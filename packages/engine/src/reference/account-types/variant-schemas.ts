import { type TSchema, Type } from 'typebox'
import { paymentRails } from '../rails/index.ts'
import { type AccountType, isRailed } from './account-type.ts'
import {
  type BeneficiarySchemas,
  beneficiarySchemas,
  walletBeneficiarySchemas,
} from './beneficiary-schemas.ts'
import { component } from './components.ts'
import type { Definition, FundingShape } from './definition.ts'
import { type Field, platformAccountId } from './fields.ts'
import type { AccountTypeNames } from './names.ts'

/**
 * The published components of a variant: creation, response and funding instructions. They state
 * presence, types, enums and bounds; the form of codes is judged after normalisation.
 */
export function schemasOf(
  definition: Definition,
  fields: Readonly<Record<string, Field>>,
  names: AccountTypeNames,
): AccountType['schemas'] {
  const { name, aliases = [], kind } = definition
  const union = beneficiaryOf(definition)
  const rails = isRailed(kind) ? { paymentRails: railsSchema(definition) } : {}
  const own = {
    accountType: accountTypeSchema([name, ...aliases], names.external),
    ...schemasOfFields(fields),
    platformAccountId: platformAccountId.schema,
  }
  const required = ['accountType', ...requiredOf(fields), ...(isRailed(kind) ? ['beneficiary'] : [])]
  const id = `${componentPrefix(name)}ExternalAccount`
  const create = component(
    `${id}CreateInfo`,
    { ...own, ...(union && { beneficiary: union.create }) },
    required,
  )
  return {
    create: { ...create, examples: [{ accountType: name, ...definition.example }] },
    response: component(`${id}Info`, { ...own, ...rails, ...(union && { beneficiary: union.response }) }, [
      ...required,
      ...Object.keys(rails),
    ]),
    funding: fundingSchema(definition, fields, names),
  }
}

function beneficiaryOf({ name, kind, beneficiary = {} }: Definition): BeneficiarySchemas | undefined {
  if (isRailed(kind)) return beneficiarySchemas(componentPrefix(name), beneficiary)
  return kind === 'WALLET' ? walletBeneficiarySchemas : undefined
}

function fundingSchema(
  definition: Definition,
  fields: Readonly<Record<string, Field>>,
  all: AccountTypeNames,
): TSchema {
  const { names, fields: extra = {}, replacesFields, reference } = definition.funding ?? standardFunding
  const coordinates = replacesFields ? extra : { ...fields, ...extra }
  const shown = {
    accountType: accountTypeSchema(names ?? [definition.name], all.payment),
    ...schemasOfFields(coordinates),
    ...(isRailed(definition.kind) && !replacesFields && { paymentRails: railsSchema(definition) }),
    ...(reference !== 'NONE' && { reference: referenceSchema }),
  }
  const required = [
    'accountType',
    'paymentRails',
    ...requiredOf(coordinates),
    ...(reference === 'REQUIRED' ? ['reference'] : []),
  ]
  const suffix = isRailed(definition.kind) ? 'AccountInfo' : 'Info'
  return component(`Payment${componentPrefix(definition.name)}${suffix}`, shown, required)
}

const standardFunding: FundingShape = { reference: 'REQUIRED' }

const referenceSchema = Type.String({
  description:
    'Reference that the payment must contain. Without the reference, the deposit goes to suspense.',
})

/** `USD_ACCOUNT` → `Usd`, `BASE_WALLET` → `BaseWallet`: the names of the published components. */
export function componentPrefix(name: string): string {
  return name
    .replace(/_ACCOUNT$/, '')
    .split('_')
    .map((word) => `${word[0]}${word.slice(1).toLowerCase()}`)
    .join('')
}

/** The discriminator: this variant's values, out of the list of all. */
export function accountTypeSchema(names: readonly string[], all: TSchema): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: [...names], allOf: [all] })
}

function railsSchema({ identifiers }: Definition): TSchema {
  const rails = paymentRails.filter((rail) =>
    identifiers.some((identifier) => identifier.rails.includes(rail)),
  )
  return Type.Array(Type.Enum([...rails], { type: 'string' }), {
    description: 'Payment rails of the account. The first rail is the default.',
  })
}

function schemasOfFields(fields: Readonly<Record<string, Field>>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
}

function requiredOf(fields: Readonly<Record<string, Field>>): string[] {
  return Object.keys(fields).filter((name) => fields[name]!.isRequired)
}
