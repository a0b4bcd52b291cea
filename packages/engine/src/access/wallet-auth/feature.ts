import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { walletAuthRoutes } from './routes.ts'

export const walletAuthFeature = defineFeature({ name: 'wallet-auth', routes: walletAuthRoutes })
