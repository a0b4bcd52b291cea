import { type TSchema, Type } from 'typebox'
import { type AccountInfo, CRYPTO_NETWORKS, PAYMENT_RAILS } from './account-type.ts'
import { accountTypeNames, accountTypes } from './catalogue.ts'
import { component, componentId, unionOf } from './components.ts'
import { accountTypeSchema } from './variant-schemas.ts'

const named = (id: string, values: readonly string[]) => Type.Enum([...values], { $id: id, type: 'string' })

export const paymentRailSchema = named('PaymentRail', PAYMENT_RAILS)
export const cryptoNetworkSchema = named('CryptoNetwork', CRYPTO_NETWORKS)
const externalAccountType = named('ExternalAccountType', accountTypeNames)

/** Ways to be paid that cannot be the account of somebody else (accounts 3.3). */
const fundingOnly: readonly TSchema[] = [
  fundingVariant('ARS_ACCOUNT', 'PaymentArsAccountInfo', {
    accountNumber: Type.String({ description: 'CVU, 22 digits.' }),
  }),
  fundingVariant('BITCOIN_L1', 'PaymentBitcoinDepositAddressInfo', {
    address: Type.String(),
    network: Type.Optional(Type.Enum(['BITCOIN'], { type: 'string' })),
  }),
  fundingVariant('EMBEDDED_WALLET', 'PaymentEmbeddedWalletInfo', {
    payloadToSign: Type.String({ description: 'To be signed by the wallet, byte for byte.' }),
  }),
]

function fundingVariant(name: string, $id: string, fields: Readonly<Record<string, TSchema>>): TSchema {
  return Type.Object({ accountType: accountTypeSchema([name], 'PaymentAccountType'), ...fields }, { $id })
}

const fundingVariants = [...accountTypes.map(({ schemas }) => schemas.funding), ...fundingOnly]
const paymentAccountType = named('PaymentAccountType', fundingVariants.flatMap(namesOf))

function namesOf(variant: TSchema): readonly string[] {
  return (variant as { properties: { accountType: { enum: readonly string[] } } }).properties.accountType.enum
}

/** `accountInfo` of a creation request. */
export const externalAccountCreateInfo = unionOf<AccountInfo>(
  'accountType',
  accountTypes.map(({ schemas }) => schemas.create),
  { $id: 'ExternalAccountCreateInfo' },
)
/** `accountInfo` of a response. */
export const externalAccountInfo = unionOf<AccountInfo>(
  'accountType',
  accountTypes.map(({ schemas }) => schemas.response),
  { $id: 'ExternalAccountInfo' },
)
/** `accountOrWalletInfo` of a payment or funding instruction (accounts 3.3). */
export const paymentAccountInfo = unionOf<AccountInfo>('accountType', fundingVariants, {
  $id: 'PaymentAccountInfo',
})

/** One way to bring money in, with what the payer must know. */
export interface PaymentInstructions {
  readonly accountOrWalletInfo: AccountInfo
  readonly instructionsNotes?: string
  readonly isPlatformAccount?: boolean
}
export const paymentInstructions = Type.Unsafe<PaymentInstructions>(
  component(
    'PaymentInstructions',
    {
      instructionsNotes: Type.String(),
      isPlatformAccount: Type.Boolean(),
      accountOrWalletInfo: Type.Ref('PaymentAccountInfo'),
    },
    ['accountOrWalletInfo'],
  ),
)

/** Every component of this folder, once: to be registered before a schema that refers to them is compiled. */
export const accountComponents: readonly TSchema[] = [
  ...new Map(
    [
      paymentRailSchema,
      cryptoNetworkSchema,
      externalAccountType,
      paymentAccountType,
      ...accountTypes.flatMap(({ schemas }) => [...schemas.parts, schemas.create, schemas.response]),
      ...fundingVariants,
      externalAccountCreateInfo,
      externalAccountInfo,
      paymentAccountInfo,
      paymentInstructions,
    ].map((schema) => [componentId(schema), schema]),
  ).values(),
]
