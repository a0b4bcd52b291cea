import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { searchRoutes } from './routes.ts'

export const searchFeature = defineFeature({ name: 'search', routes: searchRoutes })
