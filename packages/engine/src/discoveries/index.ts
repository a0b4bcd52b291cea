export { bankNamesOf, institutions } from './institutions.ts'
export { discoveryRoutes } from './routes.ts'
