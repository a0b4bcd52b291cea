import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadInternalAccount } from '../../platform/internal-accounts/index.ts'
import { accountTypeOf } from '../../reference/account-types/index.ts'
import { type Failure, fail, failFields } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { type ExternalAccount, loadExternalAccount } from '../external-accounts/index.ts'
import type { BurnRail, StablecoinBurnRequest, StablecoinMintRequest } from './stablecoin-schemas.ts'
import type { Coin } from './store.ts'

/** Which accounts a mint may be paid from and to, and a burn to (cards-stablecoins 2.4). */

/** The payment rail that a word of the API stands for. */
const railOf: Readonly<Record<BurnRail, string>> = {
  WIRE: 'WIRE',
  ACH_CREDIT: 'ACH',
  SAME_DAY_ACH_CREDIT: 'ACH',
  RTP_CREDIT: 'RTP',
}

const unknownAccount = (id: string) => fail('REFERENCE_NOT_FOUND', { resourceType: 'ExternalAccount', id })

/** The words that the API reserves for movements inside the service. */
function reserved(field: string): Failure {
  const message = 'is reserved and not supported'
  return fail('INVALID_INPUT', { errors: [{ field, message }], field, reason: 'NOT_SUPPORTED' })
}

export async function mintRefusal(
  engine: Engine,
  scope: Scope,
  coin: Coin,
  { fundingSource, destination }: StablecoinMintRequest,
): Promise<Failure | undefined> {
  if (fundingSource.type === 'GRID_INTERNAL_ACCOUNT' || fundingSource.type === 'PROVIDER_INTERNAL_BALANCE') {
    return reserved('fundingSource.type')
  }
  if (fundingSource.type !== 'WIRE') {
    const account = await loadLive(engine, scope, fundingSource.externalAccountId)
    if (!account) return unknownAccount(fundingSource.externalAccountId)
    const message = 'is not an active US bank account'
    const field = 'fundingSource.externalAccountId'
    if (!isDollarBank(account, 'ACH')) return failFields([{ field, message }], 'INVALID_BANK_ACCOUNT')
  }
  return destination.accountId.startsWith('InternalAccount:')
    ? internalDestinationRefusal(engine, scope, coin, destination.accountId)
    : walletRefusal(engine, scope, destination.accountId)
}

async function internalDestinationRefusal(
  engine: Engine,
  scope: Scope,
  coin: Coin,
  id: string,
): Promise<Failure | undefined> {
  const account = await loadInternalAccount(engine.database, scope, id)
  if (!account) return fail('REFERENCE_NOT_FOUND', { resourceType: 'InternalAccount', id })
  const isOfCoin =
    coin.enablementStatus === 'ENABLED' && account.currency === coin.symbol && account.status === 'ACTIVE'
  const message = 'is not an active account in the currency of an enabled coin'
  return isOfCoin ? undefined : failFields([{ field: 'destination.accountId', message }])
}

async function walletRefusal(engine: Engine, scope: Scope, id: string): Promise<Failure | undefined> {
  const account = await loadLive(engine, scope, id)
  if (!account) return unknownAccount(id)
  const isSpark = account.accountType === 'SPARK_WALLET' && account.status === 'ACTIVE'
  const message = 'is not an active Spark wallet'
  return isSpark ? undefined : failFields([{ field: 'destination.accountId', message }])
}

export async function burnRefusal(
  engine: Engine,
  scope: Scope,
  { source, destination: { externalAccountId, rail } }: StablecoinBurnRequest,
): Promise<Failure | undefined> {
  if (source.type === 'GRID_INTERNAL_ACCOUNT') return reserved('source.type')
  const account = await loadLive(engine, scope, externalAccountId)
  if (!account) return unknownAccount(externalAccountId)
  if (isDollarBank(account, railOf[rail])) return undefined
  const message = `is not an active US bank account that takes ${rail}`
  return failFields([{ field: 'destination.externalAccountId', message }], 'INVALID_BANK_ACCOUNT')
}

async function loadLive(engine: Engine, scope: Scope, id: string): Promise<ExternalAccount | undefined> {
  const account = await loadExternalAccount(engine, scope, id)
  return account?.deletedAt === null ? account : undefined
}

function isDollarBank({ status, currency, accountInfo }: ExternalAccount, rail: string): boolean {
  const type = accountTypeOf(accountInfo)
  const rails: readonly string[] = type.rails(accountInfo)
  return status === 'ACTIVE' && currency === 'USD' && type.network === undefined && rails.includes(rail)
}
