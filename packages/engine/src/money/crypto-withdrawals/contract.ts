import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { amountMinor, currencyCode, idOf, plainText, unsignedMinor } from '../../vocabulary/shapes.ts'

export const EstimateCryptoWithdrawalFeeRequest = Type.Object(
  {
    internalAccountId: idOf('InternalAccount'),
    currency: currencyCode({ examples: ['USDC'] }),
    cryptoNetwork: plainText({ examples: ['SOLANA'] }),
    amount: amountMinor(),
    destinationAddress: plainText({ examples: ['7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'] }),
  },
  { $id: 'EstimateCryptoWithdrawalFeeRequest' },
)
export type EstimateCryptoWithdrawalFeeRequest = Static<typeof EstimateCryptoWithdrawalFeeRequest>

export const EstimateCryptoWithdrawalFeeResponse = Type.Object(
  {
    networkFee: unsignedMinor({
      description: 'Network fee, in the smallest unit of networkFeeAsset instead of the currency.',
    }),
    networkFeeAsset: Type.String({ examples: ['SOL'] }),
    applicationFee: unsignedMinor({
      description: 'Application fee, in the smallest unit of the withdrawal currency.',
    }),
    totalFee: unsignedMinor({ description: 'Sum of the converted network fee and applicationFee.' }),
    netAmount: unsignedMinor({ description: 'Amount after fees: amount − totalFee.' }),
  },
  { $id: 'EstimateCryptoWithdrawalFeeResponse' },
)
export type EstimateCryptoWithdrawalFeeResponse = Static<typeof EstimateCryptoWithdrawalFeeResponse>

export const estimateCryptoWithdrawalFee = operation({
  id: 'estimateCryptoWithdrawalFee',
  method: 'POST',
  path: '/crypto/estimate-withdrawal-fee',
  tag: 'Cross-Currency Transfers',
  summary: 'Estimate the fee of a withdrawal to a wallet',
  description: 'Calculates the fee without reserving money or checking the balance.',
  auth: 'basic',
  permissions: ['VIEW'],
  body: EstimateCryptoWithdrawalFeeRequest,
  responses: { 200: EstimateCryptoWithdrawalFeeResponse },
  answersApart: 'nothing is changed',
  errors: ['INVALID_AMOUNT', 'AMOUNT_OUT_OF_RANGE', 'INVALID_CURRENCY', 'REFERENCE_NOT_FOUND'],
  example: {
    internalAccountId: 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70',
    currency: 'USDC',
    cryptoNetwork: 'SOLANA',
    amount: 1_000_000,
    destinationAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  },
})
