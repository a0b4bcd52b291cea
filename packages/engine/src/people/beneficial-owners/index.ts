export { checkNewOwner } from './checks.ts'
export { createOwner, unknownOwner } from './commands.ts'
export { createBeneficialOwner } from './contract.ts'
export { loadOwner } from './store.ts'
