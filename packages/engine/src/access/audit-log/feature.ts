import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { auditLogRoutes } from './routes.ts'

export const auditLogFeature = defineFeature({
  name: 'audit-log',
  routes: auditLogRoutes,
})
