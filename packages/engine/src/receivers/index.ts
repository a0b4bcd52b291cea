export { receiverRoutes } from './routes.ts'
export { currencyPreference } from './rules.ts'
export { resolveSender, type Sender } from './sender.ts'
export { createLookup, findLookup, type Lookup } from './store.ts'
