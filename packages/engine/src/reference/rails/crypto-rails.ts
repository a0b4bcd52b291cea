import { defineRail } from './rail.ts'

const instant = { kind: 'INSTANT' } as const
const walletCapabilities = ['PAYOUT', 'FUNDING_INSTRUCTIONS'] as const

/** Lightning and Spark carry between 1 000 and 10 000 000 sat (accounts 1.3). */
const lightningBounds = { minAmountMinor: { BTC: 1_000n }, maxAmountMinor: { BTC: 10_000_000n } } as const

function chain<const Id extends string, const Currencies extends readonly string[]>(
  id: Id,
  name: string,
  currencies: Currencies,
) {
  return defineRail({
    id,
    name,
    kind: 'CHAIN',
    currencies,
    countries: 'ANY',
    settlement: instant,
    capabilities: walletCapabilities,
  })
}

/** Rails that end in a wallet, and UMA, which ends at another institution. Fees: networks.ts. */
export const cryptoRails = [
  defineRail({ ...chain('SPARK', 'Spark', ['BTC', 'USDB']), ...lightningBounds }),
  defineRail({ ...chain('LIGHTNING', 'Lightning', ['BTC']), ...lightningBounds, kind: 'LIGHTNING' }),
  chain('BITCOIN', 'Bitcoin', ['BTC']),
  chain('SOLANA', 'Solana', ['USDC', 'USDT']),
  chain('BASE', 'Base', ['USDC']),
  chain('POLYGON', 'Polygon', ['USDC']),
  chain('ETHEREUM', 'Ethereum', ['USDC', 'USDT']),
  chain('TRON', 'Tron', ['USDT']),
  chain('PLASMA', 'Plasma', ['USDT']),
  defineRail({
    id: 'UMA',
    name: 'UMA',
    kind: 'UMA',
    currencies: [],
    mayCarryAnyFiat: true,
    countries: 'ANY',
    settlement: instant,
    remittance: { maxLength: 80, characters: 'ANY' },
    capabilities: ['PAYOUT'],
  }),
] as const
