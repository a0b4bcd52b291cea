import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { worldRoutes } from './routes.ts'

export const worldsFeature = defineFeature({ name: 'worlds', routes: worldRoutes })
