import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { explanationRoutes } from './routes.ts'

export const explanationsFeature = defineFeature({ name: 'explanations', routes: explanationRoutes })
