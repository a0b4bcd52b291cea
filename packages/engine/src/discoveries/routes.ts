import { ok } from '@corridor/kernel'
import { route } from '../http/operation.ts'
import { getDiscoveries } from './contract.ts'
import { institutions } from './institutions.ts'

export const discoveryRoutes = [
  route(getDiscoveries, async (_engine, { query }) => {
    const country = query.country?.toUpperCase()
    const currency = query.currency?.toUpperCase()
    const data = institutions
      .filter((institution) => country === undefined || institution.country === country)
      .filter((institution) => currency === undefined || institution.currency === currency)
    return ok({ status: 200, body: { data } })
  }),
]
