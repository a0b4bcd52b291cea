import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { ledgerRoutes } from './routes.ts'

export const ledgerFeature = defineFeature({ name: 'ledger', routes: ledgerRoutes })
