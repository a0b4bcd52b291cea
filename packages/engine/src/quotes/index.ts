export * from './fee-schedule.ts'
export * from './pricing.ts'
export * from './rate-details.ts'
export * from './terms.ts'
