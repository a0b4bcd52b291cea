import type { Route } from './http/operation.ts'
import { internalAccountRoutes } from './internal-accounts/index.ts'
import { sandboxRoutes } from './sandbox/index.ts'
import { tokenRoutes } from './tokens/index.ts'
import { webhookRoutes } from './webhooks/index.ts'

/** Every endpoint of the API, in the order of the reference. */
export const routes: readonly Route[] = [
  ...tokenRoutes,
  ...internalAccountRoutes,
  ...webhookRoutes,
  ...sandboxRoutes,
]
