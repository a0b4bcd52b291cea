export { hostedVerificationPages } from './pages.ts'
export { hostedVerificationRoutes } from './routes.ts'
