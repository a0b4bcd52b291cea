import { auditEverything } from '@corridor/engine/mechanisms/audit/audit.ts'
import { effort, isProof, proofSeed } from '@corridor/testkit/effort.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { operate } from '../e2e/onboarding.ts'
import { basic, json } from '../e2e/raw-calls.ts'
import { openMoney } from './money-actions.ts'
import { type BalanceVersion, contradictions, versionsWithGaps } from './money-checks.ts'
import type { Caller } from './money-stage.ts'
import { generator, pick } from './random.ts'

/**
 * Random histories of everything that moves money: collections that are returned before and after delivery, returned payouts,
 * receivables, frozen and closed accounts, refunds of other amounts, suspense, cards, and several of them at once.
 */

const server = await openTestServer({ stepMs: 1_000 })
const seeds = Array.from({ length: effort(1, 20) }, (_, index) => proofSeed(1) + index)
const acts = effort(160, 400)

const secondMs = 1_000
const dayMs = 86_400_000
/** Longer than the slowest outcome and the longest return. */
const returnsAfter = [3, 40, 600, 4_000]

async function openHistory(seed: number) {
  const random = generator(seed)
  const platform = await server.platform({ isRegulated: true })
  const call: Caller['call'] = async (method, path, body, key) => {
    const response = await server.fetch(`${server.baseUrl}${path}`, {
      method,
      headers: {
        authorization: basic(platform),
        ...(body ? json : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const caller: Caller = {
    call,
    operate: (method, path, body) => operate(server, method, path, body),
    platformId: platform.platformId,
  }
  return { random, platform, call, money: await openMoney(caller, random, { returnsAfter, hasCards: true }) }
}

/** How often the histories brought about what they are for: one in which everything is refused shows nothing. */
const seen: Record<string, number> = {}
const coverage = `select
  (select count(*) from transactions where platform_id = $1 and flow -> 'collection' ? 'returnedAt') as "returnedCollections",
  (select count(*) from transactions where platform_id = $1 and failure_reason = 'PAYOUT_RETURNED') as "returnedPayouts",
  (select count(*) from transactions where platform_id = $1 and flow ? 'refunded') as "refundsOfOtherAmounts",
  (select count(*) from transactions where platform_id = $1 and refund ->> 'status' = 'COMPLETED') as refunds,
  (select count(*) from ledger_transfers where platform_id = $1 and id like '%/clawback/%' and debit_account like 'avail:%') as clawbacks,
  (select count(*) from receivables where platform_id = $1) as receivables,
  (select count(*) from receivables where platform_id = $1 and remaining + written_off < amount) as collected,
  (select count(*) from receivables where platform_id = $1 and written_off > 0) as "writtenOff",
  (select count(*) from suspense_items where platform_id = $1 and status = 'CREDITED') as credited,
  (select count(*) from suspense_items where platform_id = $1 and status = 'SENT_BACK') as "sentBack"`

it.each(seeds)(
  'keeps money, records and versions in agreement, seed %i',
  async (seed) => {
    const { random, platform, call, money } = await openHistory(seed)
    const { platformId } = platform
    const accounts = () =>
      Promise.all(
        money.accounts().map(async ({ id }) => (await call('GET', `/internal-accounts/${id}`)).body),
      )
    const balances = async () =>
      (await server.events(platform))
        .filter(({ type }) => type.startsWith('INTERNAL_ACCOUNT.'))
        .map(({ data }) => data as unknown as BalanceVersion)
    await server.settle()
    for (let count = 0; count < acts; ) {
      const together = pick(random, [1, 1, 1, 2, 4])
      await Promise.all(Array.from({ length: together }, money.act))
      count += together
      if (random(3) > 0) await server.pass(pick(random, [0, 1, 1, 5, 60, 900, 4_000]) * secondMs)
    }
    expect(await contradictions(server.rows, platformId)).toEqual([])
    expect(versionsWithGaps(await balances(), await accounts())).toEqual([])

    // Whatever was waiting for an account goes on, and every outcome and return comes in.
    await money.release()
    for (let round = 0; round < 12; round++) await server.pass(secondMs)
    for (let round = 0; round < 8; round++) await server.pass(dayMs / 2)
    expect(await contradictions(server.rows, platformId)).toEqual([])
    expect(versionsWithGaps(await balances(), await accounts())).toEqual([])
    const { problems } = await auditEverything(server.engine.database)
    expect(problems).toEqual([])

    const open = []
    for (const id of money.acknowledged) {
      const { status } = (await call('GET', `/transactions/${id}`)).body
      if (!['COMPLETED', 'FAILED', 'EXPIRED', 'REJECTED'].includes(status)) open.push(`${id} ${status}`)
    }
    expect(open).toEqual([])
    const [brought] = await server.rows<Record<string, bigint>>(coverage, [platformId])
    for (const [what, count] of Object.entries(brought!)) seen[what] = (seen[what] ?? 0) + Number(count)
    expect(Object.keys(money.answers).filter((answer) => / 5\d\d$/.test(answer))).toEqual([])
  },
  effort(180_000, 900_000),
)

it('has collections and payouts that came back, debts and money in suspense', () => {
  // A short history has the most frequent of them for sure.
  const wanted = isProof ? Object.keys(seen) : ['returnedCollections', 'clawbacks', 'refunds']
  expect(wanted.filter((what) => !seen[what])).toEqual([])
})
