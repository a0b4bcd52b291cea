export { createToken, newCredential, revokeToken } from './commands.ts'
export type { ApiTokenCreateRequest } from './contract.ts'
export { checkTokenLimits } from './field-checks.ts'
