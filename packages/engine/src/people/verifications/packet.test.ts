import { describe, expect, it } from 'vitest'
import type { DocumentType, VerificationError } from './contract.ts'
import { type Packet, type PacketDocument, problemsOf } from './packet.ts'

const id = 'Customer:c'
const ownerId = 'BeneficialOwner:o'
const address = { line1: '8 Quay Rd', postalCode: '98402', country: 'US' }
const identityTypes = ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID']

let made = 0
function document(documentType: DocumentType, more: Partial<PacketDocument> = {}): PacketDocument {
  made += 1
  return {
    id: `Document:${made}`,
    holderId: id,
    documentType,
    side: null,
    details: { fileName: 'f.png', documentNumber: 'X1', issuingAuthority: 'State Dept' },
    ...more,
  }
}

const withoutNumber = { details: { fileName: 'f.png', issuingAuthority: 'State Dept' } }

const person = {
  fullName: 'Mira Okafor',
  birthDate: '1991-04-02',
  nationality: 'US',
  idType: 'SSN' as const,
  address,
}

function individual({
  without = [],
  fullName = person.fullName,
  documents = [document('PASSPORT')],
  requiresTwoNames = false,
}: {
  without?: string[]
  fullName?: string
  documents?: PacketDocument[]
  requiresTwoNames?: boolean
} = {}): VerificationError[] {
  const profile = Object.fromEntries(
    Object.entries({ ...person, fullName }).filter(([name]) => !without.includes(name)),
  )
  return problemsOf({
    customer: {
      id,
      customerType: 'INDIVIDUAL',
      profile,
      identifierSealed: without.includes('identifier') ? null : 'sealed',
      owners: [],
    },
    documents,
    rules: { requiresTwoNames },
  })
}

const brief = (problems: readonly VerificationError[]) =>
  problems.map(({ type, field, resourceId }) => [type, field ?? resourceId])

describe('the packet of an individual (customers 10.4)', () => {
  it('is complete with every field and one identity document', () => {
    expect(individual()).toEqual([])
  })

  it.each(['fullName', 'birthDate', 'nationality', 'idType', 'identifier', 'address'])(
    'misses %s, under a path without prefix',
    (field) => {
      expect(individual({ without: [field] })).toEqual([
        { resourceId: id, type: 'MISSING_FIELD', field, reason: expect.any(String) },
      ])
    },
  )

  it('tells everything at once', () => {
    const problems = individual({ without: ['fullName', 'address', 'identifier'], documents: [] })
    expect(brief(problems)).toEqual([
      ['MISSING_FIELD', 'fullName'],
      ['MISSING_FIELD', 'identifier'],
      ['MISSING_FIELD', 'address'],
      ['MISSING_IDENTITY_DOCUMENT', id],
    ])
  })

  it('takes one name only where the environment does', () => {
    expect(individual({ fullName: 'Mira' })).toEqual([])
    expect(brief(individual({ fullName: 'Mira', requiresTwoNames: true }))).toEqual([
      ['INVALID_FIELD', 'fullName'],
    ])
  })

  it.each<[string, () => PacketDocument[], string[]]>([
    ['nothing', () => [], ['MISSING_IDENTITY_DOCUMENT']],
    ['a utility bill', () => [document('UTILITY_BILL')], ['MISSING_IDENTITY_DOCUMENT']],
    [
      "an owner's passport",
      () => [document('PASSPORT', { holderId: ownerId })],
      ['MISSING_IDENTITY_DOCUMENT'],
    ],
    ['a licence without a side', () => [document('DRIVERS_LICENSE')], []],
    [
      'a licence with its front alone',
      () => [document('DRIVERS_LICENSE', { side: 'FRONT' })],
      ['INCOMPLETE_DOCUMENT'],
    ],
    [
      'a national id with its back alone',
      () => [document('NATIONAL_ID', { side: 'BACK' })],
      ['INCOMPLETE_DOCUMENT'],
    ],
    [
      'a licence with both sides',
      () => [document('DRIVERS_LICENSE', { side: 'FRONT' }), document('DRIVERS_LICENSE', { side: 'BACK' })],
      [],
    ],
    [
      'sides of two different documents',
      () => [document('DRIVERS_LICENSE', { side: 'FRONT' }), document('NATIONAL_ID', { side: 'BACK' })],
      ['INCOMPLETE_DOCUMENT', 'INCOMPLETE_DOCUMENT'],
    ],
    [
      'one side beside a passport',
      () => [document('DRIVERS_LICENSE', { side: 'FRONT' }), document('PASSPORT')],
      [],
    ],
    ['a passport with a side, which has none', () => [document('PASSPORT', { side: 'FRONT' })], []],
    ['a passport without its number', () => [document('PASSPORT', withoutNumber)], ['INVALID_DOCUMENT']],
    [
      'a passport without its authority',
      () => [document('PASSPORT', { details: { fileName: 'f.png', documentNumber: 'X1' } })],
      ['INVALID_DOCUMENT'],
    ],
    [
      'a passport uploaded again, now with its number',
      () => [document('PASSPORT', withoutNumber), document('PASSPORT')],
      [],
    ],
    [
      'a passport uploaded again without its number: the newest counts',
      () => [document('PASSPORT'), document('PASSPORT', withoutNumber)],
      ['INVALID_DOCUMENT'],
    ],
  ])('with %s', (_what, documents, expected) => {
    const held = documents()
    const problems = individual({ documents: held })
    expect(problems.map(({ type }) => type)).toEqual(expected)
    for (const { type, resourceId, acceptedDocumentTypes } of problems) {
      if (type === 'MISSING_IDENTITY_DOCUMENT') expect(resourceId).toBe(id)
      else expect(held.map((each) => each.id)).toContain(resourceId)
      expect(acceptedDocumentTypes).toEqual(type === 'INCOMPLETE_DOCUMENT' ? undefined : identityTypes)
    }
  })
})

const info: NonNullable<Packet['customer']['profile']['businessInfo']> = {
  legalName: 'Larch Tools LLC',
  country: 'US',
  taxId: '12-3456789',
  incorporatedOn: '2016-09-30',
  registrationNumber: '77120',
  entityType: 'LLC',
  businessType: 'MANUFACTURING',
  countriesOfOperation: ['US'],
  purposeOfAccount: 'SUPPLIER_PAYMENTS',
  sourceOfFunds: 'Tool sales',
  expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
  expectedMonthlyTransactionVolume: 'VOLUME_10K_TO_100K',
  expectedRecipientJurisdictions: ['MX'],
}

type Owner = Packet['customer']['owners'][number]

const owner = (
  roles: Owner['roles'] = ['UBO', 'CONTROL_PERSON'],
  idType: Owner['personalInfo']['idType'] = 'SSN',
) =>
  ({
    id: ownerId,
    roles,
    personalInfo: {
      firstName: 'Ines',
      lastName: 'Falk',
      birthDate: '1979-12-01',
      nationality: 'US',
      address,
      idType,
      identifier: '078-05-1120',
    },
  }) satisfies Owner

const proofs = (...except: DocumentType[]): PacketDocument[] =>
  (['CERTIFICATE_OF_INCORPORATION', 'DIRECTOR_REGISTRY', 'SHAREHOLDER_REGISTER', 'UTILITY_BILL'] as const)
    .filter((type) => !except.includes(type))
    .map((type) => document(type))

function business({
  businessInfo = {},
  hasAddress = true,
  owners = [owner()],
  documents = proofs(),
}: {
  businessInfo?: object
  hasAddress?: boolean
  owners?: Owner[]
  documents?: PacketDocument[]
} = {}): VerificationError[] {
  return problemsOf({
    customer: {
      id,
      customerType: 'BUSINESS',
      profile: { ...(hasAddress ? { address } : {}), businessInfo: { ...info, ...businessInfo } },
      identifierSealed: null,
      owners,
    },
    documents,
    rules: { requiresTwoNames: true },
  })
}

describe('the packet of a business (customers 10.4)', () => {
  it('is complete with every field, four proofs and an owner in control', () => {
    expect(business()).toEqual([])
  })

  it.each(Object.keys(info))('misses businessInfo.%s', (field) => {
    for (const value of [undefined, '', []]) {
      expect(brief(business({ businessInfo: { [field]: value } }))).toEqual([
        ['MISSING_FIELD', `customer.businessInfo.${field}`],
      ])
    }
  })

  it('misses an address, and takes categories for the source of funds', () => {
    expect(brief(business({ hasAddress: false }))).toEqual([['MISSING_FIELD', 'customer.address.line1']])
    const businessInfo = { sourceOfFunds: undefined, sourceOfFundsCategories: ['LOANS'] }
    expect(business({ businessInfo })).toEqual([])
  })

  const categories: readonly [string, DocumentType, DocumentType[], DocumentType[]][] = [
    [
      'MISSING_LEGAL_PRESENCE_DOCUMENT',
      'CERTIFICATE_OF_INCORPORATION',
      [
        'CERTIFICATE_OF_INCORPORATION',
        'ARTICLES_OF_INCORPORATION',
        'ARTICLES_OF_ASSOCIATION',
        'STATE_REGISTRY_EXCERPT',
      ],
      [],
    ],
    [
      'MISSING_CONTROL_STRUCTURE_DOCUMENT',
      'DIRECTOR_REGISTRY',
      ['DIRECTOR_REGISTRY', 'TRUST_AGREEMENT', 'STATE_COMPANY_REGISTRY', 'PARTNERSHIP_CONTROL_AGREEMENT'],
      [],
    ],
    [
      'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
      'SHAREHOLDER_REGISTER',
      ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
      [],
    ],
    [
      'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
      'UTILITY_BILL',
      ['UTILITY_BILL', 'RENT_OR_LEASE_AGREEMENT', 'ELECTRICITY_BILL', 'BANK_STATEMENT', 'TAX_RETURN'],
      ['PROOF_OF_ADDRESS'],
    ],
  ]
  it.each(categories)('%s without %s, and any accepted type will do', (type, usual, accepted, also) => {
    expect(business({ documents: proofs(usual) })).toEqual([
      { resourceId: id, type, acceptedDocumentTypes: accepted, reason: expect.any(String) },
    ])
    for (const other of [...accepted, ...also]) {
      expect(business({ documents: [...proofs(usual), document(other)] }), other).toEqual([])
    }
    const ofOwner = document(usual, { holderId: ownerId })
    expect(business({ documents: [...proofs(usual), ofOwner] }).map((each) => each.type)).toEqual([type])
  })

  it('counts one document for every category that its type is in', () => {
    const documents = [...proofs('DIRECTOR_REGISTRY', 'SHAREHOLDER_REGISTER'), document('TRUST_AGREEMENT')]
    expect(business({ documents })).toEqual([])
  })

  it('needs an owner, and one in control', () => {
    expect(brief(business({ owners: [] }))).toEqual([['MISSING_BENEFICIAL_OWNER', id]])
    expect(brief(business({ owners: [owner(['UBO'])] }))).toEqual([['MISSING_CONTROL_PERSON', id]])
  })

  it.each(['CONTROL_PERSON', 'DIRECTOR', 'COMPANY_OFFICER', 'TRUSTEE', 'GENERAL_PARTNER'] as const)(
    'takes %s for control',
    (role) => {
      expect(business({ owners: [owner([role])] })).toEqual([])
    },
  )

  it.each<[Owner['personalInfo']['idType'], DocumentType[], string[] | undefined]>([
    ['SSN', [], undefined],
    ['ITIN', [], undefined],
    ['EIN', [], identityTypes],
    ['NON_US_TAX_ID', [], identityTypes],
    ['NON_US_TAX_ID', ['PASSPORT'], ['DRIVERS_LICENSE', 'NATIONAL_ID']],
    ['NON_US_TAX_ID', ['NATIONAL_ID'], ['PASSPORT']],
    ['NON_US_TAX_ID', ['PASSPORT', 'NATIONAL_ID'], undefined],
    ['NON_US_TAX_ID', ['PASSPORT', 'DRIVERS_LICENSE'], undefined],
  ])('an owner with %s and %j', (idType, types, missing) => {
    const held = types.map((type) => document(type, { holderId: ownerId }))
    const problems = business({ owners: [owner(['DIRECTOR'], idType)], documents: [...proofs(), ...held] })
    const expected = {
      resourceId: ownerId,
      type: 'MISSING_IDENTITY_DOCUMENT',
      acceptedDocumentTypes: missing,
      reason: expect.any(String),
    }
    expect(problems).toEqual(missing ? [expected] : [])
  })
})
