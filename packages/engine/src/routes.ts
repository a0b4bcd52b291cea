import { cryptoWithdrawalRoutes } from './crypto-withdrawals/index.ts'
import { directoryRoutes } from './directories/index.ts'
import { discoveryRoutes } from './discoveries/index.ts'
import { exchangeRateRoutes } from './exchange-rates/index.ts'
import { externalAccountRoutes } from './external-accounts/index.ts'
import type { Route } from './http/operation.ts'
import { internalAccountRoutes } from './internal-accounts/index.ts'
import { receiverRoutes } from './receivers/index.ts'
import { tokenRoutes } from './tokens/index.ts'

/** Every endpoint of the API, in the order of the reference. */
export const routes: readonly Route[] = [
  ...tokenRoutes,
  ...internalAccountRoutes,
  ...externalAccountRoutes,
  ...receiverRoutes,
  ...exchangeRateRoutes,
  ...discoveryRoutes,
  ...cryptoWithdrawalRoutes,
  ...directoryRoutes,
]
