import type { Corridor } from '@corridor/sdk'
import { misused } from '../exit.ts'
import { ending, type Means, type Scenario, until } from './scenario.ts'

/** Customers, and what proves who they are. The endings of names decide in the sandbox (docs/guides/sandbox.md). */

const address = { line1: '8 Quay Rd', city: 'Tacoma', state: 'WA', postalCode: '98402', country: 'US' }

const picture = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  (letter) => letter.charCodeAt(0),
)

async function upload(client: Corridor, documentHolder: string, documentType: string): Promise<void> {
  const form = new FormData()
  const fields = {
    documentHolder,
    documentType,
    country: 'US',
    documentNumber: 'X1234567',
    issuingAuthority: 'State',
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([picture], { type: 'image/png' }), 'document.png')
  await client.documents.create(form)
}

/** A person with everything that a verification wants; what the platform asks for is submitted. */
export async function person(client: Corridor, fullName: string, more: object = {}): Promise<string> {
  const made = await client.customers.create({
    customerType: 'INDIVIDUAL',
    fullName,
    region: 'US',
    currencies: ['USD', 'EUR'],
    birthDate: '1991-04-02',
    nationality: 'US',
    idType: 'SSN',
    identifier: '219-09-9999',
    address,
    ...more,
  })
  if ('kycStatus' in made && made.kycStatus === 'UNVERIFIED') {
    await upload(client, made.id, 'PASSPORT')
    await client.verifications.create({ customerId: made.id })
  }
  return made.id
}

/** A person whose verification has come to an end. */
export async function approvedPerson(client: Corridor, means: Means, more: object = {}): Promise<string> {
  const id = await person(client, 'Ana Lopez', more)
  await until(means, 'the customer is approved', async () => {
    const { kycStatus } = (await client.customers.get(id)) as { kycStatus?: string }
    return kycStatus === 'APPROVED'
  })
  return id
}

const companyDocuments = [
  'CERTIFICATE_OF_INCORPORATION',
  'DIRECTOR_REGISTRY',
  'SHAREHOLDER_REGISTER',
  'UTILITY_BILL',
]

/** A business with an owner and its documents, submitted. */
async function business(client: Corridor, registrationNumber: string): Promise<string> {
  const { id } = await client.customers.create({
    customerType: 'BUSINESS',
    region: 'US',
    currencies: ['USD'],
    address: { line1: '1 Mill St', city: 'Boise', state: 'ID', postalCode: '83702', country: 'US' },
    businessInfo: {
      legalName: 'Larch Tools LLC',
      country: 'US',
      taxId: '12-3456789',
      incorporatedOn: '2016-09-30',
      entityType: 'LLC',
      businessType: 'MANUFACTURING',
      countriesOfOperation: ['US'],
      purposeOfAccount: 'SUPPLIER_PAYMENTS',
      sourceOfFunds: 'Tool sales',
      expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
      expectedMonthlyTransactionVolume: 'VOLUME_10K_TO_100K',
      expectedRecipientJurisdictions: ['MX'],
      registrationNumber,
    },
  })
  const owner = {
    customerId: id,
    roles: ['UBO', 'CONTROL_PERSON'],
    ownershipPercentage: 60,
    personalInfo: {
      firstName: 'Ines',
      lastName: 'Falk',
      birthDate: '1979-12-01',
      nationality: 'US',
      address: { line1: '4 Elm', postalCode: '83702', country: 'US' },
      idType: 'SSN',
      identifier: '078-05-1120',
    },
  }
  await client.beneficialOwners.create(owner as never)
  for (const type of companyDocuments) await upload(client, id, type)
  await client.verifications.create({ customerId: id })
  return id
}

const personEnding =
  (digits: string): Scenario =>
  (client) =>
    person(client, `Pia Row ${digits}`)
const businessEnding =
  (digits: string): Scenario =>
  (client) =>
    business(client, `REG-${digits}`)

const columns =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country'

function uploadPeople(header: string): Scenario {
  return async (client, means) => {
    const { umaDomain } = await client.config.get()
    // An address is taken once.
    const name = `trigger-${ending(means)}`
    const row = `$${name}@${umaDomain},${name},INDIVIDUAL,Pia Row,1988-01-09,2 Dock Ln,Reno,NV,89501,US`
    const form = new FormData()
    form.append('file', new Blob([`${header}\n${row}\n`], { type: 'text/csv' }), 'customers.csv')
    return (await client.customers.bulk.uploadCsv(form)).jobId
  }
}

/** A customer with an address for UMA. */
async function withUmaAddress(client: Corridor, means: Means): Promise<string> {
  const { umaDomain } = await client.config.get()
  const made = await client.customers.create({
    customerType: 'INDIVIDUAL',
    fullName: 'Pia Row',
    region: 'US',
    currencies: ['USD'],
    umaAddress: `$trigger-${ending(means)}@${umaDomain}`,
  })
  if (made.umaAddress === undefined) throw misused('The customer has no UMA address.')
  return made.umaAddress
}

const claim: Scenario = async (client, means) => {
  const { code } = await client.invitations.create({ inviterUma: await withUmaAddress(client, means) })
  await client.invitations.claim(code, { inviteeUma: await withUmaAddress(client, means) })
  return code
}

export const peopleScenarios = {
  'CUSTOMER.KYC_PENDING': personEnding('001'),
  'CUSTOMER.KYC_APPROVED': personEnding('000'),
  'CUSTOMER.KYC_REJECTED': personEnding('002'),
  'CUSTOMER.KYB_APPROVED': businessEnding('000'),
  'CUSTOMER.KYB_REJECTED': businessEnding('002'),
  'VERIFICATION.APPROVED': businessEnding('000'),
  'VERIFICATION.REJECTED': businessEnding('002'),
  'VERIFICATION.PENDING_MANUAL_REVIEW': businessEnding('001'),
  'VERIFICATION.RESOLVE_ERRORS': async (client) => {
    const { id } = await client.customers.create({
      customerType: 'BUSINESS',
      region: 'US',
      currencies: ['USD'],
      businessInfo: {
        legalName: 'Larch Tools LLC',
        country: 'US',
        taxId: '12-3456789',
        incorporatedOn: '2016-09-30',
      },
    })
    return (await client.verifications.create({ customerId: id })).id
  },
  'BULK_UPLOAD.COMPLETED': uploadPeople(columns),
  'BULK_UPLOAD.FAILED': uploadPeople('nobody,knows,these,columns'),
  'INVITATION.CLAIMED': claim,
} satisfies Readonly<Record<string, Scenario>>
