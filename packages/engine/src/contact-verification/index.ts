export { contactVerificationRoutes } from './routes.ts'
export { contactsVerified } from './rules.ts'
