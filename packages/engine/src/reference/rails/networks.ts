import { failed, ok, type Result } from '@corridor/kernel'

/** A network that carries crypto assets, with what a withdrawal on it costs (accounts 6.3). */
export interface CryptoNetwork {
  readonly id: string
  /** Assets that may be sent here. */
  readonly assets: readonly string[]
  /** Assets for which accounts get deposit addresses here (accounts 3.3). */
  readonly depositAssets: readonly string[]
  readonly feeAsset: string
  /** In the smallest unit of `feeAsset` (lamports, wei, sun, sat). Never added to other amounts. */
  readonly networkFeeAmount: bigint
  /** The same fee in minor units of the asset sent: sat for BTC, 6 decimals for stablecoins. */
  readonly convertedFeeMinor: bigint
}

const usdc = ['USDC'] as const
const usdt = ['USDT'] as const
const usdcUsdt = ['USDC', 'USDT'] as const
const btc = ['BTC'] as const
const btcUsdb = ['BTC', 'USDB'] as const

type Row = readonly [
  id: string,
  assets: readonly string[],
  depositAssets: readonly string[],
  feeAsset: string,
  networkFeeAmount: bigint,
  convertedFeeMinor: bigint,
]

/** In the order in which funding instructions list them. */
const rows = [
  ['SPARK', btcUsdb, btc, 'BTC', 0n, 0n],
  ['LIGHTNING', btc, [], 'BTC', 0n, 0n],
  ['BITCOIN', btc, btc, 'BTC', 1_500n, 1_500n],
  ['SOLANA', usdcUsdt, usdc, 'SOL', 5_000n, 5_000n],
  ['BASE', usdc, usdc, 'ETH', 2_000_000_000_000n, 10_000n],
  ['POLYGON', usdc, usdc, 'POL', 3_000_000_000_000_000n, 10_000n],
  ['ETHEREUM', usdcUsdt, usdcUsdt, 'ETH', 150_000_000_000_000n, 600_000n],
  ['TRON', usdt, usdt, 'TRX', 13_500_000n, 4_000_000n],
  ['PLASMA', usdt, usdt, 'XPL', 0n, 0n],
] as const satisfies readonly Row[]

export type NetworkId = (typeof rows)[number][0]

export const networks: readonly (CryptoNetwork & { readonly id: NetworkId })[] = rows.map(
  ([id, assets, depositAssets, feeAsset, networkFeeAmount, convertedFeeMinor]) => ({
    id,
    assets,
    depositAssets,
    feeAsset,
    networkFeeAmount,
    convertedFeeMinor,
  }),
)

const networkById = new Map<string, CryptoNetwork>(networks.map((network) => [network.id, network]))

export function isNetworkId(text: string): text is NetworkId {
  return networkById.has(text)
}

export function networkOf(id: NetworkId): CryptoNetwork {
  return networkById.get(id)!
}

export function networksCarrying(asset: string): NetworkId[] {
  return networks.filter((network) => network.assets.includes(asset)).map((network) => network.id)
}

export function depositNetworksOf(asset: string): NetworkId[] {
  return networks.filter((network) => network.depositAssets.includes(asset)).map((network) => network.id)
}

export interface WithdrawalEstimate {
  readonly networkFeeAmount: bigint
  readonly networkFeeAsset: string
  readonly applicationFeeMinor: bigint
  /** Converted network fee and application fee, in minor units of the asset withdrawn. */
  readonly totalFeeMinor: bigint
  /** amount = totalFee + net, exactly. */
  readonly netAmountMinor: bigint
}

/**
 * What a withdrawal of `amountMinor` costs, the same numbers it costs when it executes (accounts 6.3).
 * Fails with INVALID_INPUT when the network does not carry the asset, INVALID_AMOUNT when the amount is
 * not positive, AMOUNT_OUT_OF_RANGE when the fees leave nothing.
 */
export function estimateWithdrawal({
  network,
  asset,
  amountMinor,
  applicationFeeMinor = 0n,
}: {
  readonly network: NetworkId
  readonly asset: string
  readonly amountMinor: bigint
  readonly applicationFeeMinor?: bigint
}): Result<WithdrawalEstimate, 'INVALID_INPUT' | 'INVALID_AMOUNT' | 'AMOUNT_OUT_OF_RANGE'> {
  const { assets, feeAsset, networkFeeAmount, convertedFeeMinor } = networkOf(network)
  if (!assets.includes(asset)) return failed('INVALID_INPUT')
  if (amountMinor <= 0n) return failed('INVALID_AMOUNT')
  const totalFeeMinor = convertedFeeMinor + applicationFeeMinor
  if (amountMinor <= totalFeeMinor) return failed('AMOUNT_OUT_OF_RANGE')
  return ok({
    networkFeeAmount,
    networkFeeAsset: feeAsset,
    applicationFeeMinor,
    totalFeeMinor,
    netAmountMinor: amountMinor - totalFeeMinor,
  })
}
