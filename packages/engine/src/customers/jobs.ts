import { ok } from '@corridor/kernel'
import { openAccounts } from '../internal-accounts/index.ts'
import { jobHandler } from '../jobs/runner.ts'
import { currenciesAddedJob, loadConfig } from '../platforms/index.ts'
import { accountCurrencies } from './rules.ts'
import { loadHolders } from './store.ts'

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
    return ok({
      inserts: customers.flatMap((customer) =>
        openAccounts(engine.world, {
          ownerId: customer.id,
          currencies: accountCurrencies(customer.currencies, config).filter((code) =>
            currencies.includes(code),
          ),
          now: scope.now,
          status: engine.adapters[scope.environment].rules.newInternalAccountStatus,
        }),
      ),
      jobs: isMore ? [{ kind: currenciesAddedJob, payload: { currencies, after: last.id } }] : [],
      result: () => undefined,
    })
  },
})

export const customerJobs = [openAccountsJob]
