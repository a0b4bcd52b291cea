import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { onboarding, operate, person, png, statusOf } from './onboarding.ts'

const server = await openTestServer()

const inProduction = async () => onboarding(server, await server.platform({ environment: 'PRODUCTION' }))
const inSandbox = async () => onboarding(server, await server.platform())

describe('reviews by the operator (customers 1.1, 10.5)', () => {
  it('lists, opens and approves an individual in production, whatever the name ends in', async () => {
    const at = await inProduction()
    const { id, documentId } = await at.completePerson('Mira Okafor 002')
    const submitted = (await at.verify(id)).data!
    expect(submitted).toMatchObject({ verificationStatus: 'PENDING_MANUAL_REVIEW' })
    expect(statusOf(await at.read(id))).toBe('PENDING')

    const list = await operate(server, 'GET', '/reviews')
    expect(list.body.data).toContainEqual({
      verificationId: submitted.id,
      customerId: id,
      platformId: at.platform.platformId,
      environment: 'PRODUCTION',
      customerType: 'INDIVIDUAL',
      name: 'Mira Okafor 002',
      submittedAt: submitted.createdAt,
      submission: 1,
      dueAt: new Date(Date.parse(submitted.createdAt) + 24 * 60 * 60_000).toISOString(),
      secondsLeft: 24 * 60 * 60,
      needsSecondPerson: false,
    })
    const opened = await operate(server, 'GET', `/reviews/${submitted.id}`)
    expect(opened.body).toMatchObject({
      verification: submitted,
      customer: { id, kycStatus: 'PENDING' },
      identifier: '219-09-9999',
      documents: [{ id: documentId, documentNumber: 'X1' }],
    })
    const file = await operate(server, 'GET', `/reviews/${submitted.id}/documents/${documentId}`)
    expect(file.body).toEqual({
      fileName: 'p.png',
      contentType: 'image/png',
      content: png.toString('base64'),
    })

    const approved = await operate(server, 'POST', `/reviews/${submitted.id}/approve`)
    expect(approved).toMatchObject({ status: 200, body: { verificationStatus: 'APPROVED', errors: [] } })
    expect(statusOf(await at.read(id))).toBe('APPROVED')
    expect(await at.types()).toEqual([
      'VERIFICATION.PENDING_MANUAL_REVIEW',
      'CUSTOMER.KYC_PENDING',
      'VERIFICATION.APPROVED',
      'CUSTOMER.KYC_APPROVED',
    ])
    for (const [decision, body] of [
      ['approve', {}],
      ['reject', { reason: 'late' }],
    ] as const) {
      const again = await operate(server, 'POST', `/reviews/${submitted.id}/${decision}`, body)
      expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    }
    const rest = await operate(server, 'GET', '/reviews')
    expect(rest.body.data.map((each: { customerId: string }) => each.customerId)).not.toContain(id)
  })

  it('rejects a business with a reason that only operators know, and its owners with it', async () => {
    const at = await inProduction()
    const { id, ownerId } = await at.completeBusiness('77120')
    const submitted = (await at.verify(id)).data!
    expect(statusOf(await at.read(id))).toBe('UNVERIFIED')
    const path = `/reviews/${submitted.id}/reject`
    expect((await operate(server, 'POST', path, {})).status).toBe(400)
    const rejected = await operate(server, 'POST', path, { reason: 'the register says dissolved' })
    expect(rejected).toMatchObject({ status: 200, body: { verificationStatus: 'REJECTED' } })
    expect(await at.read(id)).toMatchObject({
      kybStatus: 'REJECTED',
      beneficialOwners: [{ id: ownerId, kycStatus: 'REJECTED' }],
    })
    expect((await at.types()).slice(-2)).toEqual(['VERIFICATION.REJECTED', 'CUSTOMER.KYB_REJECTED'])
    expect(JSON.stringify(await server.events(at.platform))).not.toContain('dissolved')
    const opened = await operate(server, 'GET', `/reviews/${submitted.id}`)
    expect(opened.body).toMatchObject({ note: 'the register says dissolved' })
  })

  it('decides about sandbox customers under review too; their owners keep to their endings', async () => {
    const at = await inSandbox()
    const { id } = await at.completeBusiness('77001', 'Falk002')
    const submitted = (await at.verify(id)).data!
    await operate(server, 'POST', `/reviews/${submitted.id}/approve`, { note: 'looked fine' })
    expect(await at.read(id)).toMatchObject({
      kybStatus: 'APPROVED',
      beneficialOwners: [{ kycStatus: 'REJECTED' }],
    })
  })

  it('closes every open record of the customer, and leaves the others as they were', async () => {
    const at = await inSandbox()
    const { id, documentId } = await at.completePerson('Mira Okafor 001')
    const first = (await at.verify(id)).data!
    await at.replace(documentId, {})
    const failed = (await at.verify(id)).data!
    expect(failed.verificationStatus).toBe('RESOLVE_ERRORS')
    await at.uploaded(id)
    const second = (await at.verify(id)).data!
    expect(second.id).not.toBe(first.id)
    await operate(server, 'POST', `/reviews/${first.id}/approve`)
    const list = await at.api.GET('/verifications')
    expect(list.data!.data.map((each) => [each.id, each.verificationStatus])).toEqual([
      [second.id, 'APPROVED'],
      [failed.id, 'RESOLVE_ERRORS'],
      [first.id, 'APPROVED'],
    ])
    expect(statusOf(await at.read(id))).toBe('APPROVED')
  })

  it('demands two names in production, and takes regulated individuals as they come', async () => {
    const at = await inProduction()
    const { id } = await at.completePerson('Mira')
    expect((await at.verify(id)).data!.errors).toMatchObject([{ type: 'INVALID_FIELD', field: 'fullName' }])
    const trusted = onboarding(
      server,
      await server.platform({ environment: 'PRODUCTION', isRegulated: true }),
    )
    expect(statusOf(await trusted.create({ ...person, fullName: 'Teo 002' }))).toBe('APPROVED')
  })

  it('knows no verification by another id, and nobody but the operator', async () => {
    for (const path of ['', '/documents/Document:x']) {
      const answer = await operate(server, 'GET', `/reviews/Verification:x${path}`)
      expect(answer).toMatchObject({ status: 404, body: { code: 'REFERENCE_NOT_FOUND' } })
    }
    const at = await inSandbox()
    const response = await server.fetch('http://corridor.test/operator/reviews', {
      headers: { authorization: at.authorization },
    })
    expect(response.status).toBe(401)
  })
})
