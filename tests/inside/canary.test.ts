import { readFileSync } from 'node:fs'
import {
  BusinessCustomerCreateRequest,
  BusinessInfo,
  IndividualCustomerCreateRequest,
} from '@corridor/engine/people/customers/contract.ts'
import { accountTypes } from '@corridor/engine/reference/account-types/index.ts'
import type { Log } from '@corridor/kernel'
import { operatorKey, startTestServer, type TestServer, testCredentials } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfFiles, columnsInDatabase, placesInBackup, placesInGuide } from './canary-scan.ts'

/**
 * Values that exist nowhere else are sent through every field that holds personal data. Afterwards they may
 * be found in no line of the log, no error, no event and no column, except where this file says and the guide why.
 */

/** Where a canary may be found: `log`, `error`, `metrics`, `file`, or `table.column`, in the database as in its backup. */
type Place = string

const guide = placesInGuide(
  readFileSync(new URL('../../docs/guides/personal-data.md', import.meta.url), 'utf8'),
)

interface Canary {
  readonly field: string
  readonly value: string
  readonly allowed: readonly Place[]
}

const canaries: Canary[] = []

/** Puts a value on watch and returns it. */
function watch(field: string, value: string, allowed: readonly Place[] = []): string {
  canaries.push({ field, value, allowed })
  return value
}

const logged: string[] = []
const line = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
const log: Log = { debug: line, info: line, warn: line, error: line }

let server: TestServer
let authorization: string
const refused: string[] = []
const answered: string[] = []

async function call(method: string, path: string, body?: object | FormData, headers: object = {}) {
  const isForm = body instanceof FormData
  const response = await server.fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { authorization, ...(isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  ;(response.ok ? answered : refused).push(text)
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

const individual = {
  customerType: 'INDIVIDUAL',
  platformCustomerId: watch('platformCustomerId', 'qz-key-1', [
    'customers.platform_customer_id',
    'quotes.options',
    'transactions.platform_customer_id',
  ]),
  umaAddress: watch('umaAddress', '$qz.uma.1@canary.example', [
    'customers.uma_address',
    'customers.uma_name',
    'uma_addresses.address',
    'error',
  ]),
  region: 'DE',
  currencies: ['EUR', 'USD', 'USDC'],
  email: watch('email', 'qz.mail.1@canary.example'),
  phoneNumber: watch('phoneNumber', '+4915199170001'),
  endUserTermsConsent: {
    acceptedAt: watch('consent.acceptedAt', '2025-10-01T07:13:17.917Z'),
    ipAddress: watch('consent.ipAddress', '2001:db8:917::1'),
    termsVersion: 'V1',
    acceptanceMethod: 'CHECKBOX',
  },
  fullName: watch('fullName', 'Quirin Zabrowski'),
  birthDate: watch('birthDate', '1931-07-19'),
  nationality: 'DE',
  address: {
    line1: watch('address.line1', '917 Zabrowski Lane'),
    line2: watch('address.line2', 'Zab Attic'),
    city: watch('address.city', 'Zabrowstadt'),
    state: watch('address.state', 'Zabrostate'),
    postalCode: watch('address.postalCode', '91719-Z'),
    country: 'DE',
  },
  idType: 'SSN',
  identifier: watch('identifier', '917-19-3171'),
  countryOfIssuance: 'US',
  sourceOfFundsCategories: ['OTHER'],
  sourceOfFundsOtherDescription: watch('sourceOfFundsOther', 'zab funds'),
  sourceOfWealthCategories: ['OTHER'],
  sourceOfWealthOtherDescription: watch('sourceOfWealthOther', 'zab wealth'),
  purposeOfAccount: 'OTHER',
  purposeOfAccountOtherDescription: watch('purposeOther', 'zab purpose'),
}

const business = {
  customerType: 'BUSINESS',
  platformCustomerId: watch('business.platformCustomerId', 'qz-key-2', ['customers.platform_customer_id']),
  umaAddress: watch('business.umaAddress', '$qz.uma.2@canary.example', [
    'customers.uma_address',
    'customers.uma_name',
    'uma_addresses.address',
  ]),
  currencies: ['USD'],
  region: 'US',
  email: watch('business.email', 'qz.mail.2@canary.example'),
  phoneNumber: watch('business.phoneNumber', '+14155917002'),
  endUserTermsConsent: { ...individual.endUserTermsConsent },
  address: {
    line1: watch('business.address.line1', '918 Falkenzab Way'),
    postalCode: '91802',
    country: 'US',
  },
  businessInfo: {
    legalName: watch('legalName', 'Falkenzab Industries'),
    country: 'US',
    taxId: watch('taxId', '91-7193171'),
    incorporatedOn: watch('incorporatedOn', '1931-08-20'),
    doingBusinessAs: watch('doingBusinessAs', 'Falkenzab Doing'),
    registrationNumber: watch('registrationNumber', 'FZ-9171931'),
    naicsCode: '541511',
    countriesOfOperation: ['US'],
    expectedRecipientJurisdictions: ['MX'],
    expectedCounterpartyCountries: ['MX'],
    purposeOfAccount: 'OTHER',
    purposeOfAccountOtherDescription: watch('business.purposeOther', 'falkenzab purpose'),
    sourceOfFunds: watch('business.sourceOfFunds', 'falkenzab funds'),
    sourceOfFundsCategories: ['OTHER'],
    sourceOfFundsOtherDescription: watch('business.fundsOther', 'falkenzab other funds'),
    primaryContactFirstName: watch('primaryContactFirstName', 'Ingazab'),
    primaryContactLastName: watch('primaryContactLastName', 'Falkenstein-Zab'),
  },
}

/** Wrong values are canaries too: errors name fields and rules, never what stood in them. */
const wrong = {
  customerType: 'INDIVIDUAL',
  email: watch('wrong email', 'qz wrong mail 3'),
  phoneNumber: watch('wrong phoneNumber', '0049 917 3171 3'),
  birthDate: watch('wrong birthDate', '1931-13-77'),
  idType: 'SSN',
  identifier: watch('wrong identifier', '91719317-13'),
  fullName: watch('wrong fullName', 'Zab\u0007rowski Bell'),
  address: { line1: watch('wrong line1', `Zablong ${'x'.repeat(260)}`), postalCode: '1', country: 'DE' },
}

const filler = '$file.9@canary.example,file-9'
const file = [
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country,email,description,platformAccountId',
  [
    watch('csv.umaAddress', '$qz.uma.4@canary.example', [
      'customers.uma_address',
      'customers.uma_name',
      'uma_addresses.address',
    ]),
    watch('csv.platformCustomerId', 'qz-key-4', ['customers.platform_customer_id']),
    'INDIVIDUAL',
    watch('csv.fullName', 'Cesvau Zabrowski'),
    watch('csv.birthDate', '1932-03-17'),
    watch('csv.addressLine1', '919 Cesvau Lane'),
    watch('csv.city', 'Cesvaustadt'),
    'NV',
    '89501',
    'US',
    watch('csv.email', 'qz.mail.4@canary.example'),
    watch('csv.description', 'cesvau remark'),
    watch('csv.platformAccountId', 'cesvau-account'),
  ].join(','),
  [
    '$qz.uma.5@canary.example',
    watch('csv.bad.platformCustomerId', 'qz-key-5', ['bulk_import_errors.entry']),
    'INDIVIDUAL',
    watch('csv.bad.fullName', 'Badvau Zabrowski'),
    watch('csv.bad.birthDate', '1932-13-91'),
    watch('csv.bad.addressLine1', '920 Badvau Lane'),
    'Reno',
    'NV',
    '89501',
    'US',
    watch('csv.bad.email', 'qz wrong mail 5'),
    watch('csv.bad.description', 'badvau remark'),
    '',
  ].join(','),
  `${filler},INDIVIDUAL,"${watch('csv.open quote', 'Openvau Zabrowski')}`,
].join('\n')

let erased: string

beforeAll(async () => {
  const credentials = testCredentials()
  server = await startTestServer({ log, contactCredentials: credentials })
  await credentials.install(server)
  // Regulated platforms decide individuals at creation, so that there is an event with the customer in it.
  const platform = await server.platform({ isRegulated: true })
  authorization = `Basic ${Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')}`

  const key = { 'idempotency-key': 'canary-1' }
  const made = await call('POST', '/customers', individual, key)
  expect(made.status).toBe(201)
  expect((await call('POST', '/customers', individual, key)).status).toBe(201)
  expect((await call('POST', '/customers', individual)).status).toBe(409)
  const { id } = made.body
  erased = id
  expect((await call('POST', '/customers', business)).status).toBe(201)
  const sameAddress = { customerType: 'INDIVIDUAL', umaAddress: individual.umaAddress }
  expect((await call('POST', '/customers', sameAddress)).status).toBe(409)
  expect((await call('POST', '/customers', wrong)).status).toBe(400)
  expect((await call('PATCH', `/customers/${id}`, { ...wrong, phoneNumber: undefined })).status).toBe(400)

  const changes = {
    customerType: 'INDIVIDUAL',
    fullName: watch('changed fullName', 'Requirin Zabrowski'),
    identifier: watch('changed identifier', '917-19-3172'),
  }
  expect((await call('PATCH', `/customers/${id}`, changes)).status).toBe(200)
  // A contact that unlocks a wallet waits for a signature, with everything else in the request.
  await credentials.add(platform, id, { type: 'EMAIL_OTP', value: individual.email })
  const awaited = {
    customerType: 'INDIVIDUAL',
    email: watch('awaited email', 'qz.mail.7@canary.example'),
    fullName: watch('awaited fullName', 'Wartezab Zabrowski'),
    identifier: watch('awaited identifier', '917-19-3173'),
  }
  expect((await call('PATCH', `/customers/${id}`, awaited)).status).toBe(202)
  for (const channel of ['email', 'phone']) {
    expect((await call('POST', `/customers/${id}/verify-${channel}`)).status).toBe(204)
    const guess = { code: watch(`wrong ${channel} code`, `wrong-code-${channel}`) }
    expect((await call('POST', `/customers/${id}/verify-${channel}/confirm`, guess)).status).toBe(400)
  }

  for (const content of [file, file.split('\n').slice(0, 3).join('\n')]) {
    const form = new FormData()
    form.append('file', new Blob([content], { type: 'text/csv' }), 'customers.csv')
    expect((await call('POST', '/customers/bulk/csv', form)).status).toBe(202)
  }
  await registerAccounts(id)
  await payOut(id)
  await uploadPassport(id)
  await server.settle()
  await call('GET', '/customers')
  await call('GET', '/sandbox/inbox')
})
afterAll(() => server.close())

/** One account of every type for the customer, and one of the platform's own. */
async function registerAccounts(customerId: string): Promise<void> {
  for (const [index, type] of accountTypes.entries()) {
    const { beneficiary } = type.example as { beneficiary?: object }
    const holder = beneficiary && {
      ...beneficiary,
      ...('fullName' in beneficiary
        ? { fullName: watch(`${type.name} holder`, `Holdzab ${letters(index)}`) }
        : {}),
    }
    const accountInfo = { ...type.example, ...(holder ? { beneficiary: holder } : {}) }
    watch(`${type.name} primary id`, type.primaryId(type.normalize(accountInfo)))
    const body = {
      customerId,
      currency: type.currencies[0],
      ownershipType: 'FIRST_PARTY',
      platformAccountId: watch(`${type.name} platformAccountId`, `qz-account-${index}`, [
        'external_accounts.platform_account_id',
      ]),
      accountInfo,
    }
    const { status, body: account } = await call('POST', '/customers/external-accounts', body)
    expect([type.name, status]).toEqual([type.name, 201])
    if (type.kind === 'WALLET') {
      const path = `/customers/external-accounts/${account.id}/challenge`
      expect((await call('POST', path, { method: 'WALLET_SIGNATURE' })).status).toBe(201)
    }
    expect((await call('POST', '/customers/external-accounts', body)).status).toBe(409)
  }
  const own = {
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: watch('platform iban', 'DE75512108001245126199'),
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: watch('platform holder', 'Platzab Holder') },
    },
  }
  expect((await call('POST', '/platform/external-accounts', own)).status).toBe(201)
  const bad = { ...own, accountInfo: { ...own.accountInfo, iban: watch('wrong iban', 'DE!!917193171') } }
  expect((await call('POST', '/platform/external-accounts', bad)).status).toBe(400)
}

/** A payment knows its accounts by their ids; what the sender writes to the recipient is kept with it. */
async function payOut(customerId: string): Promise<void> {
  const { body: list } = await call('GET', `/internal-account?customerId=${customerId}&currency=USD`)
  const accountId = list.data[0].id
  await call('POST', `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100_000 })
  const { body: payee } = await call('POST', '/customers/external-accounts', {
    customerId,
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      accountNumber: watch('payee account', '917193171555'),
      routingNumber: '021000021',
      bankAccountType: 'CHECKING',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: watch('payee', 'Payzab Recipient') },
    },
  })
  const { status } = await call('POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId },
    destination: { destinationType: 'ACCOUNT', accountId: payee.id },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    immediatelyExecute: true,
    remittanceInformation: watch('remittance', 'zab remittance'),
  })
  expect(status).toBe(201)
}

async function uploadPassport(customerId: string): Promise<void> {
  const form = new FormData()
  form.set('documentHolder', customerId)
  form.set('documentType', 'PASSPORT')
  form.set('country', 'DE')
  form.set('documentNumber', watch('documentNumber', 'QZ9171931'))
  form.set('issuingAuthority', watch('issuingAuthority', 'Zabrostadt Passports'))
  const page = `%PDF-1.4\n${watch('file', 'the passport of Zabrowski')}`
  form.set(
    'file',
    new Blob([page], { type: 'application/pdf' }),
    watch('fileName', 'qz-passport-zabrowski.pdf'),
  )
  expect((await call('POST', '/documents', form)).status).toBe(201)
}

/** Two letters, so that no name is the beginning of another. */
function letters(index: number): string {
  return String.fromCharCode(65 + Math.floor(index / 26)) + String.fromCharCode(97 + (index % 26))
}

async function sightings(): Promise<{ field: string; place: Place }[]> {
  const places = await columnsInDatabase(server.engine.database)
  for (const [place, text] of await placesInBackup(server.engine.database)) {
    // What stood in plain in a file of the embedded database is still in it; all else never was.
    if (place !== bytesOfFiles) places.set(place, `${places.get(place) ?? ''}\n${text}`)
    else places.set(place, neverPlain(text))
  }
  places.set('log', logged.join('\n'))
  places.set('error', refused.join('\n'))
  const metrics = await server.fetch('http://corridor.test/metrics', {
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  places.set('metrics', await metrics.text())
  places.set(
    'file',
    [...server.blobs.files.values()].map((bytes) => Buffer.from(bytes).toString('latin1')).join('\n'),
  )
  return canaries.flatMap(({ field, value }) =>
    [...places].filter(([, text]) => text.includes(value)).map(([place]) => ({ field, place })),
  )
}

/** The canaries in these bytes that may stand in no column. */
function neverPlain(bytes: string): string {
  return canaries
    .filter(({ value, allowed }) => !allowed.some((place) => place.includes('.')) && bytes.includes(value))
    .map(({ value }) => value)
    .join('\n')
}

describe('personal data', () => {
  it('goes through every field that a customer can have', () => {
    const settable = (schema: { properties: object }, except: string[]) =>
      Object.entries(schema.properties)
        .filter(([name, part]) => !except.includes(name) && !isChoice(part))
        .map(([name]) => name)
    expect(Object.keys(individual)).toEqual(
      expect.arrayContaining(settable(IndividualCustomerCreateRequest, [])),
    )
    expect(Object.keys(business)).toEqual(expect.arrayContaining(settable(BusinessCustomerCreateRequest, [])))
    expect(Object.keys(business.businessInfo)).toEqual(expect.arrayContaining(settable(BusinessInfo, [])))
  })

  it('is read back by its platform, except what is never shown', () => {
    const shown = answered.join('\n')
    for (const value of [individual.fullName, individual.email, business.businessInfo.taxId]) {
      expect(shown).toContain(value)
    }
    for (const value of [individual.identifier, 'cesvau remark', 'cesvau-account']) {
      expect(shown).not.toContain(value)
    }
  })

  it('stands in no log line, error, metric, file, event, column or backup but those that the specification sends it to', async () => {
    const found = await sightings()
    const allowed = new Map(canaries.map(({ field, allowed }) => [field, allowed]))
    for (const place of [...allowed.values()].flat()) expect([...guide.plain]).toContain(place)
    expect(found.filter(({ field, place }) => !allowed.get(field)!.includes(place))).toEqual([])
  })

  it('would be found: every place of the allow-list holds what it is allowed', async () => {
    const found = new Set((await sightings()).map(({ place }) => place))
    expect(canaries.flatMap(({ allowed }) => allowed).filter((place) => !found.has(place))).toEqual([])
    expect(logged.length).toBeGreaterThan(100)
    expect(refused.length).toBeGreaterThan(10)
    expect(server.blobs.files.size).toBe(1)
    const backup = [...(await placesInBackup(server.engine.database)).values()].join('\n')
    expect(backup).toContain(individual.platformCustomerId)
  })

  it('of an erased customer is not even in the events', async () => {
    expect((await call('DELETE', `/customers/${erased}`)).status).toBe(200)
    const response = await server.fetch(`http://corridor.test/operator/customers/${erased}/erase`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    expect(response.status).toBe(204)
    await server.settle()
    expect(server.blobs.files.size).toBe(0)
    const own = new Set([
      'email',
      'phoneNumber',
      'fullName',
      'birthDate',
      'address.line1',
      'consent.ipAddress',
      'documentNumber',
      'fileName',
      'file',
      ...accountTypes.map(({ name }) => `${name} primary id`),
    ])
    expect((await sightings()).filter(({ field }) => own.has(field))).toEqual([])
  })
})

/** A list of words tells of nobody in particular. */
function isChoice(schema: unknown): boolean {
  const { enum: words, $ref } = schema as { enum?: unknown; $ref?: unknown }
  return words !== undefined || $ref !== undefined
}
