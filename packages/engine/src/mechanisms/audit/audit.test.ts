import { ok } from '@corridor/kernel'
import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Transfer } from '../../vocabulary/decision.ts'
import type { SilentScope } from '../../vocabulary/scope.ts'
import { commit } from '../db/apply.ts'
import { ledgerAccount } from '../ledger/accounts.ts'
import { auditLedger } from './audit.ts'

let server: TestServer
let scope: SilentScope
beforeEach(async () => {
  server = await startTestServer()
  scope = await server.engine.clock.scope(await server.platform(), { id: 'test', permissions: [] })
})
// These tests damage the ledger on purpose; what the audit says of it is what they assert.
afterEach(() => server.close({ audited: false }))

const transactionId = 'Transaction:0190b4a0-0000-7000-8000-00000000000b'
const clearing = ledgerAccount.clearing(transactionId, 'USD')
const refund = ledgerAccount.refund(transactionId, 'USD')
const rail = ledgerAccount.rail('ACH', 'USD')
const available = ledgerAccount.available('InternalAccount:0190b4a0-0000-7000-8000-00000000000a')

async function post(...transfers: Omit<Transfer, 'currency'>[]): Promise<void> {
  const decision = {
    transfers: transfers.map((transfer) => ({ ...transfer, currency: 'USD' })),
    result: () => undefined,
  }
  const posted = await commit(server.engine.applier, scope, async () => ok(decision))
  expect(posted.ok).toBe(true)
}

/** 100.00 arrive, 30.00 are reserved and released, 20.00 are reserved and stay so, 10.00 go out. */
async function move(): Promise<void> {
  await post({ id: 'in', debit: rail, credit: available, amountMinor: 10_000n })
  await post({ id: 'hold', debit: available, credit: clearing, amountMinor: 3_000n, kind: 'PENDING' })
  await post(resolution('void', 'VOID_PENDING', 'hold'))
  await post({ id: 'hold 2', debit: available, credit: clearing, amountMinor: 1_000n, kind: 'PENDING' })
  await post(resolution('post', 'POST_PENDING', 'hold 2'))
  await post({ id: 'hold 3', debit: available, credit: rail, amountMinor: 2_000n, kind: 'PENDING' })
}

function resolution(id: string, kind: 'POST_PENDING' | 'VOID_PENDING', pendingId: string) {
  return { id, kind, pendingId, debit: available, credit: clearing, amountMinor: 0n }
}

async function tamper(text: string): Promise<void> {
  await server.engine.database.asLogin((connection) => connection.script(text))
}

async function found() {
  const { sound, problems } = await auditLedger(server.engine.database)
  expect(sound).toBe(problems.length === 0)
  return problems.map(({ rule, subject, found, expected }) => [rule, subject, found, expected])
}

/** A row of a transaction in this state; the other columns say nothing to the audit. */
async function transaction(status: string, refundStatus?: string): Promise<void> {
  const refundText = refundStatus ? `'{"status":"${refundStatus}"}'` : 'null'
  await tamper(
    `insert into transactions (platform_id, environment, id, status, type, direction, owner_id,
       platform_customer_id, source, destination, sender_identifiers, receiver_identifiers, reference, refund,
       flow, details, created_at, updated_at)
     values ('${scope.platformId}', '${scope.environment}', '${transactionId}', '${status}', 'OUTGOING', 'DEBIT',
       'platform', 'p', '{}', '{}', '{}', '{}', 'r', ${refundText}, '{}', '{}', '2025-01-01Z', '2025-01-01Z')
     on conflict (platform_id, environment, id) do update set status = excluded.status, refund = excluded.refund`,
  )
}

let operations = 0

/** A mint or burn of a coin, posted or not. */
async function operation(coin: string, type: string, status: string, amount: number): Promise<void> {
  const id = `StablecoinOperation:${++operations}`
  await tamper(
    `insert into stablecoin_operations (platform_id, environment, id, coin_id, provider_account_id, operation_type,
       status, amount, source, destination, request_key, request_fingerprint, created_at, updated_at)
     values ('${scope.platformId}', '${scope.environment}', '${id}', '${coin}', 'p', '${type}', '${status}',
       ${amount}, '{}', '{}', '${id}', '', '2025-01-01Z', '2025-01-01Z')`,
  )
}

describe('the audit of the ledger', () => {
  it('finds nothing where nothing moved, and nothing in sound books', async () => {
    expect(await auditLedger(server.engine.database)).toEqual({
      sound: true,
      checkedAccounts: 0,
      checkedTransfers: 0,
      checkedCurrencies: 0,
      checkedAuditEntries: 0,
      problems: [],
    })
    await move()
    expect(await auditLedger(server.engine.database)).toMatchObject({
      sound: true,
      checkedAccounts: 3,
      checkedTransfers: 6,
      checkedCurrencies: 1,
    })
  })

  it('finds a balance that its transfers do not explain, and the currency out of balance', async () => {
    await move()
    await tamper(`update ledger_accounts set credits_posted = credits_posted + 1 where id = '${available}'`)
    expect(await found()).toEqual([
      ['CURRENCY_UNBALANCED', 'USD', 'posted 1, pending 0', 'posted 0, pending 0'],
      ['BALANCE_DIFFERS_FROM_TRANSFERS', available, 'USD 1000 10001 2000 0', 'USD 1000 10000 2000 0'],
    ])
  })

  it('finds two errors that cancel each other out', async () => {
    await move()
    await tamper(
      `update ledger_accounts set credits_posted = credits_posted + 5, debits_posted = debits_posted + 5
       where id = '${clearing}'`,
    )
    expect((await found()).map(([rule, subject]) => [rule, subject])).toEqual([
      ['BALANCE_DIFFERS_FROM_TRANSFERS', clearing],
    ])
  })

  it('finds transfers whose account is gone, and holds that nobody holds', async () => {
    await move()
    await tamper(`delete from ledger_accounts where id = '${rail}'`)
    expect(await found()).toContainEqual([
      'BALANCE_DIFFERS_FROM_TRANSFERS',
      rail,
      'no account',
      'USD 10000 0 0 2000',
    ])
    await tamper(`update ledger_accounts set debits_pending = 0 where id = '${available}'`)
    expect((await found()).map(([, subject]) => subject)).toContain(available)
  })

  it('finds a guarded account below zero, or without its guard', async () => {
    await move()
    await tamper(`update ledger_accounts set must_not_go_negative = false where id = '${clearing}'`)
    expect(await found()).toEqual([['NEGATIVE_BALANCE', clearing, 'unguarded 1000', 'guarded, 0 or more']])
    await tamper('alter table ledger_accounts drop constraint ledger_accounts_covered')
    await tamper(
      `update ledger_accounts set must_not_go_negative = true, debits_posted = 1001 where id = '${clearing}'`,
    )
    expect(await found()).toContainEqual(['NEGATIVE_BALANCE', clearing, '-1', 'guarded, 0 or more'])
  })

  it('finds money left in a finished transaction, and in no other', async () => {
    await move()
    await post({ id: 'refundable', debit: clearing, credit: refund, amountMinor: 400n })
    const left = (account: string, amount: string) => ['TRANSACTION_NOT_EMPTIED', account, amount, '0']
    for (const status of ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING']) {
      await transaction(status)
      expect(await found()).toEqual([])
    }
    await transaction('FAILED', 'PENDING')
    expect(await found()).toEqual([left(clearing, '600')])
    for (const refundStatus of ['COMPLETED', 'FAILED']) {
      await transaction('FAILED', refundStatus)
      expect(await found()).toEqual([left(refund, '400'), left(clearing, '600')])
    }
    await transaction('PROCESSING', 'COMPLETED')
    expect(await found()).toEqual([left(refund, '400')])
  })

  it('finds a stablecoin of which other than the reserve was minted', async () => {
    const coin = 'Stablecoin:0190b4a0-0000-7000-8000-00000000000c'
    const reserve = ledgerAccount.coinReserve(coin, 'USD')
    const outstanding = ledgerAccount.coinOutstanding(coin, 'USD')
    await operation(coin, 'MINT', 'COMPLETED', 500)
    expect(await found()).toEqual([['MINTED_NOT_IN_RESERVE', coin, '0', '500']])
    await post({ id: 'mint', debit: reserve, credit: outstanding, amountMinor: 500n })
    for (const status of ['CREATED', 'PROCESSING', 'FAILED', 'EXPIRED']) {
      await operation(coin, 'MINT', status, 70)
    }
    expect(await found()).toEqual([])
    await operation(coin, 'BURN', 'COMPLETED', 200)
    expect(await found()).toEqual([['MINTED_NOT_IN_RESERVE', coin, '500', '300']])
    await post({ id: 'burn', debit: outstanding, credit: reserve, amountMinor: 200n })
    expect(await found()).toEqual([])
    const other = 'Stablecoin:0190b4a0-0000-7000-8000-00000000000d'
    await post({
      id: 'more',
      debit: ledgerAccount.coinReserve(other, 'USD'),
      credit: ledgerAccount.coinOutstanding(other, 'USD'),
      amountMinor: 1n,
    })
    expect(await found()).toEqual([['MINTED_NOT_IN_RESERVE', other, '1', '0']])
  })

  it('names the posting where a finding begins, or none where no posting made it', async () => {
    const first = async () => {
      const { problems } = await auditLedger(server.engine.database)
      return problems.map(({ rule, ...problem }) => [
        rule,
        problem.subject,
        'firstBadPosting' in problem ? problem.firstBadPosting?.id : undefined,
      ])
    }
    const later = () => {
      scope = { ...scope, now: scope.now + 1_000 }
    }
    await move()
    // A balance that was raised by hand is the work of no posting.
    await tamper(`update ledger_accounts set credits_posted = credits_posted + 1 where id = '${available}'`)
    expect(await first()).toContainEqual(['BALANCE_DIFFERS_FROM_TRANSFERS', available, undefined])
    // One that does not know of the last credit.
    await tamper(`update ledger_accounts set credits_posted = credits_posted - 1 where id = '${available}'`)
    later()
    await post({ id: 'in late', debit: rail, credit: available, amountMinor: 500n })
    await tamper(`update ledger_accounts set credits_posted = credits_posted - 500 where id = '${available}'`)
    expect(await first()).toContainEqual(['BALANCE_DIFFERS_FROM_TRANSFERS', available, 'in late'])
    await tamper(`update ledger_accounts set credits_posted = credits_posted + 500 where id = '${available}'`)

    // What is left in a finished transaction came after it was last empty.
    later()
    await post({ id: 'emptied', debit: clearing, credit: rail, amountMinor: 1_000n })
    later()
    await post({ id: 'left', debit: available, credit: clearing, amountMinor: 7n })
    await transaction('COMPLETED')
    expect(await first()).toEqual([['TRANSACTION_NOT_EMPTIED', clearing, 'left']])

    // Below zero: from the posting on that took it there.
    later()
    await tamper('alter table ledger_accounts drop constraint ledger_accounts_covered')
    await tamper(
      `insert into ledger_transfers (platform_id, environment, id, kind, debit_account, credit_account, currency,
         amount, created_at)
       values ('${scope.platformId}', '${scope.environment}', 'too much', 'POSTED', '${clearing}', '${rail}', 'USD', 8,
         '2100-01-01Z')`,
    )
    await tamper(`update ledger_accounts set debits_posted = debits_posted + 8 where id = '${clearing}'`)
    await tamper(`update ledger_accounts set credits_posted = credits_posted + 8 where id = '${rail}'`)
    expect(await first()).toContainEqual(['NEGATIVE_BALANCE', clearing, 'too much'])
  })

  it('keeps the books apart', async () => {
    const other = await server.engine.clock.scope(await server.platform(), { id: 'test', permissions: [] })
    await move()
    await tamper(
      `insert into ledger_accounts (platform_id, environment, id, currency, debits_posted, must_not_go_negative,
         moved_at)
       values ('${other.platformId}', '${other.environment}', '${rail}', 'USD', 7, false, '2025-01-01Z')`,
    )
    const { problems } = await auditLedger(server.engine.database)
    expect(new Set(problems.map(({ platformId }) => platformId))).toEqual(new Set([other.platformId]))
    expect(problems.map(({ rule }) => rule)).toEqual([
      'CURRENCY_UNBALANCED',
      'BALANCE_DIFFERS_FROM_TRANSFERS',
    ])
  })
})
