import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { directoryRoutes } from './routes.ts'

export const directoriesFeature = defineFeature({
  name: 'directories',
  routes: directoryRoutes,
})
