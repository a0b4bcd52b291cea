import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { transferRoutes } from './routes.ts'

export const transfersFeature = defineFeature({
  name: 'transfers',
  routes: transferRoutes,
})
