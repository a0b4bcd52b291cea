export { sealedCredentials } from './issuer.ts'
