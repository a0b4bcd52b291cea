import { assert, failed, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { dataKeyRow, loadSealedKey } from '../../mechanisms/keys/data-keys.ts'
import { vaspNames } from '../../notices/directories/index.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import { platformOwner } from '../../platform/internal-accounts/index.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import type { BeneficiaryVerification } from '../../ports/adapters.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import type { Insert } from '../../vocabulary/decision.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Scope, SilentScope } from '../../vocabulary/scope.ts'
import type { ExternalAccountCreateRequest } from './contract.ts'
import { sealDetails } from './details.ts'
import type { ExternalAccountEvent } from './machine.ts'
import {
  type Holder,
  nameToVerify,
  type Registration,
  readRegistration,
  registrationRefusal,
} from './registration.ts'
import { decideDelete, decideRegister, decideScreening, isOfPlatform, verifiedDataOf } from './rules.ts'
import { searchHashesOf } from './search-hashes.ts'
import {
  type ExternalAccount,
  loadDefaultUmaDepositAccount,
  loadDuplicateId,
  loadExternalAccount,
  type Vault,
} from './store.ts'

/** Whose accounts a path speaks of: those of customers, or the platform's own (accounts 4.1). */
export type Side = 'CUSTOMERS' | 'PLATFORM'

/**
 * Registers an account (accounts 4.1). The name of its holder is checked outside before anything is
 * written. Without a customer the account is the platform's.
 */
export async function registerExternalAccount(
  engine: Engine,
  scope: Scope,
  request: ExternalAccountCreateRequest,
): Promise<Result<Reply, Failure>> {
  const { database, world, keys } = engine
  const adapters = engine.adapters[scope.environment]
  const holder = await loadHolder(engine, scope, request.customerId)
  if (!holder) {
    return failed(failFields([{ field: 'customerId', message: 'is not a customer of the platform' }]))
  }
  const registration = readRegistration(request)
  const refusal = registrationRefusal({
    registration,
    holder,
    strictness: adapters.rules.accountChecks,
    vaspNames,
    now: scope.now,
  })
  if (refusal) return failed(refusal)

  const verification = await verifyBeneficiary(engine, scope, registration)
  const id = world.id('ExternalAccount')
  const { type, info, currency, isDefaultUmaDepositAccount } = registration
  // Account numbers stand in it, and equality is all that is asked of it.
  const duplicateKey = keys.searchHash('external account', type.duplicateKey(info, currency))
  const details = { accountInfo: info, beneficiaryVerifiedData: verifiedDataOf(verification) }
  return commit(engine.applier, scope, async () => {
    const key = await loadOwnerKey(engine, scope, holder)
    return decideRegister(scope, {
      id,
      registration,
      duplicateKey,
      searchHashes: searchHashesOf(keys, scope, type.primaryId(info)),
      newKey: key.newRow,
      details,
      detailsSealed: sealDetails(keys.dataKey(scope, holder.ownerId, key.sealed), id, details),
      holder,
      verification,
      duplicateId: await loadDuplicateId(database, scope, holder.ownerId, duplicateKey),
      previousDefault: isDefaultUmaDepositAccount
        ? await loadDefaultUmaDepositAccount(engine, scope, holder.ownerId)
        : undefined,
      newAccountStatus: adapters.rules.newExternalAccountStatus,
    })
  })
}

/** Customers are made with a key; the platform gets one with the first thing that is sealed for it. */
async function loadOwnerKey(
  { database, keys }: Engine,
  scope: Scope,
  { ownerId, isPlatform }: Holder,
): Promise<{ sealed: string; newRow: Insert | undefined }> {
  const known = await loadSealedKey(database, scope, ownerId)
  if (known !== undefined) return { sealed: known, newRow: undefined }
  assert(isPlatform, 'a customer that is not deleted has a key')
  const sealed = keys.newDataKey(scope, ownerId)
  return { sealed, newRow: dataKeyRow(ownerId, sealed, toTimestamp(scope.now)) }
}

async function loadHolder(
  engine: Engine,
  scope: Scope,
  customerId: string | undefined,
): Promise<Holder | undefined> {
  const { settings, coins } = await loadConfig(engine.database, scope)
  if (customerId === undefined)
    return { ownerId: platformOwner, isPlatform: true, region: null, settings, coins }
  const customer = await loadCustomer(engine, scope, customerId)
  // A deleted customer counts as unknown wherever it is not the subject of the call (conventions 12.3).
  if (!customer || customer.deletedAt !== null) return undefined
  return { ownerId: customer.id, isPlatform: false, region: customer.region, settings, coins }
}

/** Asks the institution behind the account for the name of its holder (accounts 4.10). */
async function verifyBeneficiary(
  { adapters }: Engine,
  scope: Scope,
  registration: Registration,
): Promise<BeneficiaryVerification | undefined> {
  const fullName = nameToVerify(registration)
  if (fullName === undefined) return undefined
  const { type, info } = registration
  return adapters[scope.environment].beneficiaries.verify({
    accountType: type.name,
    primaryId: type.primaryId(info),
    rails: type.rails(info),
    fullName,
  })
}

/** An account that the side knows; deleted ones and those of the other side are unknown (accounts 4.1). */
export async function loadKnownAccount(
  vault: Vault,
  scope: Scope,
  side: Side,
  id: string,
): Promise<Result<ExternalAccount, Failure>> {
  const account = await loadExternalAccount(vault, scope, id)
  const isKnown = account && account.deletedAt === null && isOfPlatform(account) === (side === 'PLATFORM')
  return isKnown
    ? { ok: true, value: account }
    : failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ExternalAccount', id }))
}

export async function deleteExternalAccount(
  engine: Engine,
  scope: Scope,
  side: Side,
  id: string,
): Promise<Result<Reply, Failure>> {
  return commit(engine.applier, scope, async () => {
    const account = await loadKnownAccount(engine, scope, side, id)
    if (!account.ok) return account
    const { ownerId } = account.value
    const customer = ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, ownerId)
    return decideDelete(scope, account.value, customer)
  })
}

/**
 * Records what screening or an analyst says about an account (accounts 4.2): REFERENCE_NOT_FOUND for an
 * unknown one, CONFLICT when its status does not allow the verdict.
 */
export async function screenExternalAccount(
  engine: Engine,
  scope: SilentScope,
  id: string,
  verdict: Extract<ExternalAccountEvent, 'clear' | 'hit' | 'reject'>,
): Promise<Result<ExternalAccount, Failure>> {
  return commit(engine.applier, scope, async () => {
    const account = await loadExternalAccount(engine, scope, id)
    if (!account || account.deletedAt !== null) {
      return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'ExternalAccount', id }))
    }
    return decideScreening(scope, account, verdict)
  })
}

/** The identifier that the account's institution or chain knows it by. */
export function primaryIdOf({ accountInfo }: ExternalAccount): string {
  return accountTypeOf(accountInfo).primaryId(accountInfo)
}
