export * from './rate-engine.ts'
