import { loadSealedKey } from '@corridor/engine/mechanisms/keys/data-keys.ts'
import { sealedConsents } from '@corridor/engine/people/customers/index.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it, test } from 'vitest'
import { business, customerApi, fieldsOf, type Individual, person } from '../e2e/customer-api.ts'

const server = await openTestServer()

const start = (options: Parameters<typeof customerApi>[1] = {}) => customerApi(server, options)

describe('the status at creation', () => {
  const unregulated = {}
  const regulated = { isRegulated: true }
  const skipping = { skipPaperwork: true }
  const production = { environment: 'PRODUCTION' } as const
  const table: [string, object, string | undefined, string][] = [
    ['unregulated', unregulated, 'Ana Lopez 001', 'UNVERIFIED'],
    ['unregulated', unregulated, 'Ana Lopez 002', 'UNVERIFIED'],
    ['unregulated', unregulated, 'Ana Lopez', 'UNVERIFIED'],
    ['regulated', regulated, 'Ana Lopez 001', 'PENDING'],
    ['regulated', regulated, 'Ana Lopez 002  ', 'REJECTED'],
    ['regulated', regulated, 'Ana Lopez003', 'UNVERIFIED'],
    ['regulated', regulated, 'Ana Lopez 1002', 'REJECTED'],
    ['regulated', regulated, 'Ana Lopez 005', 'APPROVED'],
    ['regulated', regulated, 'Ana Lopez', 'APPROVED'],
    ['regulated', regulated, undefined, 'APPROVED'],
    ['skipping paperwork', skipping, 'Ana Lopez 001', 'PENDING'],
    ['skipping paperwork', skipping, 'Ana Lopez', 'APPROVED'],
    ['in production, unregulated', production, 'Ana Lopez', 'UNVERIFIED'],
    ['in production, regulated', { ...production, ...regulated }, 'Ana Lopez 002', 'APPROVED'],
  ]

  test.each(table)('of %s %j %j is %s', async (_what, options, fullName, status) => {
    const { customer, create, events } = await start(options)
    const created = await customer(fullName === undefined ? {} : { fullName })
    expect(created.kycStatus).toBe(status)
    const expected = status === 'UNVERIFIED' ? [] : [{ type: `CUSTOMER.KYC_${status}`, data: created }]
    expect(await events()).toMatchObject(expected)
    expect(await events()).toHaveLength(expected.length)
    const company = await create({
      ...business,
      businessInfo: { ...business.businessInfo, registrationNumber: '77002' },
    })
    expect(company.data).toMatchObject({ kybStatus: 'UNVERIFIED' })
    expect(await events()).toHaveLength(expected.length)
  })

  it('does not follow a change of the name', async () => {
    const { customer, change, events } = await start({ isRegulated: true })
    const { id } = await customer({ fullName: 'Teo Brandt 002' })
    const renamed = await change(id, { ...person, fullName: 'Teo Brandt' })
    expect(renamed.data).toMatchObject({ fullName: 'Teo Brandt', kycStatus: 'REJECTED' })
    expect((await events()).map(({ type }) => type)).toEqual(['CUSTOMER.KYC_REJECTED'])
  })
})

describe('terms for end users', () => {
  const consent = {
    acceptedAt: '2025-10-01T10:00:00+02:00',
    ipAddress: '2001:db8::1',
    termsVersion: 'V1',
    acceptanceMethod: 'CHECKBOX',
  }

  it('have a current version, found before any customer of that name', async () => {
    const { api } = await start()
    const { data } = await api.GET('/customers/end-user-terms')
    expect(data).toEqual({ version: 'V1', url: expect.stringMatching(/^https?:/) })
    const page = await server.fetch(data!.url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('version V1')
  })

  it('are recorded on creation and on change, and shown unchanged', async () => {
    const { platform, create, change, customer, events } = await start({ isRegulated: true })
    const { data } = await create({ ...person, endUserTermsConsent: { ...consent, extra: 1 } })
    expect((data as unknown as Individual).endUserTermsConsent).toEqual(consent)
    expect((await events())[0]!.data).toMatchObject({ endUserTermsConsent: consent })
    const { id } = await customer()
    const later = { ...consent, termsVersion: '2025-10-13', ipAddress: '198.51.100.24' }
    for (const given of [consent, later]) {
      const { data } = await change(id, { ...person, endUserTermsConsent: given })
      expect(data!.endUserTermsConsent).toEqual(given)
    }
    const kept = await server.engine.database.system((connection) =>
      connection.query<{ consent: string }>(
        {
          name: 'test.consents',
          text: 'select consent from customer_consents where customer_id = $1 order by recorded_at',
        },
        [id],
      ),
    )
    const { database, keys } = server.engine
    const key = keys.dataKey(platform, id, (await loadSealedKey(database, platform, id))!)
    const opened = kept.map((row) => JSON.parse(key.open(sealedConsents, id, row.consent)))
    expect(opened).toEqual([consent, later])
    const removed = await change(id, { ...person, endUserTermsConsent: null })
    expect(fieldsOf(removed.error)).toEqual(['endUserTermsConsent'])
  })

  it('are refused in an unknown version, from no address, and from the future', async () => {
    const { create } = await start()
    const unknown = await create({ ...person, endUserTermsConsent: { ...consent, termsVersion: 'V9' } })
    expect(unknown.error).toMatchObject({
      status: 400,
      code: 'END_USER_TERMS_VERSION_NOT_FOUND',
      details: { termsVersion: 'V9', currentVersion: 'V1' },
    })
    const acceptedAt = new Date(server.world.now() + 301_000).toISOString()
    const wrong = await create({
      ...person,
      endUserTermsConsent: { ...consent, acceptedAt, ipAddress: '198.51.100.256' },
    })
    expect(fieldsOf(wrong.error)).toEqual(['endUserTermsConsent.acceptedAt', 'endUserTermsConsent.ipAddress'])
    const soon = new Date(server.world.now() + 299_000).toISOString()
    const fine = await create({ ...person, endUserTermsConsent: { ...consent, acceptedAt: soon } })
    expect(fine.response.status).toBe(201)
  })
})
