import type { components } from '@corridor/sdk/index.ts'
import type { TestServer } from '@corridor/testkit/index.ts'
import { expect } from 'vitest'

/** What the tests of customers share: the calls, and customers to call them with. */

export type Individual = components['schemas']['IndividualCustomer']
export type Query = Record<string, string | number | boolean>

export const person = { customerType: 'INDIVIDUAL' }
export const business = {
  customerType: 'BUSINESS',
  businessInfo: {
    legalName: 'Larch Tools LLC',
    country: 'US',
    taxId: '12-3456789',
    incorporatedOn: '2016-09-30',
  },
}
export const address = {
  line1: '8 Quay Rd',
  city: 'Tacoma',
  state: 'WA',
  postalCode: '98402',
  country: 'US',
}

/** A new platform and its calls; bodies may be wrong on purpose. */
export async function customerApi(server: TestServer, options: Parameters<TestServer['platform']>[0] = {}) {
  const platform = await server.platform(options)
  const api = server.client(platform)
  const path = (customerId: string) => ({ params: { path: { customerId } } })
  return {
    platform,
    api,
    create: (body: object) => api.POST('/customers', { body: body as never }),
    /** Creates an individual; the test does not care how. */
    async customer(body: object = {}): Promise<Individual> {
      const { data, error } = await api.POST('/customers', {
        body: { customerType: 'INDIVIDUAL', ...body } as never,
      })
      expect(error).toBeUndefined()
      return data as unknown as Individual
    },
    get: (id: string) => api.GET('/customers/{customerId}', path(id)),
    /** A contact that unlocks the customer's wallet is changed with its signature. */
    async change(id: string, body: object) {
      const patch = (headers: Record<string, string>) =>
        api.PATCH('/customers/{customerId}', { ...path(id), body: body as never, headers })
      const first = await patch({})
      const { requestId } = (first.data ?? {}) as { requestId?: string }
      const isAsked = first.response.status === 202 && requestId !== undefined
      const answer = isAsked
        ? await patch({ 'Request-Id': requestId, 'Service-Wallet-Signature': 'sandbox-valid-signature' })
        : first
      return { ...answer, data: answer.data as Individual | undefined }
    },
    remove: (id: string) => api.DELETE('/customers/{customerId}', path(id)),
    list: (query: Query = {}) => api.GET('/customers', { params: { query: query as never } }),
    configure: (body: object) => api.PATCH('/config', { body: body as never }),
    accounts: async (customerId: string) => {
      const query = { customerId, limit: 100, sortOrder: 'asc' as const }
      const { data } = await api.GET('/customers/internal-accounts', { params: { query: query as never } })
      return data!.data.map(({ balance, type }) => [balance.currency.code, type])
    },
    events: () => server.events(platform),
  }
}

interface Refusal {
  readonly status: number
  readonly code: string
  readonly details: { errors: { field: string; constraint?: object }[] } & Record<string, unknown>
}

export function refusal(error: unknown): Refusal {
  return error as Refusal
}

/** The fields that a refusal names, in alphabetical order. */
export function fieldsOf(error: unknown): string[] {
  const { errors } = refusal(error).details
  return errors.map(({ field }) => field).sort()
}
