import { ok, upperAscii } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { getDiscoveries } from './contract.ts'
import { institutions } from './institutions.ts'

export const discoveryRoutes = [
  route(getDiscoveries, async (_engine, { query }) => {
    const countries = query.country?.map(upperAscii)
    const currencies = query.currency?.map(upperAscii)
    const data = institutions
      .filter((institution) => countries === undefined || countries.includes(institution.country))
      .filter((institution) => currencies === undefined || currencies.includes(institution.currency))
    return ok({ status: 200, body: { data } })
  }),
]
