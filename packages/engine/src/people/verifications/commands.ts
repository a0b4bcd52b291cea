import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadPlatform } from '../../platform/platforms/index.ts'
import type { CallContext } from '../../ports/call-context.ts'
import type { IdentityVerdict } from '../../ports/identity.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type Customer, loadCustomer } from '../customers/index.ts'
import { type Document, loadDocumentsOf } from '../documents/index.ts'
import type { VerificationError } from './contract.ts'
import { problemsOf } from './packet.ts'
import { renderVerification } from './render.ts'
import { type DecideOwner, decideSubmission, refuseSubmission, type Submitted } from './rules.ts'
import { loadNewestVerification } from './store.ts'

/** `POST /verifications` (customers 10.3). */
export async function submitCustomer(
  engine: Engine,
  scope: Scope,
  customerId: string,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const customer = await loadCustomer(engine, scope, customerId)
    if (!customer || customer.deletedAt !== null) {
      return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id: customerId }))
    }
    const submitted = await submit(engine, scope, customer)
    if (!submitted.ok) return submitted
    const { verification, changes } = submitted.value
    return ok({ ...changes, result: () => ({ status: 200, body: renderVerification(verification) }) })
  })
}

/** What submitting a customer as it is now comes to; nothing is changed yet. */
export async function submit(
  engine: Engine,
  scope: Scope,
  customer: Customer,
): Promise<Result<Submitted, Failure>> {
  const refusal = refuseSubmission(customer)
  if (refusal) return failed(refusal)
  const context = { scope, id: customer.id, customerIds: [customer.id] }
  const assessment = await assess(engine, scope, customer, context)
  const newest = await loadNewestVerification(engine.database, scope, customer.id)
  return decideSubmission(
    scope,
    { customer, newest, ...assessment },
    {
      id: engine.world.id('Verification'),
      verdict: assessment.verdict,
      decideOwner: ownerDecider(engine, scope),
    },
  )
}

export interface Assessment {
  readonly documents: readonly Document[]
  /** What the rules of a complete packet miss. */
  readonly problems: readonly VerificationError[]
  /** What the provider says to it; it may not ask for all that. */
  readonly verdict: IdentityVerdict
}

/** What a submission of the customer would come to; with a context, the submission itself. */
export async function assess(
  engine: Engine,
  scope: Scope,
  customer: Customer,
  context?: CallContext,
): Promise<Assessment> {
  const { database } = engine
  const { identity, rules } = engine.adapters[scope.environment]
  const documents = await loadDocumentsOf(engine, scope, customer.id)
  const { isRegulated, skipPaperwork } = await loadPlatform(database, scope)
  const problems = problemsOf({ customer, documents, rules })
  const registrationNumber = customer.profile.businessInfo?.registrationNumber
  const verdict = await identity.decide({
    customerType: customer.customerType,
    isRegulated,
    skipPaperwork,
    isComplete: problems.length === 0,
    ...(customer.originalName === null ? {} : { fullName: customer.originalName }),
    ...(registrationNumber === undefined ? {} : { registrationNumber }),
    ...(context ? { context } : {}),
  })
  return { documents, problems, verdict }
}

export function ownerDecider(engine: Engine, scope: Scope): DecideOwner {
  const { identity } = engine.adapters[scope.environment]
  return ({ personalInfo: { lastName } }, business) =>
    identity.decideOwner({ lastName, business, isPartOfDecision: true })
}
