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
  statusOf,
} from './onboarding.ts'

const server = await openTestServer()

const unregulated = async () => onboarding(server, await server.platform())
const regulated = async () => onboarding(server, await server.platform({ isRegulated: true }))
const skipping = async () => onboarding(server, await server.platform({ skipPaperwork: true }))

describe('an individual (customers 16.1)', () => {
  const first = {
    customerType: 'INDIVIDUAL',
    birthDate: '1991-04-02',
    nationality: 'US',
    region: 'US',
    currencies: ['USD', 'USDC'],
  }
  const rest = {
    customerType: 'INDIVIDUAL',
    idType: 'SSN',
    identifier: '219-09-9999',
    address: person.address,
  }

  it('learns what is missing, supplies it, and waits for a review', async () => {
    const at = await unregulated()
    const { id } = await at.create({ ...first, fullName: 'Mira Okafor 001' })
    const before = await at.verify(id)
    expect(before.response.status).toBe(200)
    const reason = expect.any(String)
    expect(before.data).toMatchObject({
      customerId: id,
      verificationStatus: 'RESOLVE_ERRORS',
      errors: [
        { resourceId: id, type: 'MISSING_FIELD', field: 'idType', reason },
        { resourceId: id, type: 'MISSING_FIELD', field: 'identifier', reason },
        { resourceId: id, type: 'MISSING_FIELD', field: 'address', reason },
        {
          resourceId: id,
          type: 'MISSING_IDENTITY_DOCUMENT',
          acceptedDocumentTypes: ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'],
          reason,
        },
      ],
    })

    expect(await at.update(id, rest)).not.toHaveProperty('identifier')
    const documentId = await at.uploaded(id)
    const submitted = (await at.verify(id)).data!
    expect(submitted).toMatchObject({ verificationStatus: 'PENDING_MANUAL_REVIEW', errors: [] })
    expect(statusOf(await at.read(id))).toBe('PENDING')
    expect((await at.verify(id)).data).toEqual(submitted)

    const path = { params: { path: { documentId } } }
    expect((await at.api.DELETE('/documents/{documentId}', path)).error).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    })
    expect(await at.types()).toEqual([
      'VERIFICATION.RESOLVE_ERRORS',
      'VERIFICATION.PENDING_MANUAL_REVIEW',
      'CUSTOMER.KYC_PENDING',
    ])
    expect(JSON.stringify(await server.events(at.platform))).not.toContain('219-09-9999')

    // Replacing clears the mark, and an incomplete packet is told while the review goes on.
    expect((await at.replace(documentId, { type: 'PASSPORT' })).status).toBe(200)
    expect((await at.verify(id)).data).toMatchObject({
      verificationStatus: 'RESOLVE_ERRORS',
      errors: [{ resourceId: documentId, type: 'INVALID_DOCUMENT' }],
    })
    expect(statusOf(await at.read(id))).toBe('PENDING')
    expect((await at.api.DELETE('/documents/{documentId}', path)).response.status).toBe(204)
    expect((await at.api.DELETE('/documents/{documentId}', path)).response.status).toBe(404)
  })

  it('is approved for good under a plain name (variant A)', async () => {
    const at = await unregulated()
    const { id } = await at.create({ ...first, ...rest, fullName: 'Mira Okafor' })
    await at.uploaded(id)
    expect((await at.verify(id)).data).toMatchObject({ verificationStatus: 'APPROVED', errors: [] })
    expect(statusOf(await at.read(id))).toBe('APPROVED')
    expect((await at.verify(id)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(await at.types()).toEqual(['VERIFICATION.APPROVED', 'CUSTOMER.KYC_APPROVED'])
    const list = await at.api.GET('/verifications', { params: { query: { customerId: id as never } } })
    expect(list.data).toMatchObject({ totalCount: 1 })
  })

  it('never gets past the document check as 003 (variant B)', async () => {
    const at = await unregulated()
    const { id, documentId } = await at.completePerson('Mira Okafor 003')
    const poor = [{ resourceId: documentId, type: 'POOR_QUALITY_DOCUMENT', reason: expect.any(String) }]
    expect((await at.verify(id)).data!.errors).toEqual(poor)
    // Of several identity documents the newest was looked at.
    server.world.passMs(1)
    const newer = await at.uploaded(id, 'DRIVERS_LICENSE')
    server.world.passMs(1)
    await at.uploaded(id, 'UTILITY_BILL')
    expect((await at.verify(id)).data!.errors).toMatchObject([{ resourceId: newer }])
    const newerPath = { params: { path: { documentId: newer } } }
    expect((await at.api.DELETE('/documents/{documentId}', newerPath)).response.status).toBe(204)
    expect(
      (await at.replace(documentId, { more: { documentNumber: 'X2', issuingAuthority: 'Y' } })).status,
    ).toBe(200)
    expect((await at.verify(id)).data!.errors).toEqual(poor)
    expect(statusOf(await at.read(id))).toBe('UNVERIFIED')
    const path = { params: { path: { documentId } } }
    expect((await at.api.DELETE('/documents/{documentId}', path)).response.status).toBe(204)
  })

  it('keeps the ending of its first name when it is renamed (variant C)', async () => {
    const at = await unregulated()
    const { id } = await at.completePerson('Mira Okafor 001')
    await at.update(id, { customerType: 'INDIVIDUAL', fullName: 'Mira Okafor' })
    expect((await at.verify(id)).data).toMatchObject({ verificationStatus: 'PENDING_MANUAL_REVIEW' })

    const late = await at.create({ ...person })
    await at.uploaded(late.id)
    await at.update(late.id, { customerType: 'INDIVIDUAL', fullName: 'Zoe Late 002' })
    await at.update(late.id, { customerType: 'INDIVIDUAL', fullName: 'Zoe Late' })
    expect((await at.verify(late.id)).data).toMatchObject({ verificationStatus: 'REJECTED' })
  })

  it('is decided at creation on a regulated platform (customers 16.2)', async () => {
    const at = await regulated()
    const created = await at.create({ customerType: 'INDIVIDUAL', fullName: 'Teo Brandt 002' })
    expect(statusOf(created)).toBe('REJECTED')
    expect(await at.types()).toEqual(['CUSTOMER.KYC_REJECTED'])
    const renamed = await at.update(created.id, { customerType: 'INDIVIDUAL', fullName: 'Teo Brandt' })
    expect(statusOf(renamed)).toBe('REJECTED')
    expect((await at.verify(created.id)).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    const list = await at.api.GET('/verifications')
    expect(list.data).toMatchObject({ data: [], totalCount: 0 })
  })
})

/** Rows of customers 10.2 and 10.3: what each ending comes to at creation, incomplete and complete. */
const individuals = [
  ['unregulated', 'Ana Lopez 001', 'UNVERIFIED', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'PENDING'],
  ['unregulated', 'Ana Lopez 002', 'UNVERIFIED', 'RESOLVE_ERRORS', 'REJECTED', 'REJECTED'],
  ['unregulated', 'Ana Lopez 003', 'UNVERIFIED', 'RESOLVE_ERRORS', 'RESOLVE_ERRORS', 'UNVERIFIED'],
  ['unregulated', 'Ana Lopez', 'UNVERIFIED', 'RESOLVE_ERRORS', 'APPROVED', 'APPROVED'],
  ['unregulated', 'Ana Lopez 002 ', 'UNVERIFIED', 'RESOLVE_ERRORS', 'REJECTED', 'REJECTED'],
  ['regulated', 'Ana Lopez 001', 'PENDING', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'PENDING'],
  ['regulated', 'Ana Lopez 002', 'REJECTED', 400, 400, 'REJECTED'],
  ['regulated', 'Ana Lopez 003', 'UNVERIFIED', 'RESOLVE_ERRORS', 'RESOLVE_ERRORS', 'UNVERIFIED'],
  ['regulated', 'Ana Lopez', 'APPROVED', 400, 400, 'APPROVED'],
  ['regulated', undefined, 'APPROVED', 400, 400, 'APPROVED'],
  ['skipping', 'Ana Lopez 001', 'PENDING', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'PENDING'],
  ['skipping', 'Ana Lopez 002', 'REJECTED', 400, 400, 'REJECTED'],
  ['skipping', 'Ana Lopez 003', 'UNVERIFIED', 'RESOLVE_ERRORS', 'RESOLVE_ERRORS', 'UNVERIFIED'],
  ['skipping', 'Ana Lopez', 'APPROVED', 400, 400, 'APPROVED'],
] as const

/** The same for registration numbers; the owner is "Falk 002" throughout. */
const businesses = [
  ['unregulated', '77001', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'UNVERIFIED'],
  ['unregulated', '77002', 'RESOLVE_ERRORS', 'REJECTED', 'REJECTED'],
  ['unregulated', '77003', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'UNVERIFIED'],
  ['unregulated', '77120', 'RESOLVE_ERRORS', 'APPROVED', 'APPROVED'],
  ['regulated', '77001', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'UNVERIFIED'],
  ['regulated', '77002', 'REJECTED', 400, 'REJECTED'],
  ['regulated', '77003', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'UNVERIFIED'],
  ['regulated', '77120', 'APPROVED', 400, 'APPROVED'],
  ['regulated', undefined, 'APPROVED', 400, 'APPROVED'],
  ['skipping', '77001', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'UNVERIFIED'],
  ['skipping', '77002', 'REJECTED', 400, 'REJECTED'],
  ['skipping', '77003', 'RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'UNVERIFIED'],
  ['skipping', '77120', 'APPROVED', 400, 'APPROVED'],
] as const

const platforms = { unregulated, regulated, skipping }

describe('the outcomes of the endings (customers 10.2, 10.3)', () => {
  it.each(individuals)(
    '%s platform, individual %s: %s, incomplete %s, complete %s, then %s',
    async (kind, fullName, atCreation, incomplete, complete, finally_) => {
      const at = await platforms[kind]()
      const created = await at.create({ ...person, ...(fullName ? { fullName } : {}) })
      expect(statusOf(created)).toBe(atCreation)
      await expectOutcome(at, created.id, incomplete)
      if (incomplete !== 400) expect(statusOf(await at.read(created.id))).toBe(atCreation)
      await at.uploaded(created.id)
      await expectOutcome(at, created.id, complete)
      expect(statusOf(await at.read(created.id))).toBe(finally_)
      // Each outcome of a submission has its event, and the customer's follows when its status changed.
      expect(await at.types()).toEqual([
        ...(atCreation === 'UNVERIFIED' ? [] : [`CUSTOMER.KYC_${atCreation}`]),
        ...[incomplete, complete].flatMap((outcome) => (outcome === 400 ? [] : [`VERIFICATION.${outcome}`])),
        ...(finally_ === atCreation ? [] : [`CUSTOMER.KYC_${finally_}`]),
      ])
      const { data } = await at.api.GET('/verifications')
      expect(data!.data.map(({ verificationStatus }) => verificationStatus)).toEqual(
        [complete, incomplete].filter((outcome) => outcome !== 400),
      )
    },
  )

  it.each(businesses)(
    '%s platform, business %s: incomplete %s, complete %s, then %s',
    async (kind, registrationNumber, incomplete, complete, finally_) => {
      const at = await platforms[kind]()
      const number = registrationNumber === undefined ? {} : { registrationNumber }
      const { id } = await at.create({ ...business, businessInfo: { ...business.businessInfo, ...number } })
      expect(statusOf(await at.read(id))).toBe('UNVERIFIED')
      const { id: ownerId } = await at.addOwner(owner('Falk 002', id))
      await expectOutcome(at, id, incomplete)
      await at.update(id, {
        customerType: 'BUSINESS',
        address: businessAddress,
        businessInfo: businessDetails,
      })
      for (const type of businessDocuments) await at.uploaded(id, type)
      await expectOutcome(at, id, complete)
      const after = await at.read(id)
      expect(statusOf(after)).toBe(finally_)
      const isFinal = finally_ !== 'UNVERIFIED'
      expect(after).toMatchObject({
        beneficialOwners: [{ id: ownerId, kycStatus: isFinal ? 'REJECTED' : 'UNVERIFIED' }],
      })
      const outcomes = [incomplete, complete].filter((outcome) => outcome !== 400)
      expect(await at.types()).toEqual([
        ...outcomes.map((outcome) => `VERIFICATION.${outcome}`),
        ...(isFinal ? [`CUSTOMER.KYB_${finally_}`] : []),
      ])
      const { data } = await at.api.GET('/verifications')
      expect(data!.data.map(({ verificationStatus }) => verificationStatus)).toEqual(outcomes.reverse())
    },
  )

  it.each([
    ['Falk001', 'PENDING'],
    ['Falk002', 'REJECTED'],
    ['Falk003', 'APPROVED'],
    ['Falk', 'APPROVED'],
  ])('an owner %s becomes %s with the business, and at once after it', async (lastName, status) => {
    const at = await regulated()
    const { id } = await at.create(business)
    const early = await at.addOwner(owner(lastName, id))
    expect(early.kycStatus).toBe('UNVERIFIED')
    await at.verify(id)
    expect(await at.read(id)).toMatchObject({
      kybStatus: 'APPROVED',
      beneficialOwners: [{ kycStatus: status }],
    })
    const late = await at.addOwner({ ...owner(lastName, id), ownershipPercentage: 40 })
    expect(late.kycStatus).toBe(status)
  })

  async function expectOutcome(
    at: Awaited<ReturnType<typeof unregulated>>,
    id: string,
    outcome: string | 400,
  ) {
    const { data, error } = await at.verify(id)
    if (outcome === 400) expect(error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    else expect(data?.verificationStatus).toBe(outcome)
    if (data?.verificationStatus !== 'RESOLVE_ERRORS' && data) expect(data.errors).toEqual([])
  }
})

describe('a business (customers 16.3)', () => {
  it('is approved with its owner, whose own ending decides about the owner', async () => {
    const at = await unregulated()
    const { id } = await at.create({
      ...business,
      businessInfo: { ...business.businessInfo, registrationNumber: '77120' },
    })
    const incomplete = await at.verify(id)
    expect(incomplete.data!.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'MISSING_FIELD', field: 'customer.businessInfo.entityType' }),
        expect.objectContaining({ type: 'MISSING_FIELD', field: 'customer.address.line1' }),
        expect.objectContaining({
          resourceId: id,
          type: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
          acceptedDocumentTypes: ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
        }),
        expect.objectContaining({ resourceId: id, type: 'MISSING_BENEFICIAL_OWNER' }),
      ]),
    )
    const updated = await at.update(id, {
      customerType: 'BUSINESS',
      address: businessAddress,
      businessInfo: businessDetails,
    })
    expect(updated).toMatchObject({ businessInfo: { legalName: 'Larch Tools LLC', taxId: '12-3456789' } })
    const added = await at.addOwner(owner('Falk002', id))
    for (const type of businessDocuments) await at.uploaded(id, type)
    expect((await at.verify(id)).data).toMatchObject({ verificationStatus: 'APPROVED', errors: [] })

    const path = { params: { path: { beneficialOwnerId: added.id } } }
    const read = await at.api.GET('/beneficial-owners/{beneficialOwnerId}', path)
    expect(read.data).toMatchObject({ kycStatus: 'REJECTED', personalInfo: { identifier: '078-05-1120' } })
    expect(await at.read(id)).toMatchObject({ kybStatus: 'APPROVED' })
    const event = (await server.events(at.platform)).at(-1)!
    expect(event).toMatchObject({
      type: 'CUSTOMER.KYB_APPROVED',
      data: { id, kybStatus: 'APPROVED', beneficialOwners: [{ kycStatus: 'REJECTED' }] },
    })
    expect(JSON.stringify(event)).not.toContain('078-05-1120')
  })

  it('counts the registration number that it has when it is submitted', async () => {
    const at = await unregulated()
    const { id } = await at.completeBusiness('77120')
    await at.update(id, { customerType: 'BUSINESS', businessInfo: { registrationNumber: '77002' } })
    expect((await at.verify(id)).data).toMatchObject({ verificationStatus: 'REJECTED' })
  })

  it.each(['77120', '77002'])(
    'leaves its review to people, also with %s (customers 10.5)',
    async (number) => {
      for (const at of [await unregulated(), await regulated()]) {
        const { id } = await at.completeBusiness('77003')
        const submitted = (await at.verify(id)).data!
        expect(submitted).toMatchObject({ verificationStatus: 'PENDING_MANUAL_REVIEW' })
        await at.update(id, { customerType: 'BUSINESS', businessInfo: { registrationNumber: number } })
        expect((await at.verify(id)).data).toEqual(submitted)
        expect(await at.read(id)).toMatchObject({ kybStatus: 'UNVERIFIED' })
        expect(await at.types()).toEqual(['VERIFICATION.PENDING_MANUAL_REVIEW'])
      }
    },
  )

  it('takes the documents of its owners into the submission', async () => {
    const at = await unregulated()
    const { id, ownerId } = await at.completeBusiness('77120')
    const [own, theirs] = [await at.uploaded(id, 'TAX_RETURN'), await at.uploaded(ownerId)]
    await at.verify(id)
    for (const documentId of [own, theirs]) {
      const path = { params: { path: { documentId } } }
      expect((await at.api.DELETE('/documents/{documentId}', path)).error).toMatchObject({
        status: 409,
        code: 'CONFLICT',
      })
    }
  })
})

describe('submissions', () => {
  it('refuses unknown, foreign and deleted customers, and a body without one', async () => {
    const at = await unregulated()
    const other = await unregulated()
    const foreign = await other.create(person)
    const gone = await at.create(person)
    await at.api.DELETE('/customers/{customerId}', { params: { path: { customerId: gone.id } } })
    for (const id of [foreign.id, gone.id, 'Customer:00000000-0000-7000-8000-000000000000']) {
      expect((await at.verify(id)).error).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' })
    }
    const empty = await at.api.POST('/verifications', { body: {} as never })
    expect(empty.error).toMatchObject({ status: 400, details: { field: 'customerId' } })
    const path = { params: { path: { verificationId: 'Verification:nothing' } } }
    expect((await at.api.GET('/verifications/{verificationId}', path)).error).toMatchObject({
      status: 404,
      code: 'REFERENCE_NOT_FOUND',
    })
  })

  it('waits until the contacts of a customer in the EEA are verified', async () => {
    const at = await unregulated()
    const { id } = await at.create({ ...person, region: 'DE', fullName: 'Lena Vogt' })
    expect((await at.verify(id)).error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { contactVerification: { email: 'PENDING', phone: 'PENDING' } },
    })
    expect(await at.types()).toEqual([])
  })

  it('makes one record of submissions at the same moment', async () => {
    const at = await unregulated()
    const { id } = await at.completeBusiness('77001')
    const answers = await Promise.all(Array.from({ length: 6 }, () => at.verify(id)))
    expect(new Set(answers.map(({ data }) => data!.id)).size).toBe(1)
    expect(await at.types()).toEqual(['VERIFICATION.PENDING_MANUAL_REVIEW'])
  })

  it('lists records by customer and by status; statuses that are never reached match nothing', async () => {
    const at = await unregulated()
    const { id } = await at.completePerson('Mira Okafor')
    const { id: other } = await at.create(person)
    await at.verify(id)
    await at.verify(other)
    const list = async (query: object) =>
      (await at.api.GET('/verifications', { params: { query: query as never } })).data!
    expect(await list({})).toMatchObject({ totalCount: 2, hasMore: false })
    expect(await list({ customerId: id })).toMatchObject({ data: [{ customerId: id }], totalCount: 1 })
    expect(await list({ verificationStatus: 'RESOLVE_ERRORS' })).toMatchObject({
      data: [{ customerId: other }],
    })
    expect(await list({ verificationStatus: 'IN_PROGRESS' })).toMatchObject({ data: [], totalCount: 0 })
  })
})
