export { exchangeRateRoutes } from './routes.ts'
