export { BeneficialOwnerRole } from './beneficial-owner-schemas.ts'
export { IdentificationType } from './person-schemas.ts'
