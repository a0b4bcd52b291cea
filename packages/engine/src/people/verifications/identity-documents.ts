import type { DocumentType, VerificationError } from './contract.ts'
import type { PacketDocument } from './packet.ts'

export const identityTypes = ['PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID'] as const
const twoSided: readonly DocumentType[] = ['DRIVERS_LICENSE', 'NATIONAL_ID']

export function isIdentityType(type: DocumentType): type is (typeof identityTypes)[number] {
  return (identityTypes as readonly DocumentType[]).includes(type)
}

/** The uploads that make up the newest document of a type: one, or its two sides. */
interface IdentityDocument {
  readonly type: DocumentType
  readonly parts: readonly PacketDocument[]
  readonly isWhole: boolean
  readonly hasDetails: boolean
}

/**
 * What is wrong with a person's identity documents. One that is whole and has its details is enough,
 * whatever else was uploaded; otherwise everything wrong with each is told.
 */
export function identityDocumentProblems(
  resourceId: VerificationError['resourceId'],
  documents: readonly PacketDocument[],
): VerificationError[] {
  const found = identityTypes.flatMap((type) => assemble(type, documents))
  if (found.length === 0) {
    return [missingIdentityDocument(resourceId, identityTypes)]
  }
  if (found.some(({ isWhole, hasDetails }) => isWhole && hasDetails)) return []
  const hasPassport = found.some(({ type }) => type === 'PASSPORT')
  return found.flatMap(({ parts, isWhole, hasDetails }): VerificationError[] => {
    const { id } = parts.at(-1)!
    const problems: VerificationError[] = []
    if (!isWhole && !hasPassport) {
      problems.push({ resourceId: id, type: 'INCOMPLETE_DOCUMENT', reason: 'The other side is missing.' })
    }
    if (!hasDetails) {
      problems.push({
        resourceId: id,
        type: 'INVALID_DOCUMENT',
        acceptedDocumentTypes: [...identityTypes],
        reason: 'The number of the document and the issuing authority are required.',
      })
    }
    return problems
  })
}

/** The newest identity document: what a provider looked at (customers 10.4). */
export function newestIdentityDocument(documents: readonly PacketDocument[]): PacketDocument | undefined {
  return documents.findLast(({ documentType }) => isIdentityType(documentType))
}

export function missingIdentityDocument(
  resourceId: VerificationError['resourceId'],
  accepted: readonly DocumentType[],
): VerificationError {
  return {
    resourceId,
    type: 'MISSING_IDENTITY_DOCUMENT',
    acceptedDocumentTypes: [...accepted],
    reason: 'An identity document is required.',
  }
}

/** Of the same type and side the newest upload counts; one without a side is the whole document. */
function assemble(type: DocumentType, documents: readonly PacketDocument[]): IdentityDocument[] {
  const uploads = documents.filter(({ documentType }) => documentType === type)
  if (uploads.length === 0) return []
  const isTwoSided = twoSided.includes(type)
  const whole = uploads.findLast(({ side }) => side === null || !isTwoSided)
  const front = uploads.findLast(({ side }) => side === 'FRONT')
  const back = uploads.findLast(({ side }) => side === 'BACK')
  const pair = [front, back].filter((part) => part !== undefined)
  const candidates = [...(whole ? [[whole]] : []), ...(isTwoSided && pair.length > 0 ? [pair] : [])]
  const described = candidates.map((parts) => ({
    type,
    parts,
    isWhole: parts.length === 2 || parts[0] === whole,
    // The number may be on one side and the authority on the other.
    hasDetails:
      parts.some(({ details }) => details.documentNumber !== undefined) &&
      parts.some(({ details }) => details.issuingAuthority !== undefined),
  }))
  const good = described.find(({ isWhole, hasDetails }) => isWhole && hasDetails)
  return [good ?? described[0]!]
}
