import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { discoveryRoutes } from './routes.ts'

export const discoveriesFeature = defineFeature({
  name: 'discoveries',
  routes: discoveryRoutes,
})
