import type { TestServer } from '@corridor/testkit/index.ts'
import { customerApi } from './customer-api.ts'

/** What the tests of bulk imports share: good rows, and uploads, which have no typed client. */

export const columns = [
  'umaAddress',
  'platformCustomerId',
  'customerType',
  'fullName',
  'birthDate',
  'addressLine1',
  'city',
  'state',
  'postalCode',
  'country',
  'businessLegalName',
]
export const header = columns.join(',')

let made = 0
/** A good row of an individual; addresses are one name space, so each gets a fresh one. */
export function row(changes: Record<string, string> = {}): string {
  made++
  const cells: Record<string, string> = {
    umaAddress: `$row-${made}@shop.example`,
    platformCustomerId: `row-${made}`,
    customerType: 'INDIVIDUAL',
    fullName: 'Pia Row',
    birthDate: '1988-01-09',
    addressLine1: '2 Dock Ln',
    city: 'Reno',
    state: 'NV',
    postalCode: '89501',
    country: 'US',
    ...changes,
  }
  return columns.map((column) => cells[column] ?? '').join(',')
}

/** A platform's imports of files. */
export async function importApi(server: TestServer, options: Parameters<TestServer['platform']>[0] = {}) {
  const known = await customerApi(server, options)
  const { clientId, clientSecret } = known.platform
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  async function post(form: FormData, headers: Record<string, string> = {}) {
    const response = await server.fetch(`${server.baseUrl}/customers/bulk/csv`, {
      method: 'POST',
      headers: { authorization, ...headers },
      body: form,
    })
    return { response, body: (await response.json()) as Record<string, unknown> }
  }
  const upload = (content: string | Uint8Array, headers?: Record<string, string>) => {
    const form = new FormData()
    form.append('file', new Blob([content as never], { type: 'text/csv' }), 'customers.csv')
    return post(form, headers)
  }
  const read = (jobId: string) =>
    known.api.GET('/customers/bulk/jobs/{jobId}', { params: { path: { jobId } } })
  return {
    ...known,
    post,
    upload,
    read,
    /** Uploads, waits, and returns the job as it ended. */
    async import(...lines: string[]) {
      const { body } = await upload(lines.join('\n'))
      await server.settle()
      return (await read(String(body.jobId))).data!
    },
  }
}
