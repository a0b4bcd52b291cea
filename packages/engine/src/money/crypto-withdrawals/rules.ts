import { failed, ok, type Result, toWireAmount } from '@corridor/kernel'
import type { Strictness } from '../../reference/account-types/index.ts'
import { isCrypto } from '../../reference/currencies/index.ts'
import { estimateWithdrawal, isNetworkId, networkOf, networksCarrying } from '../../reference/rails/index.ts'
import { type Failure, fail, failFields, outOfRange } from '../../vocabulary/errors.ts'
import type { EstimateCryptoWithdrawalFeeRequest, EstimateCryptoWithdrawalFeeResponse } from './contract.ts'
import { isAddressOf } from './destinations.ts'

/** What a withdrawal would cost (accounts 6.3). Nothing is reserved and no balance is looked at. */
export function estimateFee(
  account: { readonly currency: string },
  request: EstimateCryptoWithdrawalFeeRequest,
  checks: { readonly strictness: Strictness; readonly now: number },
): Result<EstimateCryptoWithdrawalFeeResponse, Failure> {
  const { currency, cryptoNetwork, amount, destinationAddress } = request
  if (!isCrypto(account.currency)) {
    return failed(
      failFields([{ field: 'internalAccountId', message: 'is not an account in a crypto asset' }]),
    )
  }
  if (currency !== account.currency) {
    return failed(fail('INVALID_CURRENCY', { field: 'currency', currency, supported: [account.currency] }))
  }
  const carriers = networksCarrying(currency)
  if (!isNetworkId(cryptoNetwork) || !carriers.includes(cryptoNetwork)) {
    const message = `does not support ${currency}`
    return failed(failFields([{ field: 'cryptoNetwork', message, constraint: { enum: carriers } }]))
  }
  if (!isAddressOf(cryptoNetwork, destinationAddress, checks)) {
    const message = `is not an address on ${cryptoNetwork}`
    return failed(failFields([{ field: 'destinationAddress', message }]))
  }
  const estimate = estimateWithdrawal({
    network: cryptoNetwork,
    asset: currency,
    amountMinor: BigInt(amount),
  })
  if (!estimate.ok) {
    if (estimate.failure !== 'AMOUNT_OUT_OF_RANGE') return failed(fail(estimate.failure))
    const least = networkOf(cryptoNetwork).convertedFeeMinor + 1n
    return failed(outOfRange(currency, { least, reason: 'FEES_EXCEED_AMOUNT' }))
  }
  const { networkFeeAmount, networkFeeAsset, applicationFeeMinor, totalFeeMinor, netAmountMinor } =
    estimate.value
  return ok({
    networkFee: toWireAmount(networkFeeAmount),
    networkFeeAsset,
    applicationFee: toWireAmount(applicationFeeMinor),
    totalFee: toWireAmount(totalFeeMinor),
    netAmount: toWireAmount(netAmountMinor),
  })
}
