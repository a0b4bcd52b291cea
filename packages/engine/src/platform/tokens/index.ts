export { createToken, newCredential, revokeToken } from './commands.ts'
export type { ApiTokenCreateRequest } from './contract.ts'
