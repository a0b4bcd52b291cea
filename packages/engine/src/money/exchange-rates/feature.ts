import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { exchangeRateRoutes } from './routes.ts'

export const exchangeRatesFeature = defineFeature({
  name: 'exchange-rates',
  routes: exchangeRateRoutes,
})
