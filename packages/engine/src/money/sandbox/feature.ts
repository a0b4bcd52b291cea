import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { sandboxMoneyRoutes } from './money-routes.ts'
import { sandboxControlRoutes } from './routes.ts'

export const sandboxFeature = defineFeature({
  name: 'sandbox',
  routes: [...sandboxControlRoutes, ...sandboxMoneyRoutes],
})
