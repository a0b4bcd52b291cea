import { toTimestamp } from '@corridor/kernel'
import type { Stablecoin, StablecoinOperation, StablecoinProviderAccount } from './stablecoin-schemas.ts'
import type { Coin, CoinOperation, ProviderAccount } from './store.ts'

/** Nothing of the credentials: `apiClientSecret` is write-only (cards-stablecoins 2.1). */
export function renderLink(link: ProviderAccount): StablecoinProviderAccount {
  const { id, provider, providerAccountId, environment, status, lastVerifiedAt, createdAt, updatedAt } = link
  return {
    id,
    provider,
    providerAccountId,
    providerEnvironment: environment,
    status,
    ...(lastVerifiedAt === null ? {} : { lastVerifiedAt: toTimestamp(lastVerifiedAt) }),
    createdAt: toTimestamp(createdAt),
    updatedAt: toTimestamp(updatedAt),
  }
}

/** `currency` appears once the coin is enabled and stays when it is disabled (cards-stablecoins 2.3). */
export function renderCoin(coin: Coin): Stablecoin {
  const isCurrency = coin.enablementStatus === 'ENABLED' || coin.enablementStatus === 'DISABLED'
  return {
    id: coin.id,
    name: coin.name,
    symbol: coin.symbol,
    baseCurrency: coin.baseCurrency,
    network: coin.network,
    decimals: coin.decimals,
    issuanceStatus: coin.issuanceStatus,
    gridOperationsStatus: coin.enablementStatus,
    networkTokenIdentifier: coin.networkTokenIdentifier,
    ...(isCurrency ? { currency: coin.symbol } : {}),
    provider: coin.provider,
    stablecoinProviderAccountId: coin.providerAccountId,
    providerEnvironment: coin.environment,
    providerTokenIdentifier: coin.providerTokenIdentifier,
    createdAt: toTimestamp(coin.createdAt),
    updatedAt: toTimestamp(coin.updatedAt),
  }
}

const timings: Readonly<Record<string, string>> = {
  WIRE: 'same business day',
  ACH_CREDIT: '1-3 business days',
  SAME_DAY_ACH_CREDIT: 'same business day',
  RTP_CREDIT: 'within minutes',
}

/** `estimatedDelivery` is of burns alone; its amount is in cents (cards-stablecoins 2.4). */
export function renderOperation(coin: Pick<Coin, 'decimals'>, operation: CoinOperation): StablecoinOperation {
  const { rail } = operation.destination
  return {
    id: operation.id,
    stablecoinId: operation.coinId,
    operationType: operation.operationType,
    status: operation.status,
    amount: operation.amountMinor.toString(),
    provider: 'BRALE',
    providerEnvironment: operation.environment,
    stablecoinProviderAccountId: operation.providerAccountId,
    source: operation.source,
    ...(operation.fundingInstructions ? { fundingInstructions: operation.fundingInstructions } : {}),
    destination: operation.destination,
    ...(rail === undefined
      ? {}
      : {
          estimatedDelivery: {
            rail,
            amount: (operation.amountMinor / unitsPerCent(coin.decimals)).toString(),
            currency: 'USD',
            timing: timings[rail]!,
          },
        }),
    ...(operation.expiresAt === null ? {} : { expiresAt: toTimestamp(operation.expiresAt) }),
    ...(operation.providerStatus === null ? {} : { providerStatus: operation.providerStatus }),
    ...(operation.failureReason === null ? {} : { failureReason: operation.failureReason }),
    ...(operation.description === null ? {} : { description: operation.description }),
    createdAt: toTimestamp(operation.createdAt),
    updatedAt: toTimestamp(operation.updatedAt),
  }
}

/** Units of the coin in one fiat cent; an amount is a whole number of these (cards-stablecoins 2.4). */
export function unitsPerCent(decimals: number): bigint {
  return decimals > 2 ? 10n ** BigInt(decimals - 2) : 1n
}
