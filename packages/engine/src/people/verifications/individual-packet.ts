import type { VerificationError } from './contract.ts'
import { identityDocumentProblems } from './identity-documents.ts'
import type { Packet } from './packet.ts'

const requiredFields = ['fullName', 'birthDate', 'nationality', 'idType', 'identifier', 'address'] as const

/** An individual's packet (customers 10.4); paths have no prefix. */
export function individualProblems({ customer, documents, rules }: Packet): VerificationError[] {
  const { id, profile, identifierSealed } = customer
  const facts = { ...profile, identifier: identifierSealed ?? undefined }
  const problems: VerificationError[] = requiredFields
    .filter((field) => facts[field] === undefined)
    .map((field) => ({ resourceId: id, type: 'MISSING_FIELD', field, reason: `${field} is required.` }))
  if (rules.requiresTwoNames && profile.fullName !== undefined && !profile.fullName.includes(' ')) {
    problems.push({
      resourceId: id,
      type: 'INVALID_FIELD',
      field: 'fullName',
      reason: 'A given name and a family name are required.',
    })
  }
  const own = documents.filter(({ holderId }) => holderId === id)
  return [...problems, ...identityDocumentProblems(id, own)]
}
