export type { LoggedRequest } from './contract.ts'
export { readRequest, readRequestsAbout } from './reads.ts'
