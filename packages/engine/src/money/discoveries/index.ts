export { bankNamesOf } from './institutions.ts'
