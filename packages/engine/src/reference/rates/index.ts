export {
  allInExchangeRate,
  bitcoinPrice,
  crossRate,
  equivalentMinor,
  lookupExchangeRate,
  offlineSnapshot,
  type Pair,
  quoteExchangeRate,
  type RateSnapshot,
  remainingLifeSeconds,
  snapshotStamp,
  toWireRate,
  usdEquivalentMinor,
} from './rate-engine.ts'
export { toSnapshot } from './snapshot.ts'
