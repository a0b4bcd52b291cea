export * from './currencies.ts'
export * from './lookup.ts'
