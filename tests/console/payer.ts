import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import { createCustomer, createPayee, fund, internalAccountOf } from '@corridor/testkit/index.ts'

/**
 * A customer with 5,000.00 and a payee in the United Kingdom; the end of the payee's number decides what becomes of a
 * payment to it.
 */
export async function createPayer(
  api: CorridorClient,
  ending = '678',
  { region = 'US', currency = 'USD' }: { region?: string; currency?: string } = {},
) {
  const customer = await createCustomer(api, { fullName: 'Ana Lopez', region, currencies: [currency] })
  const account = await internalAccountOf(api, customer.id, currency)
  await fund(api, account.id, 500_000)
  const payee = await createPayee(api, 'GBP', `12345${ending}`, { customerId: customer.id })
  return { customer, account, payee }
}
