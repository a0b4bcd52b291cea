import type { DocumentType, VerificationError } from './contract.ts'
import { missingIdentityDocument } from './identity-documents.ts'
import type { Packet, PacketDocument } from './packet.ts'

type Owner = Packet['customer']['owners'][number]

/** Every field of businessInfo that a packet needs. The first four are there unless a file left them out. */
export const requiredBusinessFields = [
  'legalName',
  'country',
  'taxId',
  'incorporatedOn',
  'registrationNumber',
  'entityType',
  'businessType',
  'countriesOfOperation',
  'purposeOfAccount',
  'expectedMonthlyTransactionCount',
  'expectedMonthlyTransactionVolume',
  'expectedRecipientJurisdictions',
] as const

/** What a business has to prove with documents, and by which. One document proves all that lists its type. */
export const documentCategories = [
  {
    error: 'MISSING_LEGAL_PRESENCE_DOCUMENT',
    subject: 'the legal presence',
    accepted: [
      'CERTIFICATE_OF_INCORPORATION',
      'ARTICLES_OF_INCORPORATION',
      'ARTICLES_OF_ASSOCIATION',
      'STATE_REGISTRY_EXCERPT',
    ],
    alsoAccepted: [],
  },
  {
    error: 'MISSING_CONTROL_STRUCTURE_DOCUMENT',
    subject: 'the control structure',
    accepted: [
      'DIRECTOR_REGISTRY',
      'TRUST_AGREEMENT',
      'STATE_COMPANY_REGISTRY',
      'PARTNERSHIP_CONTROL_AGREEMENT',
    ],
    alsoAccepted: [],
  },
  {
    error: 'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
    subject: 'the ownership structure',
    accepted: ['SHAREHOLDER_REGISTER', 'TRUST_AGREEMENT', 'PARTNERSHIP_AGREEMENT'],
    alsoAccepted: [],
  },
  {
    error: 'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
    subject: 'the address',
    accepted: ['UTILITY_BILL', 'RENT_OR_LEASE_AGREEMENT', 'ELECTRICITY_BILL', 'BANK_STATEMENT', 'TAX_RETURN'],
    // Good, and not among the types that are asked for.
    alsoAccepted: ['PROOF_OF_ADDRESS'],
  },
] as const satisfies readonly {
  readonly error: VerificationError['type']
  readonly subject: string
  readonly accepted: readonly DocumentType[]
  readonly alsoAccepted: readonly DocumentType[]
}[]

const controllingRoles: readonly Owner['roles'][number][] = [
  'CONTROL_PERSON',
  'DIRECTOR',
  'COMPANY_OFFICER',
  'TRUSTEE',
  'GENERAL_PARTNER',
]

/** A business's packet (customers 10.4); paths begin with `customer.`. */
export function businessProblems({ customer, documents }: Packet): VerificationError[] {
  const { id, owners } = customer
  const own = documents.filter(({ holderId }) => holderId === id)
  return [
    ...fieldProblems(customer),
    ...documentCategories.flatMap((category) => categoryProblems(id, category, own)),
    ...ownerProblems(id, owners),
    ...owners.flatMap((owner) =>
      ownerDocumentProblems(
        owner,
        documents.filter(({ holderId }) => holderId === owner.id),
      ),
    ),
  ]
}

function fieldProblems({ id, profile }: Packet['customer']): VerificationError[] {
  const info = profile.businessInfo ?? {}
  const missing = (field: string): VerificationError => ({
    resourceId: id,
    type: 'MISSING_FIELD',
    field: `customer.${field}`,
    reason: `${field} is required.`,
  })
  const hasSource = !isEmpty(info.sourceOfFunds) || !isEmpty(info.sourceOfFundsCategories)
  return [
    // The address is whole or absent, so one entry stands for all of it.
    ...(profile.address ? [] : [missing('address.line1')]),
    ...requiredBusinessFields
      .filter((field) => isEmpty(info[field]))
      .map((field) => missing(`businessInfo.${field}`)),
    ...(hasSource ? [] : [missing('businessInfo.sourceOfFunds')]),
  ]
}

function categoryProblems(
  resourceId: VerificationError['resourceId'],
  { error, subject, accepted, alsoAccepted }: (typeof documentCategories)[number],
  documents: readonly PacketDocument[],
): VerificationError[] {
  const good: readonly DocumentType[] = [...accepted, ...alsoAccepted]
  if (documents.some(({ documentType }) => good.includes(documentType))) return []
  const reason = `A document that proves ${subject} is required.`
  return [{ resourceId, type: error, acceptedDocumentTypes: [...accepted], reason }]
}

function ownerProblems(
  resourceId: VerificationError['resourceId'],
  owners: readonly Owner[],
): VerificationError[] {
  if (owners.length === 0) {
    return [
      { resourceId, type: 'MISSING_BENEFICIAL_OWNER', reason: 'At least one beneficial owner is required.' },
    ]
  }
  const isControlled = owners.some(({ roles }) => roles.some((role) => controllingRoles.includes(role)))
  if (isControlled) return []
  const reason = 'At least one owner must control the business.'
  return [{ resourceId, type: 'MISSING_CONTROL_PERSON', reason }]
}

/** Owners with a US number need no document; the others a passport and one more. */
function ownerDocumentProblems(owner: Owner, documents: readonly PacketDocument[]): VerificationError[] {
  const { idType } = owner.personalInfo
  if (idType === 'SSN' || idType === 'ITIN') return []
  const has = (...types: DocumentType[]) => documents.some(({ documentType }) => types.includes(documentType))
  const missing: DocumentType[] = [
    ...(has('PASSPORT') ? [] : (['PASSPORT'] as const)),
    ...(has('DRIVERS_LICENSE', 'NATIONAL_ID') ? [] : (['DRIVERS_LICENSE', 'NATIONAL_ID'] as const)),
  ]
  return missing.length === 0 ? [] : [missingIdentityDocument(owner.id, missing)]
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}
