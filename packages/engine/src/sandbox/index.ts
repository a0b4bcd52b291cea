import { sandboxMoneyRoutes } from './money-routes.ts'
import { sandboxControlRoutes } from './routes.ts'

/** Everything under /sandbox: clock, test webhook, and money from nowhere. */
export const sandboxRoutes = [...sandboxControlRoutes, ...sandboxMoneyRoutes]
