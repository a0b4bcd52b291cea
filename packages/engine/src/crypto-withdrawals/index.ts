export { cryptoWithdrawalRoutes } from './routes.ts'
