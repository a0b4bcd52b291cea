import {
  externalAccountRefusal,
  isPullable,
  loadExternalAccount,
  screenExternalAccount,
} from '@corridor/engine/money/external-accounts/index.ts'
import { accountTypes } from '@corridor/engine/reference/account-types/index.ts'
import { openTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { eventsOf } from '../e2e/book-fixtures.ts'
import { euroAccount, externalAccountApi, person } from '../e2e/external-account-api.ts'

const server = await openTestServer()

const start = (options?: Parameters<TestServer['platform']>[0]) => externalAccountApi(server, options)

describe('with real money', () => {
  it('refuses wrong check digits, an unknown bank and an unknown custodian', async () => {
    const { create } = await start({ environment: 'PRODUCTION' })
    const address = { line1: '1 High Street', postalCode: '10115', country: 'DE' }
    const checksum = await create(euroAccount('DE89370400440532013001', { ...person, address }))
    expect(checksum.error).toMatchObject({
      status: 400,
      code: 'INVALID_BANK_ACCOUNT',
      details: { field: 'accountInfo.iban' },
    })
    const pesos = { accountType: 'PHP_ACCOUNT', accountNumber: '12345678', beneficiary: person }
    const bank = await create({ currency: 'PHP', accountInfo: { ...pesos, bankName: 'Bank of Nowhere' } })
    expect(bank.error).toMatchObject({
      code: 'INVALID_BANK_ACCOUNT',
      details: { field: 'accountInfo.bankName' },
    })
    const base = accountTypes.find(({ name }) => name === 'BASE_WALLET')!.example
    const hosted = (vaspName: string) => create({ currency: 'USDC', accountInfo: { ...base, vaspName } })
    expect((await hosted('Nobody')).error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'accountInfo.vaspName' },
    })
    expect((await hosted('Kraken')).data!.status).toBe('PENDING')
  })

  it('follows what screening says, with an event for each change', async () => {
    const { platform, create, get } = await start({ environment: 'PRODUCTION' })
    const created = await create({
      currency: 'MXN',
      accountInfo: { accountType: 'MXN_ACCOUNT', clabeNumber: '032180000118359719', beneficiary: person },
    })
    const { id } = created.data!
    expect(created.data!.beneficiaryVerificationStatus).toBe('UNSUPPORTED')
    const scope = await server.engine.clock.scope(platform, { id: 'operator', permissions: [] })
    const screen = (verdict: 'clear' | 'hit' | 'reject') =>
      screenExternalAccount(server.engine, scope, id, verdict)
    const steps = [
      ['hit', 'UNDER_REVIEW'],
      ['reject', 'INACTIVE'],
      ['clear', 'ACTIVE'],
    ] as const
    for (const [verdict, status] of steps) {
      expect((await screen(verdict)).ok).toBe(true)
      expect((await get(id)).data!.status).toBe(status)
    }
    expect(await screen('reject')).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
    const events = await eventsOf(server, platform, id)
    expect(events.map(({ type, data }) => [type, data.status])).toEqual(
      steps.map(([, status]) => ['EXTERNAL_ACCOUNT.STATUS_UPDATED', status]),
    )
  })
})

describe('the use of an external account in payments', () => {
  it('depends on its status, the amount, and whether it pays or receives', async () => {
    const { platform, create, remove } = await start()
    const { id } = (await create(euroAccount('DE89370400440532013000'))).data!
    const account = (await loadExternalAccount(server.engine, platform, id))!
    const codeOf = (status: string, as: 'DESTINATION' | 'PULL_SOURCE', sendingEurMinor: bigint | undefined) =>
      externalAccountRefusal({ ...account, status: status as never }, { as, sendingEurMinor })?.code
    const required = 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED'
    for (const [status, as, amount, code] of [
      ['ACTIVE', 'DESTINATION', 10_000_000n, undefined],
      ['PENDING_OWNERSHIP_VERIFICATION', 'DESTINATION', 100_000n, undefined],
      ['PENDING_OWNERSHIP_VERIFICATION', 'DESTINATION', 100_001n, required],
      ['PENDING_OWNERSHIP_VERIFICATION', 'DESTINATION', undefined, required],
      ['UNVERIFIED', 'DESTINATION', 1n, required],
      ['PENDING', 'DESTINATION', 1n, 'INVALID_RECEIVER'],
      ['UNDER_REVIEW', 'PULL_SOURCE', 1n, 'INVALID_BANK_ACCOUNT'],
      ['INACTIVE', 'DESTINATION', 1n, 'INVALID_RECEIVER'],
    ] as const) {
      expect(codeOf(status, as, amount), `${status} ${as} ${amount}`).toBe(code)
    }
    await remove(id)
    const deleted = (await loadExternalAccount(server.engine, platform, id))!
    expect(deleted.deletedAt).not.toBeNull()
    expect(externalAccountRefusal(deleted, { as: 'DESTINATION', sendingEurMinor: 1n })).toMatchObject({
      code: 'INVALID_RECEIVER',
      details: { status: 'DELETED' },
    })
  })

  it('allows pulls from bank accounts only, and with real money only from the payer’s own in dollars', async () => {
    const { platform, customer, create } = await start()
    const byType = new Map<string, { any: boolean; own: boolean; another: boolean }>()
    for (const name of [
      'USD_ACCOUNT',
      'EUR_ACCOUNT',
      'SWIFT_ACCOUNT',
      'KES_ACCOUNT',
      'BASE_WALLET',
      'LIGHTNING',
    ]) {
      const type = accountTypes.find((known) => known.name === name)!
      const { data } = await create({ currency: type.currencies[0], accountInfo: type.example })
      const account = (await loadExternalAccount(server.engine, platform, data!.id))!
      const own = { ownerId: customer.id }
      byType.set(name, {
        any: isPullable(account, own, { pullableAccounts: 'ANY_BANK' }),
        own: isPullable(account, own, { pullableAccounts: 'US_ONLY' }),
        another: isPullable(account, { ownerId: 'platform' }, { pullableAccounts: 'US_ONLY' }),
      })
    }
    const never = { any: false, own: false, another: false }
    expect(Object.fromEntries(byType)).toEqual({
      USD_ACCOUNT: { any: true, own: true, another: false },
      EUR_ACCOUNT: { any: true, own: false, another: false },
      SWIFT_ACCOUNT: never,
      KES_ACCOUNT: never,
      BASE_WALLET: never,
      LIGHTNING: never,
    })
  })
})
