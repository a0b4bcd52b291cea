import type { TestServer } from '@corridor/testkit/index.ts'
import { addCustomer } from './book-fixtures.ts'

/** What the tests of external accounts share: details of accounts, and the calls. */

export const person = { beneficiaryType: 'INDIVIDUAL', fullName: 'Greta Lindholm' }

export function euroAccount(iban: string, beneficiary: object = person) {
  return { currency: 'EUR', accountInfo: { accountType: 'EUR_ACCOUNT', iban, beneficiary } }
}

/** A new platform with one customer and its calls; bodies may be wrong on purpose. */
export async function externalAccountApi(
  server: TestServer,
  options: Parameters<TestServer['platform']>[0] = {},
) {
  const platform = await server.platform(options)
  const api = server.client(platform)
  const customer = await addCustomer(server, platform)
  const create = (body: object, headers: Record<string, string> = {}) =>
    api.POST('/customers/external-accounts', { body: { customerId: customer.id, ...body } as never, headers })
  const get = (externalAccountId: string) =>
    api.GET('/customers/external-accounts/{externalAccountId}', { params: { path: { externalAccountId } } })
  const remove = (externalAccountId: string) =>
    api.DELETE('/customers/external-accounts/{externalAccountId}', {
      params: { path: { externalAccountId } },
    })
  const list = async () => (await api.GET('/customers/external-accounts')).data!
  return { platform, api, customer, create, get, remove, list }
}
