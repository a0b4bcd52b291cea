import { ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { openAccounts } from '../../platform/internal-accounts/index.ts'
import { currenciesAddedJob, loadConfig } from '../../platform/platforms/index.ts'
import type { Insert, Update } from '../../vocabulary/decision.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { accountCurrencies, walletCurrency } from './rules.ts'
import { searchHashesOf } from './search-hashes.ts'
import { loadCustomer, loadHolders, loadUnhashed } from './store.ts'
import { hasWallet, walletParts } from './wallet-opening.ts'

const customersPerRun = 100

/**
 * When the platform gains currencies, customers that hold them get the accounts they lack; opening one
 * that exists is opening none (accounts 3.1). A page of customers per run, in order of their ids.
 */
export const openAccountsJob = jobHandler<{ currencies: string[]; after?: string }>({
  kind: currenciesAddedJob,
  async run(engine, scope, { currencies, after = '' }) {
    const config = await loadConfig(engine.database, scope)
    const isEveryone = accountCurrencies([], config).some((code) => currencies.includes(code))
    const asked = { currencies, isEveryone, after, limit: customersPerRun }
    const customers = await loadHolders(engine.database, scope, asked)
    const last = customers[customers.length - 1]
    const isMore = customers.length === customersPerRun && last !== undefined
    const opened = await Promise.all(
      customers.map((customer) => {
        const lacked = accountCurrencies(customer.currencies, config)
        return openFor(
          engine,
          scope,
          customer.id,
          lacked.filter((code) => currencies.includes(code)),
        )
      }),
    )
    return ok({
      updates: opened.flatMap(({ updates }) => updates),
      inserts: opened.flatMap(({ inserts }) => inserts),
      jobs: isMore ? [{ kind: currenciesAddedJob, payload: { currencies, after: last.id } }] : [],
      result: () => undefined,
    })
  },
})

/** Accounts in these currencies; with a wallet comes what it needs, once. */
async function openFor(
  engine: Engine,
  scope: Scope,
  customerId: string,
  currencies: readonly string[],
): Promise<{ updates: Update[]; inserts: Insert[] }> {
  // The customer first: a wallet that is opened after this is read changes the version that was read.
  const found = currencies.includes(walletCurrency)
    ? await loadCustomer(engine, scope, customerId)
    : undefined
  const customer = found && !(await hasWallet(engine, scope, customerId)) ? found : undefined
  const accounts = await openAccounts(engine, scope.environment, {
    ownerId: customerId,
    currencies: customer ? currencies : currencies.filter((code) => code !== walletCurrency),
    now: scope.now,
  })
  if (!customer) return { updates: [], inserts: accounts }
  const { id, version } = customer
  return {
    // A change of the customer at the same moment may open the wallet too; one of the two decides again.
    updates: [{ table: 'customers', id, version, set: {} }],
    inserts: [...accounts, ...walletParts(engine, customer, { accounts, now: scope.now })],
  }
}

/**
 * Customers of releases before 0126 get the hashes that they are found by; that migration asks for it, once in each
 * book. A page of customers per run, in order of their ids.
 */
const hashJob = jobHandler<{ after?: string }>({
  kind: 'customers.hash',
  async run(engine, scope, { after = '' }) {
    const ids = await loadUnhashed(engine.database, scope, { after, limit: customersPerRun })
    const customers = await Promise.all(ids.map((id) => loadCustomer(engine, scope, id)))
    const last = ids.length === customersPerRun ? ids.at(-1) : undefined
    return ok({
      updates: customers.flatMap((customer) => {
        if (!customer) return []
        const hashes = searchHashesOf({ keys: engine.keys, book: scope }, customer)
        const isNamed = Object.values(hashes).some((hash) => hash !== null)
        const { id, version } = customer
        return isNamed ? [{ table: 'customers' as const, id, version, set: { ...hashes } }] : []
      }),
      jobs: last === undefined ? [] : [{ kind: 'customers.hash', payload: { after: last } }],
      result: () => undefined,
    })
  },
})

export const customerJobs = [openAccountsJob, hashJob]
