import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { cryptoWithdrawalRoutes } from './routes.ts'

export const cryptoWithdrawalsFeature = defineFeature({
  name: 'crypto-withdrawals',
  routes: cryptoWithdrawalRoutes,
})
