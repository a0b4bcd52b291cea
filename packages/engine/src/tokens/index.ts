export { createToken, newCredential, revokeToken } from './commands.ts'
export { type ApiTokenCreateRequest, tokenOperations } from './contract.ts'
export { tokenRoutes } from './routes.ts'
export type { NewCredential } from './rules.ts'
