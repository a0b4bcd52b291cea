import { failed, type Id, ok, type Result, step, toTimestamp } from '@corridor/kernel'
import { isUnderSca } from '../../access/sca/index.ts'
import type { Customer } from '../../people/customers/index.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import type { BeneficiaryVerification, EnvironmentRules } from '../../ports/adapters.ts'
import type { Decision, Insert, NewEvent, Row } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import { firstRefusal } from '../../vocabulary/gates.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { subjectOfOwner } from '../../vocabulary/subject.ts'
import type { ExternalAccountStatus } from './contract.ts'
import type { Details } from './details.ts'
import { type ExternalAccountEvent, externalAccountMachine } from './machine.ts'
import { type Holder, isUnderCounterpartyRules, type Registration } from './registration.ts'
import { renderExternalAccount } from './render.ts'
import type { SearchHashes } from './search-hashes.ts'
import type { ExternalAccount } from './store.ts'

export interface RegistrationFacts {
  readonly id: Id<'ExternalAccount'>
  readonly registration: Registration
  readonly duplicateKey: string
  readonly searchHashes: SearchHashes
  /** The row of the owner's key, when nothing was sealed with it before. */
  readonly newKey: Insert | undefined
  readonly details: Details
  readonly detailsSealed: string
  readonly holder: Holder
  readonly verification: BeneficiaryVerification | undefined
  readonly duplicateId: string | undefined
  /** The customer's default account so far, when the new one is to be it. */
  readonly previousDefault: ExternalAccount | undefined
  readonly newAccountStatus: EnvironmentRules['newExternalAccountStatus']
}

/**
 * Registers an account (accounts 4.1, 4.2, 4.7, 4.8, 4.10). Fails with INVALID_BANK_ACCOUNT when the
 * institution knows no such account, with CONFLICT when the owner has registered it already.
 */
export function decideRegister(scope: Scope, facts: RegistrationFacts): Result<Decision<Reply>, Failure> {
  const { registration, holder, verification, duplicateId, previousDefault } = facts
  if (verification?.status === 'INVALID_ACCOUNT') {
    return failed(fail('INVALID_BANK_ACCOUNT', { field: 'accountInfo' }))
  }
  if (duplicateId !== undefined) return failed(fail('CONFLICT', { externalAccountId: duplicateId }))
  const { type, currency, platformAccountId, ownershipType } = registration
  const account: ExternalAccount = {
    id: facts.id,
    version: 1n,
    ownerId: holder.ownerId,
    platformAccountId: platformAccountId ?? null,
    status: initialStatus(facts),
    ownershipType: ownershipType ?? null,
    currency,
    isDefaultUmaDepositAccount: registration.isDefaultUmaDepositAccount,
    beneficiaryVerificationStatus: verification?.status ?? null,
    accountType: type.name,
    ...facts.details,
    trusted: false,
    createdAt: scope.now,
    updatedAt: scope.now,
    deletedAt: null,
  }
  return ok({
    updates: previousDefault
      ? [
          {
            table: 'external_accounts',
            id: previousDefault.id,
            version: previousDefault.version,
            set: { default_uma_deposit_account: false, updated_at: toTimestamp(scope.now) },
          },
        ]
      : [],
    inserts: [
      ...(facts.newKey ? [facts.newKey] : []),
      {
        table: 'external_accounts',
        row: { ...toRow(account, facts.duplicateKey, facts.detailsSealed), ...facts.searchHashes },
      },
    ],
    // Somebody was faster with the same account or the same flag; the facts will say so.
    unique: {
      external_accounts_duplicate: 'stale',
      external_accounts_default_uma: 'stale',
      data_keys_pkey: 'stale',
    },
    result: () => ({ status: 201, body: renderExternalAccount(account) }),
  })
}

/** The holder's name as the institution knows it, where it tells (accounts 4.10). */
export function verifiedDataOf(
  verification: BeneficiaryVerification | undefined,
): Details['beneficiaryVerifiedData'] {
  if (!verification || verification.status === 'INVALID_ACCOUNT') return null
  return verification.fullName === undefined ? null : { fullName: verification.fullName }
}

/** A wallet whose owner must be proved waits for that; everything else for screening, if any (accounts 4.2). */
function initialStatus({ registration, holder, newAccountStatus }: RegistrationFacts): ExternalAccountStatus {
  const { type, info, ownershipType } = registration
  const needsProof =
    ownershipType === 'FIRST_PARTY' && type.isSelfCustody(info) && isUnderCounterpartyRules(holder)
  return needsProof ? 'PENDING_OWNERSHIP_VERIFICATION' : newAccountStatus
}

function toRow(account: ExternalAccount, duplicateKey: string, detailsSealed: string): Row {
  const at = toTimestamp(account.createdAt)
  return {
    id: account.id,
    owner_id: account.ownerId,
    platform_account_id: account.platformAccountId,
    status: account.status,
    ownership_type: account.ownershipType,
    currency: account.currency,
    default_uma_deposit_account: account.isDefaultUmaDepositAccount,
    beneficiary_verification_status: account.beneficiaryVerificationStatus,
    account_type: account.accountType,
    details: detailsSealed,
    duplicate_key: duplicateKey,
    trusted: account.trusted,
    created_at: at,
    updated_at: at,
  }
}

/**
 * Deletes softly: payments under way still need the details (accounts 4.11). BENEFICIARY_TRUSTED while its customer
 * pays it without a proof (customers 13.8); where strong authentication is not for the customer any more, there is
 * nothing that could end the trust, and nothing that it spares.
 */
export function decideDelete(
  scope: Scope,
  account: ExternalAccount,
  customer: Customer | undefined,
): Result<Decision<Reply>, Failure> {
  const isTrusted = account.trusted && isUnderSca(customer)
  const refusal = firstRefusal({
    SCA: isTrusted ? fail('BENEFICIARY_TRUSTED', { externalAccountId: account.id }) : undefined,
  })
  if (refusal) return failed(refusal)
  const at = toTimestamp(scope.now)
  return ok({
    updates: [
      {
        table: 'external_accounts',
        id: account.id,
        version: account.version,
        set: { deleted_at: at, updated_at: at },
      },
    ],
    result: () => ({ status: 204 }),
  })
}

/** A move of the status machine as a guarded update, its event, and the account after it. */
export interface Move {
  readonly account: ExternalAccount
  readonly update: NonNullable<Decision['updates']>[number]
  readonly events: readonly NewEvent[]
}

/** Moves an account, or refuses with CONFLICT when the machine lists no such move (accounts 4.2). */
export function moveAccount(
  scope: Scope,
  account: ExternalAccount,
  event: ExternalAccountEvent,
): Result<Move, Failure> {
  const next = step(externalAccountMachine, account.status, event)
  if (!next.ok) {
    return failed(fail('CONFLICT', { externalAccountId: account.id, status: account.status }))
  }
  const moved = { ...account, status: next.to, updatedAt: scope.now }
  return ok({
    account: moved,
    update: {
      table: 'external_accounts',
      id: account.id,
      version: account.version,
      from: [account.status],
      set: { status: next.to, updated_at: toTimestamp(scope.now) },
    },
    events:
      next.to === account.status
        ? []
        : [
            {
              type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED',
              resourceId: account.id,
              subjectId: subjectOfOwner(account.ownerId),
              data: renderExternalAccount(moved),
            },
          ],
  })
}

/** What screening or an analyst says about an account (accounts 4.2). */
export function decideScreening(
  scope: Scope,
  account: ExternalAccount,
  verdict: Extract<ExternalAccountEvent, 'clear' | 'hit' | 'reject'>,
): Result<Decision<ExternalAccount>, Failure> {
  const move = moveAccount(scope, account, verdict)
  if (!move.ok) return move
  const { update, events } = move.value
  return ok({ updates: [update], events, result: () => move.value.account })
}

/** The platform's accounts and those of customers never show under each other's paths (accounts 4.1). */
export function isOfPlatform(account: ExternalAccount): boolean {
  return account.ownerId === platformOwner
}
