import { type TSchema, Type } from 'typebox'
import type { AccountInfo } from './account-type.ts'
import { accountTypes, discriminators } from './catalogue.ts'
import { component, unionOf } from './components.ts'
import { accountTypeSchema } from './variant-schemas.ts'

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
    payloadToSign: Type.String({ description: 'Payload for the wallet to sign, byte for byte.' }),
  }),
]

function fundingVariant(name: string, $id: string, fields: Readonly<Record<string, TSchema>>): TSchema {
  return Type.Object({ accountType: accountTypeSchema([name], discriminators.payment), ...fields }, { $id })
}

/** `accountOrWalletInfo` of a payment or funding instruction (accounts 3.3). */
export const paymentAccountInfo = unionOf<AccountInfo>(
  'accountType',
  [...accountTypes.map(({ schemas }) => schemas.funding), ...fundingOnly],
  { $id: 'PaymentAccountInfo' },
)

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
      accountOrWalletInfo: paymentAccountInfo,
    },
    ['accountOrWalletInfo'],
  ),
)
