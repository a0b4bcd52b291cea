import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { business, onboarding, operate, owner, person, png } from './onboarding.ts'

const server = await openTestServer()

const inSandbox = async () => onboarding(server, await server.platform())
const inProduction = async () => onboarding(server, await server.platform({ environment: 'PRODUCTION' }))

const text = (content: string, type: string) => new Blob([content], { type })
const withSize = (bytes: number) => new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })
const maxBytes = 10 * 1024 * 1024

describe('documents (customers 11)', () => {
  it('are stored sealed, shown as metadata, replaced as a whole, and removed with their file', async () => {
    const at = await inSandbox()
    const { id } = await at.create(person)
    const more = { documentNumber: 'A1234567', issuingAuthority: 'State Dept', side: 'FRONT' }
    const stored = new Set(server.blobs.files.keys())
    const { status, body: document } = await at.upload({ holder: id, more, fileName: 'C:\\scans\\pass.png' })
    expect(status).toBe(201)
    expect(document).toEqual({
      id: expect.stringMatching(/^Document:/),
      documentHolder: id,
      documentType: 'PASSPORT',
      side: 'FRONT',
      country: 'US',
      documentNumber: 'A1234567',
      issuingAuthority: 'State Dept',
      fileName: 'pass.png',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const [key] = [...server.blobs.files.keys()].filter((each) => !stored.has(each))
    const sealed = Buffer.from(server.blobs.files.get(key!)!)
    expect(sealed.includes(png.subarray(0, 16))).toBe(false)
    expect(sealed.length).toBe(png.length + 28)

    const pdf = text('%PDF-1.7', 'application/pdf')
    const replaced = await at.replace(document.id, {
      holder: 'Customer:x',
      type: 'NATIONAL_ID',
      file: pdf,
      fileName: 'n.pdf',
    })
    expect(replaced.status).toBe(200)
    expect(replaced.body).toEqual({
      id: document.id,
      documentHolder: id,
      documentType: 'NATIONAL_ID',
      country: 'US',
      fileName: 'n.pdf',
      createdAt: document.createdAt,
      updatedAt: expect.any(String),
    })
    expect(replaced.body.updatedAt > document.updatedAt).toBe(true)
    await server.settle()
    expect(server.blobs.files.has(key!)).toBe(false)

    const path = { params: { path: { documentId: document.id } } }
    expect((await at.api.DELETE('/documents/{documentId}', path)).response.status).toBe(204)
    expect((await at.api.GET('/documents/{documentId}', path)).error).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    })
    await server.settle()
    expect([...server.blobs.files.keys()].filter((each) => !stored.has(each))).toEqual([])
  })

  it('keep numbers out of the database in the clear, also out of what is kept for replays', async () => {
    const at = await inSandbox()
    const { id } = await at.create(business)
    const headers = { 'idempotency-key': 'same-upload' }
    const more = { documentNumber: 'ZQ7718829' }
    const first = await at.upload({ holder: id, more }, headers)
    const again = await at.upload({ holder: id, more }, headers)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await at.upload({ holder: id, more: { documentNumber: 'ZQ7718830' } }, headers)
    expect(other).toMatchObject({ status: 409, body: { details: { reason: 'IDEMPOTENCY_KEY_REUSED' } } })
    await at.addOwner(owner('Falk', id, { identifier: '078-05-1199' }))
    const dump = await server.rows<{
      line: string
    }>(`select to_jsonb(d)::text as line from documents d union all select to_jsonb(i)::text from idempotency_keys i
          union all select to_jsonb(o)::text from beneficial_owners o union all select body from events`)
    expect(dump.length).toBeGreaterThan(2)
    expect(dump.map(({ line }) => line).join()).not.toMatch(/ZQ77188|078-05-1199/)
    const rows = dump.filter(({ line }) => line.includes('platform_id')).map(({ line }) => line)
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.join()).not.toMatch(/Falk|p\.png/)
  })

  it.each([
    ['any bytes that are called a PNG', 201, 400, text('anything', 'image/png'), 'a.png'],
    [
      'the extension where the type says nothing',
      201,
      400,
      text('anything', 'application/octet-stream'),
      'a.JPG',
    ],
    ['a PNG under another name', 201, 201, new Blob([png], { type: 'image/png' }), 'a.txt'],
    ['plain text', 400, 400, text('hello', 'text/plain'), 'a.txt'],
    ['an empty file', 400, 400, text('', 'image/png'), 'a.png'],
    ['10 MB', 201, 400, withSize(maxBytes), 'a.pdf'],
    ['a byte more than 10 MB', 400, 400, withSize(maxBytes + 1), 'a.pdf'],
  ])('%s: %i in the sandbox, %i in production', async (_what, sandbox, production, file, fileName) => {
    for (const [at, expected] of [
      [await inSandbox(), sandbox],
      [await inProduction(), production],
    ] as const) {
      const { id } = await at.create(person)
      const { status, body } = await at.upload({ holder: id, file, fileName })
      expect(status).toBe(expected)
      if (expected === 400) expect(body).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'file' } })
    }
  })

  it('names every wrong part at once', async () => {
    const at = await inSandbox()
    const wrong = await at.upload({
      holder: 'Quote:1',
      type: 'VISA',
      file: null,
      more: { country: 'XX', side: 'TOP' },
    })
    expect(wrong.status).toBe(400)
    expect(wrong.body.details.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'country',
      'documentHolder',
      'documentType',
      'file',
      'side',
    ])
    const json = await server.fetch(`${server.baseUrl}/documents`, {
      method: 'POST',
      headers: { authorization: at.authorization, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(json.status).toBe(400)
    expect(await json.json()).toMatchObject({ code: 'INVALID_REQUEST_FORMAT' })
    const garbled = await server.fetch(`${server.baseUrl}/documents`, {
      method: 'POST',
      headers: { authorization: at.authorization, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nno headers',
    })
    expect(await garbled.json()).toMatchObject({ status: 400, code: 'INVALID_REQUEST_FORMAT' })
  })

  it('belong to customers and owners of the platform that are not deleted', async () => {
    const at = await inSandbox()
    const foreign = await (await inSandbox()).create(person)
    const gone = await at.create(business)
    const { id: ownerOfGone } = await at.addOwner(owner('Falk', gone.id))
    await at.api.DELETE('/customers/{customerId}', { params: { path: { customerId: gone.id } } })
    for (const holder of [foreign.id, gone.id]) {
      expect(await at.upload({ holder })).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } })
    }
    const files = server.blobs.files.size
    for (const holder of [ownerOfGone, 'BeneficialOwner:00000000-0000-7000-8000-000000000000']) {
      expect(await at.upload({ holder })).toMatchObject({
        status: 404,
        body: { code: 'REFERENCE_NOT_FOUND' },
      })
    }
    expect(server.blobs.files.size).toBe(files)
  })

  it('are listed by holder: those of an owner are not those of the business', async () => {
    const at = await inSandbox()
    const { id } = await at.create(business)
    const { id: ownerId } = await at.addOwner(owner('Falk', id))
    const own = await at.uploaded(id, 'UTILITY_BILL')
    const ofOwner = await at.uploaded(ownerId, 'PASSPORT')
    const list = async (query: object) =>
      (await at.api.GET('/documents', { params: { query: query as never } })).data!
    expect((await list({ documentHolder: id })).data.map((each) => each.id)).toEqual([own])
    expect((await list({ documentHolder: ownerId })).data.map((each) => each.id)).toEqual([ofOwner])
    expect(await list({ limit: 1 })).toMatchObject({ totalCount: 2, hasMore: true })
  })

  it('answer what a provider finds at once, and then keep no file', async () => {
    const at = await inProduction()
    const { id } = await at.create(person)
    const { identity } = server.thirdParties.PRODUCTION
    const files = server.blobs.files.size
    Object.assign(identity, { inspectDocument: async () => 'SUSPECTED_FRAUD' })
    try {
      expect(await at.upload({ holder: id })).toMatchObject({
        status: 400,
        body: { code: 'SUSPECTED_FRAUD', details: { documentType: 'PASSPORT' } },
      })
    } finally {
      delete identity.inspectDocument
    }
    expect(server.blobs.files.size).toBe(files)
    expect((await at.upload({ holder: id })).status).toBe(201)
  })
})

describe('erasing a business', () => {
  it('takes its owners, its documents and their files along', async () => {
    const at = await inSandbox()
    const { id } = await at.create(business)
    const { id: ownerId } = await at.addOwner(owner('Falk', id))
    const stored = new Set(server.blobs.files.keys())
    const documents = [await at.uploaded(id, 'UTILITY_BILL'), await at.uploaded(ownerId)]
    await at.api.DELETE('/customers/{customerId}', { params: { path: { customerId: id } } })
    expect((await at.read(id)) as object).toMatchObject({ beneficialOwners: [{ id: ownerId }] })
    expect((await operate(server, 'POST', `/customers/${id}/erase`)).status).toBe(204)
    await server.settle()

    expect([...server.blobs.files.keys()].filter((key) => !stored.has(key))).toEqual([])
    expect((await at.read(id)) as object).toMatchObject({ isDeleted: true, beneficialOwners: [] })
    for (const documentId of documents) {
      const path = { params: { path: { documentId } } }
      expect((await at.api.GET('/documents/{documentId}', path)).response.status).toBe(404)
    }
    const path = { params: { path: { beneficialOwnerId: ownerId } } }
    expect((await at.api.GET('/beneficial-owners/{beneficialOwnerId}', path)).response.status).toBe(404)
    const query = { customerId: id as never }
    expect((await at.api.GET('/beneficial-owners', { params: { query } })).data).toMatchObject({
      totalCount: 0,
    })
  })
})

describe('beneficial owners (customers 12)', () => {
  it('are added, shown with their business, and changed key by key', async () => {
    const at = await inSandbox()
    const { id, updatedAt } = await at.create(business)
    const request = owner('Falk', id, { middleName: 'Maria', email: 'ines@larch.example' })
    const added = await at.addOwner({ ...request, roles: ['UBO', 'UBO', 'CONTROL_PERSON'] })
    expect(added).toMatchObject({ customerId: id, roles: ['UBO', 'CONTROL_PERSON'], kycStatus: 'UNVERIFIED' })
    expect(await at.read(id)).toMatchObject({ beneficialOwners: [added] })
    expect((await at.read(id)).updatedAt > updatedAt).toBe(true)
    const list = await at.api.GET('/customers')
    expect(list.data!.data[0]).toMatchObject({ beneficialOwners: [added] })

    const path = { params: { path: { beneficialOwnerId: added.id } } }
    const change = (body: object) =>
      at.api.PATCH('/beneficial-owners/{beneficialOwnerId}', { ...path, body: body as never })
    const changed = await change({ personalInfo: { lastName: ' Falk  Berg ', email: null } })
    expect(changed.data).toMatchObject({
      personalInfo: {
        firstName: 'Ines',
        middleName: 'Maria',
        lastName: 'Falk Berg',
        identifier: '078-05-1120',
      },
      kycStatus: 'UNVERIFIED',
    })
    expect(changed.data!.personalInfo).not.toHaveProperty('email')
    const same = await change({ ownershipPercentage: 60, personalInfo: { identifier: '078-05-1120' } })
    expect(same.data!.updatedAt).toBe(changed.data!.updatedAt)
    expect(
      (await change({ personalInfo: { address: { line1: '5 Oak', postalCode: '1', country: 'us' } } })).data,
    ).toMatchObject({
      personalInfo: { address: { line1: '5 Oak', postalCode: '1', country: 'US' } },
    })
  })

  it('own a hundred percent together at most, also when they are added at the same moment', async () => {
    const at = await inSandbox()
    const { id } = await at.create(business)
    const add = (body: object) => at.api.POST('/beneficial-owners', { body: body as never })
    const both = await Promise.all([add(owner('Falk', id)), add(owner('Berg', id))])
    expect(both.map(({ response }) => response.status).sort()).toEqual([201, 400])
    expect(both.find(({ error }) => error)!.error).toMatchObject({
      details: { field: 'ownershipPercentage' },
    })
    expect((await add({ ...owner('Rest', id), ownershipPercentage: 40 })).response.status).toBe(201)
    expect(
      (await add({ ...owner('Boss', id), roles: ['DIRECTOR'], ownershipPercentage: 100 })).response.status,
    ).toBe(201)
  })

  it('names every wrong field at once', async () => {
    const at = await inSandbox()
    const { id } = await at.create(business)
    const wrong = owner('Falk', id, {
      birthDate: '2090-01-01',
      nationality: 'XX',
      identifier: '1',
      address: { line1: '4 Elm', postalCode: '1', country: 'ZZ' },
    })
    const answer = await at.api.POST('/beneficial-owners', {
      body: { ...wrong, roles: [], ownershipPercentage: 101 } as never,
    })
    const { errors } = (answer.error as { details: { errors: { field: string }[] } }).details
    expect(errors.map(({ field }) => field).sort()).toEqual([
      'ownershipPercentage',
      'personalInfo.address.country',
      'personalInfo.birthDate',
      'personalInfo.identifier',
      'personalInfo.nationality',
      'roles',
    ])
    const foreign = owner('Falk', id, { idType: 'NON_US_TAX_ID', identifier: 'DE-1' })
    const refused = await at.api.POST('/beneficial-owners', { body: foreign as never })
    expect(refused.error).toMatchObject({ details: { field: 'personalInfo.countryOfIssuance' } })
  })

  it('belong to business customers that exist', async () => {
    const at = await inSandbox()
    const { id } = await at.create(person)
    const add = (customerId: string) =>
      at.api.POST('/beneficial-owners', { body: owner('Falk', customerId) as never })
    expect((await add(id)).error).toMatchObject({ status: 400, details: { field: 'customerId' } })
    expect((await add('Customer:00000000-0000-7000-8000-000000000000')).error).toMatchObject({
      status: 404,
      code: 'USER_NOT_FOUND',
    })
    const list = await at.api.GET('/beneficial-owners', { params: { query: {} as never } })
    expect(list.error).toMatchObject({ status: 400, details: { field: 'customerId' } })
  })
})
