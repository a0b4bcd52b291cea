export { type ExchangeRate, getExchangeRates } from './contract.ts'
export * from './rate-engine.ts'
export { toSnapshot } from './snapshot.ts'
