import { parseRate, type Rate } from '@corridor/kernel'
import { describe, expect, test } from 'vitest'
import { crossRate, offlineSnapshot } from '../../reference/rates/index.ts'
import { chooseFees, type PricedDestination } from './fee-schedule.ts'

const snapshot = offlineSnapshot(0)

function feesOf(sendingCurrency: string, receivingCurrency: string, destination: PricedDestination) {
  const cross = (source: string, into: string): Rate => crossRate(snapshot, { source, destination: into })!
  return {
    sendingCurrency,
    receivingCurrency,
    destination,
    crossRate: cross(sendingCurrency, receivingCurrency),
    sendingPerUsdMinor: cross('USD', sendingCurrency),
    receivingPerUsdMinor: cross('USD', receivingCurrency),
  }
}

const account: PricedDestination = { kind: 'ACCOUNT' }
const uma: PricedDestination = { kind: 'UMA' }
const on = (network: 'SOLANA' | 'ETHEREUM' | 'TRON' | 'BITCOIN' | 'LIGHTNING'): PricedDestination => ({
  kind: 'ON_CHAIN',
  network,
})

describe('the default price list', () => {
  // source, destination, kind, sf, network, r, C
  test.each<[string, string, PricedDestination, bigint, bigint, string, bigint]>([
    ['USD', 'USD', account, 0n, 0n, '0', 0n],
    ['BTC', 'BTC', on('LIGHTNING'), 0n, 0n, '0', 0n],
    ['BTC', 'BTC', on('BITCOIN'), 0n, 1_500n, '0', 0n],
    ['USDC', 'USDC', on('SOLANA'), 0n, 5_000n, '0', 0n],
    ['USD', 'EUR', account, 0n, 0n, '0.005', 0n],
    ['EUR', 'BTC', on('LIGHTNING'), 0n, 0n, '0.005', 0n],
    ['USDC', 'EUR', account, 0n, 0n, '0.005', 0n],
    ['USDC', 'BTC', account, 0n, 0n, '0.005', 0n],
    ['USD', 'USDC', account, 0n, 0n, '0.001', 0n],
    ['USDT', 'USD', account, 0n, 0n, '0.001', 0n],
    ['USDC', 'USDT', on('TRON'), 0n, 4_000_000n, '0.001', 0n],
    ['USD', 'USDC', on('SOLANA'), 0n, 1n, '0.001', 0n],
    ['USD', 'USDC', on('ETHEREUM'), 0n, 60n, '0.001', 0n],
    ['EUR', 'USDC', on('ETHEREUM'), 0n, 52n, '0.005', 0n],
    ['VND', 'USDC', on('ETHEREUM'), 0n, 15_780n, '0.005', 0n],
    ['USD', 'EUR', uma, 10n, 0n, '0.003', 9n],
    ['USD', 'USD', uma, 10n, 0n, '0.003', 10n],
    ['VND', 'BTC', uma, 2_630n, 0n, '0.003', 105n],
    ['USD', 'EUR', { kind: 'UMA', peerFeeMinor: 31n }, 10n, 0n, '0.003', 31n],
  ])('%s→%s %o: sf %d, network %d, r %s, C %d', (source, destination, kind, sf, network, r, counterparty) => {
    expect(chooseFees(feesOf(source, destination, kind))).toEqual({
      serviceFee: { fixedMinor: sf, rate: r === '0' ? { numerator: 0n, denominator: 1n } : parseRate(r) },
      networkFeeMinor: network,
      counterpartyFeeMinor: counterparty,
    })
  })
})
