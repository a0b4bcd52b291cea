import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { requestLogRoutes } from './routes.ts'

export const requestLogFeature = defineFeature({
  name: 'request-log',
  routes: requestLogRoutes,
  retention: [{ of: 'requests', table: 'request_log' }],
})
