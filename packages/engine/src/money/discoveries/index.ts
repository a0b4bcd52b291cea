export { bankNamesOf, institutions } from './institutions.ts'
