import { ok, upperAscii } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { findCurrency, toCurrency } from '../../reference/currencies/index.ts'
import { getAvailableUmaProviders, listVasps, type UmaProvider } from './contract.ts'
import { cutPage } from './static-pages.ts'
import {
  type HostedProvider,
  type ListedProvider,
  listHostedProviders,
  listListedProviders,
} from './store.ts'
import { vasps } from './vasps.ts'

export const directoryRoutes = [
  route(getAvailableUmaProviders, async (engine, { scope, query }) => {
    const { currencyCode: currencies, hasBlockedProviders = true, sortOrder = 'desc' } = query
    const countries = query.countryCode?.map(upperAscii)
    const [hosted, listed] = await Promise.all([
      listHostedProviders(engine.database, scope.environment),
      listListedProviders(engine.database, scope),
    ])
    const entries = providersOf(hosted, listed)
      .filter(
        ({ supportedRegions }) =>
          countries === undefined || supportedRegions.some((code) => countries.includes(code)),
      )
      .filter(
        ({ supportedCurrencies }) =>
          currencies === undefined || supportedCurrencies.some(({ code }) => currencies.includes(code)),
      )
      .filter(({ allowListStatus }) => hasBlockedProviders || allowListStatus)
      .sort((a, b) => byName(a, b) * (sortOrder === 'asc' ? 1 : -1))
    const page = cutPage(
      engine,
      scope,
      {
        name: 'uma-providers',
        entries,
        keyOf: ({ domain }) => domain,
        filters: { countries, currencies, hasBlockedProviders, sortOrder },
      },
      query,
    )
    return page.ok ? ok({ status: 200, body: { ...page.value, totalCount: entries.length } }) : page
  }),

  // Always from A to Z: the directory has no creation times to order by (cards 5.4).
  route(listVasps, async (engine, { scope, query }) => {
    const list = { name: 'vasps', entries: vasps, keyOf: ({ vaspName }: { vaspName: string }) => vaspName }
    const page = cutPage(engine, scope, { ...list, filters: {} }, query)
    return page.ok ? ok({ status: 200, body: page.value }) : page
  }),
]

/** Platforms of one installation, and the institutions that the operator lists: the latter count where both name a domain. */
function providersOf(hosted: readonly HostedProvider[], listed: readonly ListedProvider[]): UmaProvider[] {
  const byDomain = new Map(hosted.map((provider) => [provider.domain, toProvider(provider)]))
  for (const { domain, isBlocked } of listed) {
    // What an institution outside can be paid in, it says when it is asked about a receiver.
    const outside = { name: domain, domain, supportedRegions: [], supportedCurrencies: [] }
    byDomain.set(domain, { ...(byDomain.get(domain) ?? outside), allowListStatus: !isBlocked })
  }
  return [...byDomain.values()]
}

/** Platforms of one installation reach each other without an allow list; regions follow from the currencies. */
function toProvider({ name, domain, currencies }: HostedProvider): UmaProvider {
  const known = currencies.filter((code) => findCurrency(code))
  const regions = new Set(known.flatMap((code) => findCurrency(code)!.countries))
  return {
    name,
    domain,
    supportedRegions: [...regions].sort(),
    supportedCurrencies: known.map(toCurrency),
    allowListStatus: true,
  }
}

function byName(a: UmaProvider, b: UmaProvider): number {
  const [left, right] = [`${a.name} ${a.domain}`, `${b.name} ${b.domain}`]
  return left < right ? -1 : left > right ? 1 : 0
}
