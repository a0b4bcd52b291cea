import type {
  PayoutInstruction,
  PayoutOutcome,
  PullInstruction,
  PullOutcome,
  RailClient,
  RailFailure,
  Submission,
} from '@corridor/engine/ports/rail.ts'
import type { Rail } from '@corridor/engine/reference/rails/index.ts'
import { assert, type Instant } from '@corridor/kernel'
import { describe, expect, it } from 'vitest'

/** Accounts with which the network, its fixtures or its simulation plays out each course of a payment. */
export interface RailCourses {
  /** Delivered without delay. */
  readonly settles: string
  /** Taken on, and silent for a while before it is delivered. */
  readonly settlesLater?: string
  /** Refused when it is handed over. */
  readonly refused?: { readonly primaryId: string; readonly reason: RailFailure }
  /** Taken on, then not delivered. */
  readonly fails?: { readonly primaryId: string; readonly reason: RailFailure }
  /** Delivered, then given back. */
  readonly returns?: string
  /** Taken on, then called back. */
  readonly cancelled?: string
}

export interface RailUnderTest {
  readonly rail: Rail
  readonly client: RailClient
  readonly payouts: RailCourses
  /** Where the client can collect: its courses. */
  readonly pulls?: RailCourses
}

const start: Instant = Date.parse('2025-10-13T09:00:00Z')
const aYearMs = 365 * 86_400_000
const mostPolls = 1_000

type Outcome = PayoutOutcome | PullOutcome
type Side = 'payout' | 'pull'

/** What every rail client promises, whatever its network is like (architecture 6, 14; accounts 0.4). */
export function runRailContract({ rail, client, payouts, pulls }: RailUnderTest): void {
  describe(`the client of ${rail.id}`, () => {
    it('has the methods that its rail claims', () => {
      const claimed = new Set(rail.capabilities)
      if (claimed.has('PULL')) expect([client.submitPull, client.fetchPull]).not.toContain(undefined)
      if (claimed.has('CANCEL')) expect(client.requestCancel).toBeDefined()
      expect(client.submitPull === undefined).toBe(client.fetchPull === undefined)
      expect(client.submitPull === undefined).toBe(pulls === undefined)
    })

    for (const currency of rail.currencies) {
      describe(`in ${currency}`, () => {
        describeCourses('payout', payouts, currency)
        if (pulls) describeCourses('pull', pulls, currency)

        if (client.requestCancel) {
          it('answers a wish to cancel with yes or no, and the same again', async () => {
            const payment = instruction(currency, payouts.settlesLater ?? payouts.settles)
            await submit('payout', payment, start)
            const answer = await client.requestCancel!(payment, start + 1)
            expect(answer).toBeTypeOf('boolean')
            expect(await client.requestCancel!(payment, start + 2)).toBe(answer)
          })
        }
      })
    }
  })

  function describeCourses(side: Side, courses: RailCourses, currency: string): void {
    const { settles, settlesLater, refused, fails, returns, cancelled } = courses

    it(`settles a ${side} and never takes that back by itself`, async () => {
      const history = await follow(side, instruction(currency, settles))
      expectMonotonic(history)
      expect(history.at(-1)).toEqual({ status: 'SETTLED' })
    })

    it(`takes a ${side} that is submitted twice for one`, async () => {
      const payment = instruction(currency, settles)
      const first = await submit(side, payment, start)
      expect(await submit(side, payment, start)).toEqual(first)
      // A repetition after a crash comes later, and must not start anything over.
      const history = await follow(side, payment)
      const late = await submit(side, payment, start + aYearMs)
      expect(late.status).toBe(first.status)
      expect(await fetch(side, payment, start + aYearMs)).toEqual(history.at(-1))
    })

    if (settlesLater !== undefined) {
      it(`calls a ${side} pending as long as it does not know`, async () => {
        const payment = instruction(currency, settlesLater)
        const submission = await submit(side, payment, start)
        expect(['PENDING', 'ACCEPTED']).toContain(submission.status)
        expect(['PENDING', 'ACCEPTED']).toContain((await fetch(side, payment, start)).status)
        const history = await follow(side, payment)
        expectMonotonic(history)
        expect(history.at(-1)!.status).toBe('SETTLED')
      })
    }
    if (refused) {
      it(`refuses a ${side} in our words, and again when asked again`, async () => {
        const payment = instruction(currency, refused.primaryId)
        const refusal = { status: 'FAILED', reason: refused.reason }
        expect(await submit(side, payment, start)).toMatchObject(refusal)
        expect(await submit(side, payment, start + 1)).toMatchObject(refusal)
      })
    }
    if (fails) {
      it(`fails a ${side} in our words, for good`, async () => {
        const history = await follow(side, instruction(currency, fails.primaryId))
        expectMonotonic(history)
        expect(history.at(-1)).toMatchObject({ status: 'FAILED', reason: fails.reason })
      })
    }
    if (cancelled !== undefined) {
      it(`tells a ${side} that was called back from one that failed`, async () => {
        const history = await follow(side, instruction(currency, cancelled))
        expectMonotonic(history)
        expect(history.at(-1)).toEqual({ status: 'CANCELLED' })
      })
    }
    if (returns !== undefined) {
      it(`says when to look again before a ${side} is returned`, async () => {
        const history = await follow(side, instruction(currency, returns))
        expectMonotonic(history)
        expect(history.map(({ status }) => status).slice(-2)).toEqual(['SETTLED', 'RETURNED'])
      })
    }
  }

  function instruction(currency: string, primaryId: string): PayoutInstruction & PullInstruction {
    // Frozen: what we sent is on record, and a client that changed it would make it untrue.
    return Object.freeze({
      transactionId: `Transaction:${primaryId}`,
      rail: rail.id,
      currency,
      amountMinor: rail.minAmountMinor?.[currency] ?? 10_000n,
      accountType: `${currency}_ACCOUNT`,
      accountInfo: Object.freeze({ accountType: `${currency}_ACCOUNT` }),
      primaryId,
      submittedAt: start,
      flow: 'QUOTE',
      isImmediate: false,
    })
  }

  function submit(side: Side, payment: PayoutInstruction, now: Instant): Promise<Submission> {
    return side === 'payout' ? client.submitPayout(payment, now) : client.submitPull!(payment, now)
  }

  function fetch(side: Side, payment: PayoutInstruction, now: Instant): Promise<Outcome> {
    return side === 'payout' ? client.fetchPayout(payment, now) : client.fetchPull!(payment, now)
  }

  /** Every outcome from submission to the last one, asking whenever the client says to. */
  async function follow(side: Side, payment: PayoutInstruction): Promise<Outcome[]> {
    const submission = await submit(side, payment, start)
    const history: Outcome[] = []
    let next = 'checkAt' in submission ? submission.checkAt : undefined
    for (let now = start; next !== undefined; ) {
      assert(history.length < mostPolls, 'a payment comes to its end')
      now = Math.max(now, next)
      const outcome = await fetch(side, payment, now)
      // Asked twice at one moment, a client has one answer.
      expect(await fetch(side, payment, now)).toEqual(outcome)
      history.push(outcome)
      next = 'checkAt' in outcome ? outcome.checkAt : undefined
      if (next !== undefined) expect(next, 'the next look lies ahead').toBeGreaterThan(now)
    }
    const last = await fetch(side, payment, start + aYearMs)
    expect(last, 'the last outcome stays').toEqual(history.at(-1))
    return history
  }
}

const rank = { PENDING: 0, ACCEPTED: 1, SETTLED: 2, FAILED: 3, RETURNED: 3, CANCELLED: 3 } as const

/** A payment only ever moves on, and only a delivery that may still be returned is not the end. */
function expectMonotonic(history: readonly Outcome[]): void {
  expect(history.length).toBeGreaterThan(0)
  for (const [index, { status }] of history.entries()) {
    const before = history[index - 1]?.status
    if (before === undefined) continue
    expect(rank[status], `${before} then ${status}`).toBeGreaterThanOrEqual(rank[before])
    if (before === 'SETTLED') expect(['SETTLED', 'RETURNED']).toContain(status)
    else expect(rank[before], `nothing follows ${before}`).toBeLessThan(2)
  }
}
