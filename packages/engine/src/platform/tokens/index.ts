export { createToken, newCredential, revokeToken } from './commands.ts'
export { type ApiTokenCreateRequest, tokenOperations } from './contract.ts'
export type { NewCredential } from './rules.ts'
