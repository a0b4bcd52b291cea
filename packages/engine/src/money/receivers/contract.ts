import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  CounterpartyFieldDefinition,
  Currency,
  idOf,
  umaAddress,
  unsignedMinor,
} from '../../vocabulary/shapes.ts'

const tag = 'Cross-Currency Transfers'

export const CurrencyPreference = Type.Object(
  {
    currency: Currency,
    estimatedExchangeRate: Type.Number({
      exclusiveMinimum: 0,
      description: 'Indicative rate in receiving units per sending unit.',
    }),
    min: unsignedMinor({ description: 'Minimum amount, in the smallest unit of the receiving currency.' }),
    max: unsignedMinor({ description: 'Maximum amount, in the smallest unit of the receiving currency.' }),
  },
  { $id: 'CurrencyPreference' },
)
export type CurrencyPreference = Static<typeof CurrencyPreference>

const lookupFields = {
  supportedCurrencies: Type.Array(CurrencyPreference, {
    description: "Currencies in the receiver's order of preference.",
  }),
  requiredPayerDataFields: Type.Array(CounterpartyFieldDefinition),
  lookupId: idOf('Lookup'),
}

export const ReceiverUmaLookup = Type.Object(
  { ...lookupFields, receiverUmaAddress: umaAddress() },
  { $id: 'ReceiverUmaLookupResponse' },
)
export type ReceiverUmaLookup = Static<typeof ReceiverUmaLookup>

export const ReceiverExternalAccountLookup = Type.Object(
  { ...lookupFields, accountId: idOf('ExternalAccount') },
  { $id: 'ReceiverExternalAccountLookupResponse' },
)
export type ReceiverExternalAccountLookup = Static<typeof ReceiverExternalAccountLookup>

/** Who would send; the platform itself when neither is given (accounts 5.1). */
const sender = Type.Object({
  senderUmaAddress: Type.Optional(umaAddress()),
  customerId: Type.Optional(idOf('Customer')),
})

export const lookupUma = operation({
  id: 'lookupUma',
  method: 'GET',
  path: '/receiver/uma/{receiverUmaAddress}',
  tag,
  summary: 'Look up the receiver behind a UMA address',
  description:
    "Returns the currencies that the receiver accepts and the sender information that the receiver's institution requires. The lookup is valid for ten minutes, for quotes of the same sender. The sender is the customer with `customerId` or with `senderUmaAddress`. If both are absent, the sender is the platform.",
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ receiverUmaAddress: Type.String() }),
  query: sender,
  responses: { 200: ReceiverUmaLookup },
  errors: [
    'INVALID_UMA_ADDRESS',
    'SELF_PAYMENT',
    'INVALID_RECEIVER',
    'LOOKUP_REQUEST_FAILED',
    'PARSE_LNURLP_RESPONSE_ERROR',
    'CERT_CHAIN_INVALID',
    'CERT_CHAIN_EXPIRED',
    'INVALID_PUBKEY_FORMAT',
    'MISSING_REQUIRED_UMA_PARAMETERS',
    'INVALID_TIMESTAMP',
    'INVALID_NONCE',
    'USER_NOT_READY',
    'COUNTERPARTY_NOT_ALLOWED',
    'USER_NOT_FOUND',
    'UMA_NOT_FOUND',
    'UNSUPPORTED_UMA_VERSION',
    'LNURLP_REQUEST_FAILED',
    'COUNTERPARTY_PUBKEY_FETCH_ERROR',
    'NO_COMPATIBLE_UMA_VERSION',
  ],
})

export const lookupExternalAccount = operation({
  id: 'lookupExternalAccount',
  method: 'GET',
  path: '/receiver/external-account/{accountId}',
  tag,
  summary: 'Look up an external account as a receiver',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ accountId: Type.String() }),
  query: sender,
  responses: { 200: ReceiverExternalAccountLookup },
  errors: [
    'USER_NOT_READY',
    'USER_NOT_FOUND',
    'REFERENCE_NOT_FOUND',
    'UNSUPPORTED_UMA_VERSION',
    'LNURLP_REQUEST_FAILED',
  ],
})
