import { describe, expect, it, test } from 'vitest'
import {
  depositNetworksOf,
  estimateWithdrawal,
  isNetworkId,
  type NetworkId,
  networksCarrying,
  railOf,
} from './index.ts'
import { networks } from './networks.ts'

describe('the network table', () => {
  it('agrees with the rails about which assets travel where', () => {
    for (const network of networks) {
      expect([...railOf(network.id).currencies].sort()).toEqual([...network.assets].sort())
      for (const asset of network.depositAssets) expect(network.assets).toContain(asset)
    }
  })

  test.each([
    ['USDC', ['SOLANA', 'BASE', 'POLYGON', 'ETHEREUM'], ['SOLANA', 'BASE', 'POLYGON', 'ETHEREUM']],
    ['USDT', ['SOLANA', 'ETHEREUM', 'TRON', 'PLASMA'], ['ETHEREUM', 'TRON', 'PLASMA']],
    ['BTC', ['SPARK', 'LIGHTNING', 'BITCOIN'], ['SPARK', 'BITCOIN']],
    ['USDB', ['SPARK'], []],
    ['USD', [], []],
  ])('%s travels on %j and is deposited on %j', (asset, carrying, deposit) => {
    expect(networksCarrying(asset)).toEqual(carrying)
    expect(depositNetworksOf(asset)).toEqual(deposit)
  })

  it('knows no other network', () => {
    expect(isNetworkId('SOLANA')).toBe(true)
    expect(isNetworkId('DOGE')).toBe(false)
  })
})

describe('estimateWithdrawal', () => {
  test.each<[NetworkId, string, bigint, bigint, bigint]>([
    ['SOLANA', 'USDC', 1_000_000n, 5_000n, 995_000n],
    ['SOLANA', 'USDC', 5_001n, 5_000n, 1n],
    ['TRON', 'USDT', 5_000_000n, 4_000_000n, 1_000_000n],
    ['BITCOIN', 'BTC', 100_000n, 1_500n, 98_500n],
    ['PLASMA', 'USDT', 1n, 0n, 1n],
  ])('%s %s %d costs %d and leaves %d', (network, asset, amountMinor, totalFeeMinor, netAmountMinor) => {
    const estimate = estimateWithdrawal({ network, asset, amountMinor })
    expect(estimate).toMatchObject({ ok: true, value: { totalFeeMinor, netAmountMinor } })
  })

  it('shows the network fee in its own asset and adds the application fee', () => {
    expect(
      estimateWithdrawal({
        network: 'BASE',
        asset: 'USDC',
        amountMinor: 1_000_000n,
        applicationFeeMinor: 20_000n,
      }),
    ).toEqual({
      ok: true,
      value: {
        networkFeeAmount: 2_000_000_000_000n,
        networkFeeAsset: 'ETH',
        applicationFeeMinor: 20_000n,
        totalFeeMinor: 30_000n,
        netAmountMinor: 970_000n,
      },
    })
  })

  test.each<[NetworkId, string, bigint, string]>([
    ['SOLANA', 'USDC', 5_000n, 'AMOUNT_OUT_OF_RANGE'],
    ['SOLANA', 'USDC', 0n, 'INVALID_AMOUNT'],
    ['SOLANA', 'USDC', -1n, 'INVALID_AMOUNT'],
    ['TRON', 'USDC', 1_000_000n, 'INVALID_INPUT'],
    ['LIGHTNING', 'USDT', 0n, 'INVALID_INPUT'],
  ])('%s %s %d fails with %s', (network, asset, amountMinor, failure) => {
    expect(estimateWithdrawal({ network, asset, amountMinor })).toEqual({ ok: false, failure })
  })
})
