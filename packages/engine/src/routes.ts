import { customerRoutes } from './customers/index.ts'
import type { Route } from './http/operation.ts'
import { internalAccountRoutes } from './internal-accounts/index.ts'
import { platformRoutes } from './platforms/index.ts'
import { tokenRoutes } from './tokens/index.ts'

/** Every endpoint of the API, in the order of the reference. */
export const routes: readonly Route[] = [
  ...platformRoutes,
  ...tokenRoutes,
  ...customerRoutes,
  ...internalAccountRoutes,
]
