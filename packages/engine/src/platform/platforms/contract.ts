import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  CounterpartyFieldDefinition,
  CustomerInfoFieldName,
  currencyCode,
  emailAddress,
  enumOf,
  FixedFee,
  httpsUrl,
  idOf,
  nameText,
  nullable,
  plainText,
  timestamp,
  unsignedMinor,
  url,
} from '../../vocabulary/shapes.ts'

const tag = 'Platform Configuration'

/** The kinds of payment that a currency can be enabled for. */
const PaymentKind = enumOf(['INCOMING', 'OUTGOING'])

export const PlatformCurrencyConfig = Type.Object(
  {
    currencyCode: currencyCode(),
    minAmount: unsignedMinor({ description: 'Smallest payment, in the smallest unit of the currency.' }),
    maxAmount: unsignedMinor({ description: 'Largest payment, in the smallest unit of the currency.' }),
    requiredCounterpartyFields: Type.Array(CounterpartyFieldDefinition, {
      maxItems: 1000,
      description: 'Fields about the other side that the platform requires for a UMA payment.',
    }),
    enabledTransactionTypes: Type.Array(PaymentKind, { maxItems: 1000 }),
    providerRequiredCustomerFields: Type.Optional(
      Type.Array(CustomerInfoFieldName, {
        readOnly: true,
        description:
          'Fields that a customer must have on file to hold this currency. The service sets this list.',
      }),
    ),
    providerRequiredCounterpartyCustomerFields: Type.Optional(
      Type.Array(CustomerInfoFieldName, {
        readOnly: true,
        description:
          'Fields that the other side must have on file for this currency. The service sets this list.',
      }),
    ),
  },
  { $id: 'PlatformCurrencyConfig' },
)
export type PlatformCurrencyConfig = Static<typeof PlatformCurrencyConfig>

/** Defaults apply when a key is unset, and are not written into answers (customers 2). */
export const EmbeddedWalletConfig = Type.Object(
  {
    appName: Type.Optional(
      nameText({ description: 'Name of your app, shown in messages that contain a one-time code.' }),
    ),
    otpLength: Type.Optional(
      Type.Integer({ minimum: 4, maximum: 12, description: 'Length of a code. Default: 6.' }),
    ),
    alphanumeric: Type.Optional(
      Type.Boolean({ description: 'If true, the code contains letters and digits. Default: false.' }),
    ),
    expirationSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: 'Lifetime of a code. Default: 300.' }),
    ),
    sendFromEmailAddress: Type.Optional(
      emailAddress({
        description:
          "Reply address if replyToEmailAddress is not set. Corridor sends e-mails from the operator's address.",
      }),
    ),
    sendFromEmailSenderName: Type.Optional(
      nameText({ description: 'Sender name of e-mails. Default: Notifications.' }),
    ),
    replyToEmailAddress: Type.Optional(emailAddress({ description: 'Reply address of e-mails.' })),
    logoUrl: Type.Optional(
      httpsUrl({
        maxLength: 512,
        description: 'URL of the logo above the text of e-mails. The URL must use https.',
      }),
    ),
  },
  { $id: 'EmbeddedWalletConfig' },
)
export type EmbeddedWalletConfig = Static<typeof EmbeddedWalletConfig>

/** How cardholders receive the code that adds a card to a phone's wallet. */
export const CardTokenization2FAConfig = Type.Object(
  {
    displayName: Type.Optional(nameText()),
    logoUrl: Type.Optional(httpsUrl({ maxLength: 512 })),
    email: Type.Optional(
      Type.Object(
        {
          fromAddress: Type.Optional(emailAddress()),
          fromName: Type.Optional(nameText()),
          replyToAddress: Type.Optional(emailAddress()),
          subject: Type.Optional(nameText()),
          bodyText: Type.Optional(Type.String({ maxLength: 2000 })),
        },
        { $id: 'CardTokenization2FAEmailConfig' },
      ),
    ),
    sms: Type.Optional(
      Type.Object(
        {
          templateSid: Type.Optional(Type.String({ maxLength: 64 })),
          bodyText: Type.Optional(Type.String({ maxLength: 480 })),
        },
        { $id: 'CardTokenization2FASmsConfig' },
      ),
    ),
  },
  { $id: 'CardTokenization2FAConfig' },
)
export type CardTokenization2FAConfig = Static<typeof CardTokenization2FAConfig>

/** What the platform itself earns on a payment, on top of the fees of the service. */
export const FeeConfig = Type.Object(
  {
    feeType: enumOf(['CROSS_CURRENCY_TRANSACTION'], { $id: 'FeeType' }),
    sourceCurrency: currencyCode(),
    variableFeeBps: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Fee in hundredths of a percent of the sending amount. The value 30 means 0.3 %.',
    }),
    fixedFee: FixedFee,
  },
  { $id: 'FeeConfig' },
)
export type FeeConfig = Static<typeof FeeConfig>

const collecting = {
  'x-corridor-extension': true,
  description: 'If true, Corridor automatically collects receivables from later credits. Default: false.',
}

export const PlatformConfig = Type.Object(
  {
    id: idOf('PlatformConfig'),
    umaDomain: Type.String({ description: "Domain of the customers' UMA addresses." }),
    proxyUmaSubdomain: Type.Optional(
      Type.String({ readOnly: true, description: 'First label of umaDomain.' }),
    ),
    webhookEndpoint: Type.Optional(url()),
    supportedCurrencies: Type.Array(PlatformCurrencyConfig),
    isRegulatedFinancialInstitution: Type.Boolean({ readOnly: true }),
    embeddedWalletConfig: Type.Optional(EmbeddedWalletConfig),
    cardTokenization2faConfig: Type.Optional(CardTokenization2FAConfig),
    feeConfigs: Type.Array(FeeConfig),
    collectsReceivables: Type.Boolean(collecting),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'PlatformConfig' },
)
export type PlatformConfig = Static<typeof PlatformConfig>

/** Objects merge, arrays replace, except `feeConfigs`, which merge by type and currency (customers 2). */
export const PlatformConfigUpdateRequest = Type.Object(
  {
    umaDomain: Type.Optional(plainText()),
    webhookEndpoint: Type.Optional(nullable(url({ description: 'Null removes the endpoint.' }))),
    supportedCurrencies: Type.Optional(Type.Array(PlatformCurrencyConfig, { maxItems: 1000 })),
    embeddedWalletConfig: Type.Optional(EmbeddedWalletConfig),
    cardTokenization2faConfig: Type.Optional(CardTokenization2FAConfig),
    feeConfigs: Type.Optional(
      Type.Array(FeeConfig, { maxItems: 1000, description: 'Corridor removes an entry if both fees are 0.' }),
    ),
    collectsReceivables: Type.Optional(Type.Boolean(collecting)),
  },
  { $id: 'PlatformConfigUpdateRequest' },
)
export type PlatformConfigUpdateRequest = Static<typeof PlatformConfigUpdateRequest>

export const getPlatformConfig = operation({
  id: 'getPlatformConfig',
  method: 'GET',
  path: '/config',
  tag,
  summary: 'Read the configuration',
  auth: 'basic',
  permissions: ['VIEW'],
  responses: { 200: PlatformConfig },
  errors: [],
})

export const updatePlatformConfig = operation({
  id: 'updatePlatformConfig',
  method: 'PATCH',
  path: '/config',
  tag,
  summary: 'Change the configuration',
  description:
    'If any field is invalid, nothing changes. Corridor sends a TEST event to a new webhookEndpoint. New fees and currencies apply to quotes that you create afterwards.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: PlatformConfigUpdateRequest,
  responses: { 200: PlatformConfig },
  errors: ['INVALID_CURRENCY', 'NOT_IMPLEMENTED'],
  events: ['TEST'],
  example: {
    webhookEndpoint: 'https://platform.example.com/webhooks',
    feeConfigs: [
      {
        feeType: 'CROSS_CURRENCY_TRANSACTION',
        sourceCurrency: 'USD',
        variableFeeBps: 30,
        fixedFee: { amount: 100, currency: 'USD' },
      },
    ],
  },
})
