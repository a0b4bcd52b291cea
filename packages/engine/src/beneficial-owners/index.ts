export { checkNewOwner } from './checks.ts'
export { createOwner, unknownOwner } from './commands.ts'
export { beneficialOwnerRoutes } from './routes.ts'
export { loadOwner } from './store.ts'
