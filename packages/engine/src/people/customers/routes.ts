import { failed, ok, upperAscii } from '@corridor/kernel'
import { route } from '../../mechanisms/feature/bound.ts'
import { readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { fail } from '../../vocabulary/errors.ts'
import { checkCreate, checkUpdate } from './checks.ts'
import * as commands from './commands.ts'
import {
  createCustomer,
  deleteCustomerById,
  getCustomerById,
  getEndUserTerms,
  listCustomers,
  updateCustomerById,
} from './contract.ts'
import { currentTerms } from './end-user-terms.ts'
import { renderCustomer } from './render.ts'
import { hashesOfTexts } from './search-hashes.ts'
import * as store from './store.ts'
import { normalizeUmaAddress } from './uma-address.ts'

export const customerRoutes = [
  route(listCustomers, async (engine, { scope, query }) => {
    const { limit, cursor, sortOrder, ...asked } = query
    const page = readPage(engine.keys, scope, 'customers', query, asked)
    if (!page.ok) return page
    const { isIncludingDeleted, umaAddress, region, email, ...plain } = asked
    const hasher = { keys: engine.keys, book: scope }
    const filters = {
      ...plain,
      emailHash: email?.map((each) => hashesOfTexts(hasher, { email: each }).email_hash!),
      region: region?.map(upperAscii),
      umaAddress: umaAddress?.map((address) => withDollar(normalizeUmaAddress(address))),
      isActive: isIncludingDeleted ? undefined : true,
    }
    const { rows, totalCount } = await store.listCustomers(engine, scope, filters, page.value)
    return ok({
      status: 200,
      body: toPage(engine.keys, scope, 'customers', page.value, asked, rows, totalCount, renderCustomer),
    })
  }),

  route(createCustomer, (engine, { scope, body }) => commands.createCustomer(engine, scope, body), {
    check: checkCreate,
  }),

  route(getEndUserTerms, async (engine) => ok({ status: 200, body: currentTerms(engine.settings) })),

  route(getCustomerById, async (engine, { scope, params }) => {
    const customer = await store.loadCustomer(engine, scope, params.customerId)
    if (!customer) {
      return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id: params.customerId }))
    }
    return ok({ status: 200, body: renderCustomer(customer) })
  }),

  route(
    updateCustomerById,
    (engine, { scope, params, body, header }) =>
      commands.updateCustomer(engine, scope, { id: params.customerId, request: body, header }),
    { check: checkUpdate },
  ),

  route(deleteCustomerById, (engine, { scope, params }) =>
    commands.deleteCustomer(engine, scope, params.customerId),
  ),
]

function withDollar(address: string): string {
  return address.startsWith('$') ? address : `$${address}`
}
