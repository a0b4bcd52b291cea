import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { operatorRoutes } from './routes.ts'

export const operatorFeature = defineFeature({
  name: 'operator',
  routes: operatorRoutes,
})
