import type { components } from '@corridor/sdk/index.ts'
import type { CorridorClient } from '@corridor/sdk/path-client.ts'
import { must, operatorKey, type TestServer } from '@corridor/testkit/index.ts'
import { expect } from 'vitest'

/** What the tests of verification share: complete packets, uploads and the operator's side. */

type Schemas = components['schemas']
export type Customer = Schemas['CustomerOneOf']
type Credentials = Awaited<ReturnType<TestServer['platform']>>

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const person = {
  customerType: 'INDIVIDUAL' as const,
  birthDate: '1991-04-02',
  nationality: 'US',
  region: 'US',
  currencies: ['USD'],
  idType: 'SSN' as const,
  identifier: '219-09-9999',
  address: { line1: '8 Quay Rd', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' },
}

export const business = {
  customerType: 'BUSINESS' as const,
  region: 'US',
  currencies: ['USD'],
  businessInfo: {
    legalName: 'Larch Tools LLC',
    country: 'US',
    taxId: '12-3456789',
    incorporatedOn: '2016-09-30',
  },
}

export const businessDetails = {
  entityType: 'LLC',
  businessType: 'MANUFACTURING',
  countriesOfOperation: ['US'],
  purposeOfAccount: 'SUPPLIER_PAYMENTS',
  sourceOfFunds: 'Tool sales',
  expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
  expectedMonthlyTransactionVolume: 'VOLUME_10K_TO_100K',
  expectedRecipientJurisdictions: ['MX'],
} as const

export const businessAddress = {
  line1: '1 Mill St',
  city: 'Boise',
  state: 'ID',
  postalCode: '83702',
  country: 'US',
}

export const owner = (lastName: string, customerId: string, more: object = {}) => ({
  customerId: customerId as never,
  roles: ['UBO', 'CONTROL_PERSON'] as ('UBO' | 'CONTROL_PERSON')[],
  ownershipPercentage: 60,
  personalInfo: {
    firstName: 'Ines',
    lastName,
    birthDate: '1979-12-01',
    nationality: 'US',
    address: { line1: '4 Elm', postalCode: '83702', country: 'US' },
    idType: 'SSN' as const,
    identifier: '078-05-1120',
    ...more,
  },
})

export const businessDocuments = [
  'CERTIFICATE_OF_INCORPORATION',
  'DIRECTOR_REGISTRY',
  'SHAREHOLDER_REGISTER',
  'UTILITY_BILL',
]

export interface Upload {
  readonly holder?: string
  readonly type?: string
  readonly file?: Blob | null
  readonly fileName?: string
  readonly more?: Readonly<Record<string, string>>
}

/** A platform's view of one server: the typed client, and uploads, which have none. */
export function onboarding(server: TestServer, platform: Credentials) {
  const api: CorridorClient = server.client(platform)
  const authorization = `Basic ${Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')}`

  async function send(method: 'POST' | 'PUT', path: string, upload: Upload, headers: object = {}) {
    const { holder, type = 'PASSPORT', file, fileName = 'p.png', more = {} } = upload
    const form = new FormData()
    if (holder) form.set('documentHolder', holder)
    form.set('documentType', type)
    form.set('country', 'US')
    for (const [name, value] of Object.entries(more)) form.set(name, value)
    if (file !== null) form.set('file', file ?? new Blob([png], { type: 'image/png' }), fileName)
    const response = await server.fetch(`${server.baseUrl}${path}`, {
      method,
      headers: { authorization, ...headers },
      body: form,
    })
    // biome-ignore lint/suspicious/noExplicitAny: success or refusal, told apart by the status
    return { status: response.status, body: (await response.json()) as any, headers: response.headers }
  }

  const details = { documentNumber: 'X1', issuingAuthority: 'State Dept' }

  return {
    api,
    platform,
    authorization,
    upload: (upload: Upload, headers?: object) => send('POST', '/documents', upload, headers),
    replace: (id: string, upload: Upload) => send('PUT', `/documents/${id}`, upload),

    async uploaded(holder: string, type = 'PASSPORT', more: Record<string, string> = {}): Promise<string> {
      const { status, body } = await send('POST', '/documents', {
        holder,
        type,
        more: { ...details, ...more },
      })
      expect(status, JSON.stringify(body)).toBe(201)
      return body.id
    },

    create: (body: object): Promise<Customer> => must(api.POST('/customers', { body: body as never })),

    read: (id: string): Promise<Customer> =>
      must(api.GET('/customers/{customerId}', { params: { path: { customerId: id } } })),

    update: async (id: string, body: object): Promise<Customer> => {
      const changed = await must(
        api.PATCH('/customers/{customerId}', {
          params: { path: { customerId: id } },
          body: body as never,
        }),
      )
      return changed as Customer
    },

    verify: (customerId: string) => api.POST('/verifications', { body: { customerId: customerId as never } }),

    addOwner: (body: ReturnType<typeof owner>) =>
      must(api.POST('/beneficial-owners', { body: body as never })),

    /** An individual whose packet is complete. */
    async completePerson(fullName: string): Promise<{ id: string; documentId: string }> {
      const { id } = await this.create({ ...person, fullName })
      return { id, documentId: await this.uploaded(id) }
    },

    /** A business whose packet is complete, with an owner of this last name. */
    async completeBusiness(registrationNumber: string | undefined, lastName = 'Falk') {
      const { id } = await this.create({
        ...business,
        address: businessAddress,
        businessInfo: {
          ...business.businessInfo,
          ...businessDetails,
          ...(registrationNumber === undefined ? {} : { registrationNumber }),
        },
      })
      const { id: ownerId } = await this.addOwner(owner(lastName, id))
      for (const type of businessDocuments) await this.uploaded(id, type)
      return { id, ownerId }
    },

    async types(): Promise<string[]> {
      return (await server.events(platform)).map(({ type }) => type)
    },
  }
}

/** The status of a customer of either type. */
export function statusOf(customer: Customer): string | undefined {
  return 'kycStatus' in customer ? customer.kycStatus : (customer as { kybStatus?: string }).kybStatus
}

export async function operate(server: TestServer, method: string, path: string, body?: object) {
  const response = await server.fetch(`http://corridor.test/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
