export * from './rate-engine.ts'
export { exchangeRateRoutes } from './routes.ts'
export { toSnapshot } from './snapshot.ts'
export { loadPricingConfig, type PricingConfig } from './store.ts'
