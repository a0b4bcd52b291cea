import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import {
  business,
  businessAddress,
  businessDetails,
  businessDocuments,
  onboarding,
  owner,
  person,
  png,
  statusOf,
} from './onboarding.ts'

const server = await openTestServer()

const unregulated = async () => onboarding(server, await server.platform())
const regulated = async () => onboarding(server, await server.platform({ isRegulated: true }))
type Platform = Awaited<ReturnType<typeof unregulated>>

const dayMs = 24 * 60 * 60 * 1000

function link(at: Platform, customerId: string, body?: object, headers: Record<string, string> = {}) {
  const params = { path: { customerId } }
  return at.api.POST('/customers/{customerId}/kyc-link', { params, body: body as never, headers })
}

async function linkOf(at: Platform, customerId: string, body?: object): Promise<string> {
  const { data, error } = await link(at, customerId, body)
  if (!data) throw new Error(JSON.stringify(error))
  return data.kycUrl
}

async function get(url: string) {
  const response = await server.fetch(url)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

async function post(
  url: string,
  body: string | URLSearchParams | FormData,
  headers: Record<string, string> = {},
) {
  const response = await server.fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const complete = (url: string) => post(`${url}/complete`, new URLSearchParams())

async function completeJson(url: string, body: object) {
  const answer = await post(`${url}/complete`, JSON.stringify(body), { 'content-type': 'application/json' })
  return { ...answer, body: JSON.parse(answer.text) }
}

const document = {
  documentType: 'PASSPORT',
  country: 'US',
  documentNumber: 'X1',
  issuingAuthority: 'State Dept',
  fileName: 'p.png',
  contentType: 'image/png',
  content: png.toString('base64'),
}

describe('kyc links (customers 8)', () => {
  it('are fresh each time, live a day, and change no status', async () => {
    const at = await unregulated()
    const { id } = await at.create(person)
    const first = await link(at, id, { redirectUri: 'https://shop.example/back' })
    expect(first.response.status).toBe(201)
    expect(first.data).toEqual({
      kycUrl: expect.stringMatching(/^http:\/\/corridor\.test\/verify\/[\w-]{43}$/),
      expiresAt: new Date(server.world.now() + dayMs).toISOString(),
      provider: 'SUMSUB',
      token: expect.stringMatching(/^_act-sbx-jwt-/),
    })
    const second = await linkOf(at, id)
    expect(second).not.toBe(first.data!.kycUrl)
    for (const url of [first.data!.kycUrl, second]) expect((await get(url)).status).toBe(200)
    expect(statusOf(await at.read(id))).toBe('UNVERIFIED')
    expect(await at.types()).toEqual([])
  })

  it('replays the first answer byte for byte under the same key, and refuses another body', async () => {
    const at = await unregulated()
    const { id } = await at.create(person)
    const body = { redirectUri: 'https://shop.example/back' }
    const send = async (key: string, more: object = body) => {
      const response = await server.fetch(`${server.baseUrl}/customers/${id}/kyc-link`, {
        method: 'POST',
        headers: {
          authorization: at.authorization,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(more),
      })
      return { status: response.status, text: await response.text() }
    }
    const first = await send('k-1')
    expect(first.status).toBe(201)
    expect(await send('k-1')).toEqual(first)
    expect((await send('k-2')).text).not.toBe(first.text)
    expect((await send('k-1', {})).status).toBe(409)
  })

  it.each(['http://shop.example/back', 'shop.example', '/back', 'javascript:alert(1)'])(
    'refuses to lead back to %s',
    async (redirectUri) => {
      const at = await unregulated()
      const { id } = await at.create(person)
      expect((await link(at, id, { redirectUri })).error).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
        details: { field: 'redirectUri' },
      })
    },
  )

  it('may lead back to the machine of a developer without https', async () => {
    const at = await unregulated()
    const { id } = await at.create(person)
    for (const redirectUri of ['http://localhost:3000/back', 'http://127.0.0.1/back']) {
      expect((await link(at, id, { redirectUri })).response.status).toBe(201)
    }
  })

  it('have nothing to embed in production', async () => {
    const at = onboarding(server, await server.platform({ environment: 'PRODUCTION' }))
    const { id } = await at.create({ ...person, fullName: 'Mira Okafor' })
    const { data } = await link(at, id)
    expect(Object.keys(data!).sort()).toEqual(['expiresAt', 'kycUrl', 'provider'])
  })

  it('waits for verified contacts in the EEA, and refuses unknown and deleted customers', async () => {
    const at = await unregulated()
    const { id } = await at.create({ ...person, region: 'DE', fullName: 'Lena Vogt' })
    expect((await link(at, id)).error).toMatchObject({ status: 409, code: 'CONFLICT' })
    const gone = await at.create(person)
    const url = await linkOf(at, gone.id)
    await at.api.DELETE('/customers/{customerId}', { params: { path: { customerId: gone.id } } })
    expect((await link(at, gone.id)).error).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
    expect((await link(at, 'Customer:nobody')).error).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
    expect((await get(url)).status).toBe(410)
    expect((await complete(url)).status).toBe(410)
  })

  it('keep their token out of the database', async () => {
    const at = await unregulated()
    const { id } = await at.create(person)
    const { data } = await link(at, id, {}, { 'idempotency-key': 'kept' })
    const token = data!.kycUrl.split('/').at(-1)!
    const rows = await server.rows<{
      line: string
    }>(`select to_jsonb(l)::text as line from verification_links l
          union all select to_jsonb(i)::text from idempotency_keys i`)
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.map(({ line }) => line).join()).not.toContain(token)
  })
})

/** Rows of the last table of customers 8. The packet is complete. */
const completions = [
  ['Mira Okafor 001', 302, 'PENDING', 'PENDING_MANUAL_REVIEW'],
  ['Mira Okafor 002', 302, 'REJECTED', 'REJECTED'],
  ['Mira Okafor 003', 303, 'UNVERIFIED', 'RESOLVE_ERRORS'],
  ['Mira Okafor', 302, 'APPROVED', 'APPROVED'],
] as const

const businessCompletions = [
  ['77001', 'UNVERIFIED', 'PENDING_MANUAL_REVIEW'],
  ['77002', 'REJECTED', 'REJECTED'],
  ['77003', 'UNVERIFIED', 'PENDING_MANUAL_REVIEW'],
  ['77120', 'APPROVED', 'APPROVED'],
] as const

const redirectUri = 'https://shop.example/back?order=1&x=%20y#z'

describe('finishing with a link (customers 8)', () => {
  it.each(completions)('%s: %i, %s, %s', async (fullName, answer, status, verificationStatus) => {
    const at = await unregulated()
    const { id } = await at.completePerson(fullName)
    const url = await linkOf(at, id, { redirectUri })
    const { status: code, headers } = await complete(url)
    expect(code).toBe(answer)
    const list = await at.api.GET('/verifications', { params: { query: { customerId: id as never } } })
    expect(list.data).toMatchObject({ data: [{ verificationStatus }], totalCount: 1 })
    expect(statusOf(await at.read(id))).toBe(status)
    if (answer === 302) {
      expect(headers.get('location')).toBe(redirectUri)
      expect((await get(url)).status).toBe(410)
      expect((await complete(url)).status).toBe(410)
      expect(list.data!.totalCount).toBe(1)
    } else {
      expect(list.data!.data[0]!.errors).toMatchObject([{ type: 'POOR_QUALITY_DOCUMENT' }])
      expect((await get(url)).status).toBe(200)
    }
  })

  it.each(businessCompletions)('business %s: %s, %s', async (number, status, verificationStatus) => {
    const at = await unregulated()
    const { id } = await at.completeBusiness(number)
    expect((await complete(await linkOf(at, id, { redirectUri }))).status).toBe(302)
    expect(statusOf(await at.read(id))).toBe(status)
    const list = await at.api.GET('/verifications')
    expect(list.data).toMatchObject({ data: [{ verificationStatus }], totalCount: 1 })
  })

  it.each([
    ['77120', 'APPROVED'],
    ['77002', 'REJECTED'],
  ])('asks a business %s nothing where paperwork is skipped: %s', async (registrationNumber, status) => {
    const at = await regulated()
    const { id } = await at.create({
      ...business,
      businessInfo: { ...business.businessInfo, registrationNumber },
    })
    const url = await linkOf(at, id)
    expect((await get(url)).text).toContain('There is nothing for')
    expect((await complete(url)).status).toBe(200)
    expect(statusOf(await at.read(id))).toBe(status)
  })

  it('demands everything of a business under review, also where paperwork is skipped', async () => {
    const at = await regulated()
    const { id } = await at.create({
      ...business,
      businessInfo: { ...business.businessInfo, registrationNumber: '77003' },
    })
    const url = await linkOf(at, id)
    const refused = await complete(url)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Some information is still missing')
    expect((await get(url)).status).toBe(200)
    expect(await at.types()).toEqual([])
  })

  it('takes a whole business in one request', async () => {
    const at = await unregulated()
    const { id } = await at.create({
      ...business,
      businessInfo: { ...business.businessInfo, registrationNumber: '77120' },
    })
    const url = await linkOf(at, id, { redirectUri })
    const { customerId: _, ...beneficialOwner } = owner('Falk002', id)
    const wrong = await completeJson(url, {
      address: { ...businessAddress, country: 'XX' },
      beneficialOwners: [{}],
    })
    expect(wrong.status).toBe(422)
    expect(wrong.body.errors.map(({ field }: { field: string }) => field)).toContain('address.country')
    expect(await at.read(id)).toMatchObject({ beneficialOwners: [] })

    const done = await completeJson(url, {
      address: businessAddress,
      businessInfo: businessDetails,
      beneficialOwners: [beneficialOwner],
      documents: businessDocuments.map((documentType) => ({ ...document, documentType })),
    })
    expect(done).toMatchObject({
      status: 200,
      body: { verificationStatus: 'APPROVED', errors: [], redirectUri },
    })
    expect(await at.read(id)).toMatchObject({
      kybStatus: 'APPROVED',
      beneficialOwners: [{ kycStatus: 'REJECTED' }],
    })
    expect(await at.types()).toEqual(['VERIFICATION.APPROVED', 'CUSTOMER.KYB_APPROVED'])
  })

  it('takes an individual in one form', async () => {
    const at = await unregulated()
    const { id } = await at.create({ customerType: 'INDIVIDUAL', fullName: 'Mira Okafor' })
    const url = await linkOf(at, id)
    const form = new FormData()
    const fields = {
      birthDate: person.birthDate,
      nationality: 'US',
      idType: 'SSN',
      identifier: '219-09-9999',
      'address.line1': '8 Quay Rd',
      'address.postalCode': '98402',
      'address.country': 'US',
      documentType: 'PASSPORT',
      country: 'US',
      documentNumber: 'X1',
      issuingAuthority: 'State Dept',
    }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new Blob([png], { type: 'image/png' }), 'p.png')
    const done = await post(`${url}/complete`, form)
    expect(done.status).toBe(200)
    expect(done.text).toContain('You are verified')
    expect(statusOf(await at.read(id))).toBe('APPROVED')
  })

  it('has no effect on a customer who is decided', async () => {
    const at = await unregulated()
    const { id } = await at.completePerson('Mira Okafor')
    await at.verify(id)
    const url = await linkOf(at, id)
    const types = await at.types()
    expect((await get(url)).text).toContain('Nothing left to do')
    expect((await complete(url)).text).toContain('Nothing left to do')
    expect(await at.types()).toEqual(types)
    expect((await get(url)).status).toBe(410)
  })

  it('counts once when it happens several times at the same moment', async () => {
    const at = await unregulated()
    const { id } = await at.completePerson('Mira Okafor')
    const url = await linkOf(at, id)
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete(url)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410])
    expect(await at.types()).toEqual(['VERIFICATION.APPROVED', 'CUSTOMER.KYC_APPROVED'])
  })

  it('ends after a day by the clock of its platform', async () => {
    const at = await unregulated()
    const { id } = await at.completePerson('Mira Okafor')
    const url = await linkOf(at, id)
    const advance = (seconds: number) => at.api.POST('/sandbox/clock/advance', { body: { seconds } })
    await advance(dayMs / 1000 - 1)
    expect((await get(url)).status).toBe(200)
    await advance(1)
    expect((await get(url)).status).toBe(410)
    expect((await complete(url)).status).toBe(410)
    expect(statusOf(await at.read(id))).toBe('UNVERIFIED')
  })
})

describe('the page behind a link', () => {
  it('fills in what is known, and never the identifier', async () => {
    const at = await unregulated()
    const { id } = await at.create({ ...person, fullName: '<b>Mira</b> "Okafor"' })
    const url = await linkOf(at, id)
    const { text } = await get(`${url}?step=details`)
    expect(text).toContain('value="&lt;b&gt;Mira&lt;/b&gt; &quot;Okafor&quot;"')
    expect(text).toContain('value="8 Quay Rd"')
    expect(text).toContain('Already on file')
    expect(text).not.toContain('219-09-9999')
  })

  it('runs nothing inline, tells no one its address, and is kept by no cache', async () => {
    const at = await unregulated()
    const { id } = await at.create(person)
    const { headers, text } = await get(await linkOf(at, id, { redirectUri }))
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("form-action 'self' https://shop.example;")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(text).not.toMatch(/<style|<script(?! src)|\son\w+=|style=/)
    for (const name of ['verify.css', 'verify.js']) {
      expect((await get(`http://corridor.test/verify/assets/${name}`)).status).toBe(200)
    }
  })

  it('takes a form with every country ticked in both lists', async () => {
    const at = await unregulated()
    const { id } = await at.create(business)
    const url = await linkOf(at, id)
    const { text } = await get(url)
    const ticks = [...text.matchAll(/type="checkbox"[^>]*name="([^"]+)"/g)].map(([, name]) => [name!, 'on'])
    expect(ticks.length).toBeGreaterThan(400)
    const answer = await post(`${url}/details`, new URLSearchParams(ticks))
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('Legal form is required')
  })

  it('takes no form from elsewhere, and nothing of other customers', async () => {
    const at = await unregulated()
    const { id } = await at.completePerson('Mira Okafor')
    const { documentId } = await at.completePerson('Somebody Else')
    const url = await linkOf(at, id)
    const forged = await post(`${url}/complete`, new URLSearchParams(), { 'sec-fetch-site': 'cross-site' })
    expect(forged.status).toBe(403)
    expect(statusOf(await at.read(id))).toBe('UNVERIFIED')
    await post(`${url}/documents/${documentId}/remove`, new URLSearchParams())
    const path = { params: { path: { documentId } } }
    expect((await at.api.GET('/documents/{documentId}', path)).response.status).toBe(200)
    expect((await get('http://corridor.test/verify/not-a-token')).status).toBe(404)
  })
})
