import type { Route } from './http/operation.ts'
import { tokenRoutes } from './tokens/index.ts'

/** Every endpoint of the API, in the order of the reference. */
export const routes: readonly Route[] = [...tokenRoutes]
