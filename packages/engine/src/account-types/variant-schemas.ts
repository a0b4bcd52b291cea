import { type TSchema, Type } from 'typebox'
import { type AccountType, PAYMENT_RAILS } from './account-type.ts'
import { beneficiarySchemas, component, walletBeneficiarySchemas } from './beneficiary-schemas.ts'
import type { Definition, FundingShape } from './definition.ts'
import { type Field, platformAccountId } from './fields.ts'

/**
 * The published components of a variant: creation, response and funding instructions. They state
 * presence, types, enums and bounds; the form of codes is judged after normalisation.
 */
export function schemasOf(
  definition: Definition,
  fields: Readonly<Record<string, Field>>,
): AccountType['schemas'] {
  const { name, aliases = [], kind, beneficiary, funding } = definition
  const prefix = componentPrefix(name)
  const names = [name, ...aliases]
  const isRailed = kind !== 'WALLET' && kind !== 'LIGHTNING'
  const union =
    kind === 'WALLET'
      ? walletBeneficiarySchemas
      : isRailed
        ? beneficiarySchemas(prefix, beneficiary ?? {})
        : null

  const own = { accountType: accountTypeSchema(names, 'ExternalAccountType'), ...schemasOfFields(fields) }
  const rails = isRailed ? { paymentRails: railsSchema(definition) } : {}
  const required = [
    'accountType',
    ...requiredOf(fields),
    ...(isRailed ? ['beneficiary', 'paymentRails'] : []),
  ]
  const build = (suffix: string, extra: Readonly<Record<string, TSchema>>) =>
    component(
      `${prefix}ExternalAccount${suffix}`,
      { ...own, platformAccountId: platformAccountId.schema, ...extra },
      required.filter((field) => field in own || field in extra),
    )
  const example = { examples: [{ accountType: name, ...definition.example }] }
  return {
    create: { ...build('CreateInfo', union ? { beneficiary: union.create } : {}), ...example },
    response: build('Info', { ...rails, ...(union && { beneficiary: union.response }) }),
    ...(funding !== null && {
      funding: fundingSchema(definition, fields, funding ?? { reference: 'REQUIRED' }),
    }),
    parts: union?.parts ?? [],
  }
}

function fundingSchema(
  definition: Definition,
  fields: Readonly<Record<string, Field>>,
  { names, fields: extra = {}, replacesFields, reference }: FundingShape,
): TSchema {
  const isRailed = definition.kind !== 'WALLET' && definition.kind !== 'LIGHTNING'
  const all = replacesFields ? extra : { ...fields, ...extra }
  const shown = {
    accountType: accountTypeSchema(names ?? [definition.name], 'PaymentAccountType'),
    ...schemasOfFields(all),
    ...(isRailed && !replacesFields && { paymentRails: railsSchema(definition) }),
    ...(reference !== 'NONE' && { reference: referenceSchema }),
  }
  const required = [
    'accountType',
    'paymentRails',
    ...requiredOf(all),
    ...(reference === 'REQUIRED' ? ['reference'] : []),
  ]
  const suffix = isRailed ? 'AccountInfo' : 'Info'
  return component(`Payment${componentPrefix(definition.name)}${suffix}`, shown, required)
}

const referenceSchema = Type.String({ description: 'Must travel with the payment, else it finds no owner.' })

/** `USD_ACCOUNT` → `Usd`, `BASE_WALLET` → `BaseWallet`: the names of the published components. */
export function componentPrefix(name: string): string {
  return name
    .replace(/_ACCOUNT$/, '')
    .split('_')
    .map((word) => `${word[0]}${word.slice(1).toLowerCase()}`)
    .join('')
}

/** The discriminator: this variant's values, out of the list of all. */
export function accountTypeSchema(names: readonly string[], all: string): TSchema {
  return Type.Unsafe<string>({ type: 'string', enum: [...names], allOf: [{ $ref: all }] })
}

function railsSchema({ identifiers }: Definition): TSchema {
  const rails = PAYMENT_RAILS.filter((rail) =>
    identifiers.some((identifier) => identifier.rails.includes(rail)),
  )
  return Type.Array(Type.Enum([...rails], { type: 'string' }), { description: 'Default first.' })
}

function schemasOfFields(fields: Readonly<Record<string, Field>>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
}

function requiredOf(fields: Readonly<Record<string, Field>>): string[] {
  return Object.keys(fields).filter((name) => fields[name]!.isRequired)
}
