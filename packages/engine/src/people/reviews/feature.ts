import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { reviewRoutes } from './routes.ts'

export const reviewsFeature = defineFeature({
  name: 'reviews',
  routes: reviewRoutes,
})
