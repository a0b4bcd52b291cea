import {
  failed,
  type Id,
  type Instant,
  ok,
  type Result,
  statesBefore,
  step,
  toTimestamp,
} from '@corridor/kernel'
import type { TokenAnswer } from '../../ports/stablecoin-issuer.ts'
import { canNameCoin, coinDecimals, isCurrencyCode } from '../../reference/currencies/index.ts'
import type { Decision, NewJob, Update } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { changedAt, type Scope } from '../../vocabulary/scope.ts'
import { enablementMachine, issuanceMachine, providerAccountMachine } from './machine.ts'
import { renderCoin, renderLink } from './render.ts'
import type { StablecoinIssuanceStatus } from './stablecoin-schemas.ts'
import type { Coin, ProviderAccount } from './store.ts'

export const recheckEveryMs = 60 * 60 * 1000

export const recheckJob = 'stablecoins.recheck'
export const issuanceJob = 'stablecoins.issuance'
export const enablementJob = 'stablecoins.enable'

const now = (scope: Scope) => toTimestamp(scope.now)

// Provider accounts

export function decideLink(
  scope: Scope,
  link: {
    readonly id: Id<'StablecoinProviderAccount'>
    readonly providerAccountId: string
    readonly credentialsSealed: string
    readonly isUsable: boolean
  },
): Decision<Reply> {
  const account: ProviderAccount = {
    ...link,
    version: 1n,
    provider: 'BRALE',
    environment: scope.environment,
    status: link.isUsable ? 'ACTIVE' : 'INVALID',
    lastVerifiedAt: scope.now,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  return {
    inserts: [
      {
        table: 'stablecoin_provider_accounts',
        row: {
          id: account.id,
          provider: account.provider,
          provider_account_id: account.providerAccountId,
          credentials: account.credentialsSealed,
          status: account.status,
          last_verified_at: now(scope),
          created_at: now(scope),
          updated_at: now(scope),
        },
      },
    ],
    jobs: [recheckOf(account.id, scope.now + recheckEveryMs)],
    unique: {
      stablecoin_provider_accounts_linked: fail('CONFLICT', {
        reason: 'PROVIDER_ACCOUNT_ALREADY_LINKED',
        providerAccountId: account.providerAccountId,
      }),
    },
    result: () => ({ status: 201, body: renderLink(account) }),
  }
}

/** The provider is asked again every hour whether the credentials still hold (cards-stablecoins 2.1). */
export function recheckOf(id: string, runAt: Instant): NewJob {
  return { kind: recheckJob, payload: { id }, runAt, key: `${recheckJob} ${id}` }
}

/** A move of the link, or nothing when its state does not list one. Verified at: only when accepted. */
export function moveLink(
  scope: Scope,
  link: ProviderAccount,
  on: 'accept' | 'refuse' | 'revoke',
): { readonly updates: readonly Update[]; readonly link: ProviderAccount } {
  const to = step(providerAccountMachine, link.status, on)
  if (!to.ok) return { updates: [], link }
  const moved = { ...link, status: to.to, ...(on === 'accept' ? { lastVerifiedAt: scope.now } : {}) }
  return {
    updates: [
      {
        table: 'stablecoin_provider_accounts',
        id: link.id,
        from: statesBefore(providerAccountMachine, on),
        version: link.version,
        set: {
          status: to.to,
          ...(on === 'accept' ? { last_verified_at: now(scope) } : {}),
          updated_at: changedAt(scope, link.updatedAt),
        },
      },
    ],
    link: moved,
  }
}

// Coins

/** Registers a token that the provider knows (cards-stablecoins 2.2): INVALID_INPUT, CONFLICT. */
export function decideRegister(
  scope: Scope,
  {
    id,
    link,
    names,
    found,
  }: {
    readonly id: Id<'Stablecoin'>
    readonly link: ProviderAccount
    readonly names: Pick<Coin, 'network' | 'networkTokenIdentifier' | 'providerTokenIdentifier'>
    readonly found: Extract<TokenAnswer, { status: 'FOUND' }>
  },
): Decision<Reply> {
  const coin: Coin = {
    id,
    version: 1n,
    environment: scope.environment,
    providerAccountId: link.id,
    provider: link.provider,
    name: found.name,
    symbol: found.symbol,
    baseCurrency: found.baseCurrency,
    decimals: found.decimals,
    ...names,
    issuanceStatus: found.issuance.status,
    enablementStatus: 'NOT_ENABLED',
    requestedAt: null,
    createdAt: scope.now,
    updatedAt: scope.now,
  }
  const known = fail('CONFLICT', { reason: 'STABLECOIN_ALREADY_REGISTERED' })
  return {
    ...(found.link ? { updates: moveLink(scope, link, revocationOf(found.link)).updates } : {}),
    inserts: [
      {
        table: 'stablecoins',
        row: {
          id,
          provider_account_id: link.id,
          provider: coin.provider,
          name: coin.name,
          symbol: coin.symbol,
          base_currency: coin.baseCurrency,
          decimals: coin.decimals,
          network: coin.network,
          network_token_identifier: coin.networkTokenIdentifier,
          provider_token_identifier: coin.providerTokenIdentifier,
          issuance_status: coin.issuanceStatus,
          enablement_status: coin.enablementStatus,
          created_at: now(scope),
          updated_at: now(scope),
        },
      },
    ],
    jobs: isIssuanceOpen(coin.issuanceStatus) ? [issuanceCheck(id, found.issuance.checkAt)] : [],
    unique: { stablecoins_token: known, stablecoins_provider_token: known },
    result: () => ({ status: 201, body: renderCoin(coin) }),
  }
}

export const revocationOf = (news: 'INVALID' | 'REVOKED') => (news === 'REVOKED' ? 'revoke' : 'refuse')

export function isIssuanceOpen(status: StablecoinIssuanceStatus): boolean {
  return !issuanceMachine.terminal.includes(status)
}

export function issuanceCheck(id: string, at: Instant): NewJob {
  return { kind: issuanceJob, payload: { id }, runAt: at, key: `${issuanceJob} ${id}` }
}

/** One move of the issuance, towards what the provider reports; none when it has nothing new. */
export function issuanceMove(
  from: StablecoinIssuanceStatus,
  reported: StablecoinIssuanceStatus,
): 'accept' | 'reject' | 'finish' | 'fail' | undefined {
  if (from === 'PENDING_REVIEW' && reported !== 'PENDING_REVIEW') {
    return reported === 'REJECTED' ? 'reject' : 'accept'
  }
  if (from === 'PROVISIONING' && reported === 'PROVISIONED') return 'finish'
  if (from === 'PROVISIONING' && (reported === 'FAILED' || reported === 'REJECTED')) return 'fail'
  return undefined
}

export function moveIssuance(
  scope: Scope,
  coin: Coin,
  on: 'accept' | 'reject' | 'finish' | 'fail',
): { readonly update: Update; readonly coin: Coin } | undefined {
  const to = step(issuanceMachine, coin.issuanceStatus, on)
  if (!to.ok) return undefined
  const at = changedAt(scope, coin.updatedAt)
  return {
    update: {
      table: 'stablecoins',
      id: coin.id,
      version: coin.version,
      set: { issuance_status: to.to, updated_at: at },
    },
    coin: { ...coin, issuanceStatus: to.to },
  }
}

/** What is known of a currency by its code alone holds for these coins, and for no others. */
function canBeCurrency({ symbol, decimals, baseCurrency }: Coin): boolean {
  return canNameCoin(symbol) && decimals === coinDecimals && baseCurrency === 'USD'
}

export type EnablementEvent = 'request' | 'approve' | 'decline' | 'finish' | 'disable' | 'reEnable'

/**
 * Moves the enablement of a coin (cards-stablecoins 2.3). CONFLICT when it is not provisioned;
 * STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE for a request that its state does not take; asking again while
 * the first request waits changes nothing. Any coin can be requested: CONFLICT with the reason tells who approves one that
 * cannot be a currency.
 */
export function decideEnablement(
  scope: Scope,
  coin: Coin,
  on: EnablementEvent,
  facts: { readonly isCodeTaken: boolean; readonly jobs: readonly NewJob[] },
): Result<Decision<Reply>, Failure> {
  if (coin.issuanceStatus !== 'PROVISIONED') {
    return failed(fail('CONFLICT', { reason: 'NOT_PROVISIONED', status: coin.issuanceStatus, id: coin.id }))
  }
  if (on === 'request' && coin.enablementStatus === 'PENDING_APPROVAL') {
    return ok({ result: () => ({ status: 200, body: renderCoin(coin) }) })
  }
  const to = step(enablementMachine, coin.enablementStatus, on)
  if (!to.ok) {
    return failed(
      on === 'request'
        ? fail('STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE', { gridOperationsStatus: coin.enablementStatus })
        : fail('CONFLICT', { reason: 'WRONG_STATE', status: coin.enablementStatus, id: coin.id }),
    )
  }
  if (on === 'approve' || on === 'reEnable') {
    // Two currencies of one book cannot share a code, nor can a coin take that of a real currency.
    const reason =
      facts.isCodeTaken || isCurrencyCode(coin.symbol)
        ? 'CURRENCY_CODE_TAKEN'
        : canBeCurrency(coin)
          ? undefined
          : 'CURRENCY_NOT_SUPPORTED'
    if (reason) return failed(fail('CONFLICT', { reason, id: coin.id }))
  }
  const at = changedAt(scope, coin.updatedAt)
  const moved: Coin = { ...coin, enablementStatus: to.to, updatedAt: Date.parse(at) as Instant }
  return ok({
    updates: [
      {
        table: 'stablecoins',
        id: coin.id,
        version: coin.version,
        set: {
          enablement_status: to.to,
          ...(on === 'request' ? { requested_at: now(scope) } : {}),
          updated_at: at,
        },
      },
    ],
    jobs: facts.jobs,
    unique: { stablecoins_currency: fail('CONFLICT', { reason: 'CURRENCY_CODE_TAKEN', id: coin.id }) },
    result: () => ({ status: 200, body: renderCoin(moved) }),
  })
}

export function enablementCheck(id: string, at: Instant): NewJob {
  return { kind: enablementJob, payload: { id }, runAt: at, key: `${enablementJob} ${id}` }
}
