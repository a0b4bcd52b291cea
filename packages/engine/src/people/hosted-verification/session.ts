import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Document } from '../documents/index.ts'
import {
  type Assessment,
  assess,
  documentCategories,
  isIdentityType,
  loadNewestVerification,
  type VerificationError,
} from '../verifications/index.ts'
import type { Visit } from './commands.ts'

/** What the page knows about a visit: what is there, what is missing, and where to go on. */
export interface Session extends Visit {
  readonly token: string
  readonly notice: string | undefined
  readonly documents: readonly Document[]
  readonly problems: readonly VerificationError[]
  /** Nothing is asked where the provider decides without a packet (customers 8). */
  readonly isAsked: boolean
  /** The last submission failed on a document, and no other has come since. */
  readonly isDocumentPoor: boolean
  readonly steps: readonly Step[]
}

export type StepName = 'details' | 'owners' | 'documents' | 'review'

export interface Step {
  readonly name: StepName
  readonly isDone: boolean
}

export async function loadSession(engine: Engine, token: string, visit: Visit): Promise<Session> {
  const { scope, customer } = visit
  const assessment = await assess(engine, scope, customer)
  const { documents, problems, verdict } = assessment
  const newest = await loadNewestVerification(engine.database, scope, customer.id)
  const poor = newest?.errors.find(({ type }) => type === 'POOR_QUALITY_DOCUMENT')
  const last = documents.findLast(({ documentType }) => isIdentityType(documentType))
  const isReplaced =
    last !== undefined && (last.id !== poor?.resourceId || last.updatedAt > newest!.updatedAt)
  const isDocumentPoor = poor !== undefined && !isReplaced
  return {
    ...visit,
    token,
    notice: engine.adapters[scope.environment].identity.notice,
    documents,
    problems,
    isAsked: verdict === 'INCOMPLETE' || problems.length === 0,
    isDocumentPoor,
    steps: stepsOf(customer.customerType, assessment, isDocumentPoor),
  }
}

function stepsOf(
  customerType: 'INDIVIDUAL' | 'BUSINESS',
  { problems }: Assessment,
  isDocumentPoor: boolean,
): Step[] {
  const open = new Set<StepName>(problems.map(stepOf))
  if (isDocumentPoor) open.add('documents')
  const names: readonly StepName[] =
    customerType === 'INDIVIDUAL' ? ['details', 'documents'] : ['details', 'owners', 'documents']
  const steps = names.map((name): Step => ({ name, isDone: !open.has(name) }))
  return [...steps, { name: 'review', isDone: false }]
}

/** On which step a problem is put right. */
export function stepOf({ type, field }: VerificationError): StepName {
  if (field !== undefined) return 'details'
  return type === 'MISSING_BENEFICIAL_OWNER' || type === 'MISSING_CONTROL_PERSON' ? 'owners' : 'documents'
}

/** The first step with something to do. */
export function nextStep({ steps }: Pick<Session, 'steps'>): StepName {
  return steps.find(({ isDone }) => !isDone)?.name ?? 'review'
}

/** Documents by what they prove, with what is still to be proved. */
export function categoriesOf({ documents, customer }: Session) {
  const own = documents.filter(({ holderId }) => holderId === customer.id)
  return documentCategories.map(({ subject, accepted, alsoAccepted }) => {
    const good: readonly string[] = [...accepted, ...alsoAccepted]
    return { subject, accepted, isProved: own.some(({ documentType }) => good.includes(documentType)) }
  })
}
