import { failed, ok, type Result, statesBefore } from '@corridor/kernel'
import type { BeneficiaryTrustConfirmRequest } from '../../access/sca/contract.ts'
import {
  answer,
  applicabilityRefusal,
  ask,
  availableFactors,
  type Challenge,
  canAnswer,
  chooseFactor,
  isOfFactor,
  loadPendingChallenge,
  loadState,
  lockRefusal,
  readProof,
  type ScaCustomer,
  saveState,
} from '../../access/sca/index.ts'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { keyOf, loadCustomer } from '../../people/customers/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import { firstRefusal } from '../../vocabulary/gates.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { trustMachine } from './machine.ts'
import { isOfPlatform } from './rules.ts'
import { type ExternalAccount, loadExternalAccount } from './store.ts'

/** Beneficiaries whom a customer pays without a proof for each payment (customers 13.8). */

type Direction = Extract<Challenge['kind'], 'TRUST' | 'UNTRUST'>

interface Subject extends ScaCustomer {
  readonly account: ExternalAccount
}

/**
 * An account that its customer may trust: REFERENCE_NOT_FOUND for an unknown one, CONFLICT where strong
 * authentication does not apply, ACCOUNT_LOCKED for a locked customer.
 */
async function requireSubject(engine: Engine, scope: Scope, id: string): Promise<Result<Subject, Failure>> {
  const unknown = failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ExternalAccount', id }))
  const account = await loadExternalAccount(engine, scope, id)
  if (!account || account.deletedAt !== null) return unknown
  if (isOfPlatform(account)) {
    return failed(fail('CONFLICT', { externalAccountId: id, reason: 'STRONG_AUTHENTICATION_NOT_REQUIRED' }))
  }
  const customer = await loadCustomer(engine, scope, account.ownerId)
  if (!customer || customer.deletedAt !== null) return unknown
  const state = await loadState(engine, scope, customer)
  const refusal = firstRefusal({
    CUSTOMER: applicabilityRefusal(customer),
    SCA: lockRefusal(state, scope.now),
  })
  return refusal ? failed(refusal) : ok({ account, customer, state })
}

const changes = { TRUST: ['add', 'to'], UNTRUST: ['remove', 'from'] } as const

/** Asks the customer; what was asked about the account before is void, in whichever direction. */
export async function askAboutTrust(
  engine: Engine,
  scope: Scope,
  {
    externalAccountId,
    direction,
    scaFactor,
  }: {
    readonly externalAccountId: string
    readonly direction: Direction
    readonly scaFactor?: Parameters<typeof chooseFactor>[1]
  },
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const subject = await requireSubject(engine, scope, externalAccountId)
    if (!subject.ok) return subject
    const { account, customer, state } = subject.value
    const available = availableFactors(customer, state, engine.adapters[scope.environment], 'trust')
    const chosen = chooseFactor(available, scaFactor)
    if ('refusal' in chosen) return failed(chosen.refusal)
    const payee = nameOf(account)
    const [verb, preposition] = changes[direction]
    const asked = await ask(engine, scope, {
      customer,
      state,
      kind: direction,
      subjectId: account.id,
      factor: chosen.factor,
      availableFactors: available,
      purpose: direction === 'TRUST' ? 'TRUST_BENEFICIARY' : 'UNTRUST_BENEFICIARY',
      message: (code) =>
        `${code} is your code to ${verb} ${payee} ${preposition} your trusted payees. Do not share it with anyone.`,
      replaced: await loadPendingChallenge(engine, scope, account.id),
    })
    return ok({ ...asked.changes, result: () => ({ status: 200, body: { scaChallenge: asked.wire } }) })
  })
}

function nameOf({ accountInfo, id }: ExternalAccount): string {
  const { beneficiary } = accountInfo as { beneficiary?: Record<string, unknown> }
  const name = beneficiary?.fullName ?? beneficiary?.legalName
  return typeof name === 'string' ? name : `the account ${id.slice(-8)}`
}

/** Takes the customer's proof: a right one sets the flag, a wrong one counts (customers 13.8). */
export async function confirmTrust(
  engine: Engine,
  scope: Scope,
  {
    externalAccountId,
    direction,
    request,
  }: {
    readonly externalAccountId: string
    readonly direction: Direction
    readonly request: BeneficiaryTrustConfirmRequest
  },
): Promise<Result<Reply, Failure>> {
  const wrong = (field: string, message: string) => failed(failFields([{ field, message }]))
  return commit(engine.applier, scope, async () => {
    const subject = await requireSubject(engine, scope, externalAccountId)
    if (!subject.ok) return subject
    const { account, customer, state } = subject.value
    const challenge = await loadPendingChallenge(engine, scope, account.id)
    if (
      !isAsked(challenge, direction) ||
      challenge.id !== request.challengeId ||
      scope.now >= challenge.expiresAt
    ) {
      return wrong('challengeId', 'does not belong to an open challenge')
    }
    const proof = readProof(request)
    if (!isOfFactor(proof, challenge.factor) || !canAnswer(engine, scope, { customer, state, challenge })) {
      return wrong(
        proof.kind === 'CODE' ? 'code' : 'passkeyAssertion',
        `is not a proof by ${challenge.factor}`,
      )
    }
    const answered = await answer(engine, scope, { customer, state, challenge, proof })
    if (!answered.ok) return ok(answered.failure)
    const saved = saveState(keyOf(customer), state, answered.value.state)
    const trusted = direction === 'TRUST'
    return ok({
      ...saved,
      updates: [
        ...saved.updates,
        answered.value.challenge,
        { table: 'external_accounts', id: account.id, version: account.version, set: { trusted } },
      ],
      result: () => ({ status: 200, body: { trusted } }),
    })
  })
}

const askedStates = { TRUST: 'TRUST_ASKED', UNTRUST: 'UNTRUST_ASKED' } as const
const confirmEvents = { TRUST: 'confirmTrust', UNTRUST: 'confirmUntrust' } as const

/** Whether what is being asked may be confirmed in this direction. */
function isAsked(challenge: Challenge | undefined, direction: Direction): challenge is Challenge {
  if (challenge?.kind !== 'TRUST' && challenge?.kind !== 'UNTRUST') return false
  return statesBefore(trustMachine, confirmEvents[direction]).includes(askedStates[challenge.kind])
}
