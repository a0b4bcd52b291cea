import {
  challengeMachine,
  lockMachine,
  loginMachine,
  resetMachine,
} from '@corridor/engine/access/sca/index.ts'
import { trustMachine } from '@corridor/engine/money/external-accounts/machine.ts'
import { step } from '@corridor/kernel'
import { openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { minuteMs, type ScaApi, scaApi } from '../e2e/sca-api.ts'
import { operatorCall } from '../e2e/sca-operator.ts'

/** Every pair of a state and a trigger of every machine, brought about through the API, as its table says. */

const server = await openTestServer()

interface Answer {
  readonly status: number
  readonly body?: { readonly code?: string; readonly [name: string]: unknown }
}

function pairsOf<S extends string, E extends string>(machine: {
  readonly states: Readonly<Record<S, string>>
  readonly transitions: readonly { readonly on: E }[]
}): (readonly [S, E])[] {
  const events = [...new Set(machine.transitions.map(({ on }) => on))]
  return (Object.keys(machine.states) as S[]).flatMap((state) => events.map((on) => [state, on] as const))
}

const code = '123456'
const wrong = '000000'
const pass = (ms: number) => server.pass(ms)

describe('the machine of logins', () => {
  type State = keyof typeof loginMachine.states
  async function bring(state: State) {
    const known = await scaApi(server)
    const { calls, customer } = known
    let challengeId = 'ScaChallenge:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    const complete = (given: string) =>
      calls.completeLogin(customer.id, { factor: 'SMS_OTP', challengeId, code: given })
    const start = async () => {
      const started = await calls.startLogin(customer.id)
      challengeId = started.body.challengeId
      return started
    }
    if (state !== 'NONE') await start()
    if (state === 'SESSION') await complete(code)
    const fire = {
      start,
      prove: () => complete(code),
      fail: () => complete(wrong),
      revoke: () => calls.recordEvent(customer.id, 'RESET_PASSWORD_COMPLETED'),
    }
    return { ...known, fire }
  }
  async function isIn({ calls, held }: ScaApi): Promise<boolean> {
    const { id } = await held(1_000)
    const answer = await calls.authorize(id, { code: wrong })
    return answer.body.code !== 'SCA_SESSION_REQUIRED'
  }

  it.each(pairsOf(loginMachine))('in %s on %s', async (state, on) => {
    const known = await bring(state)
    const answer: Answer = await known.fire[on]()
    const next = step(loginMachine, state, on)
    if (next.ok) expect(answer.status).toBe(on === 'fail' ? 400 : 200)
    else expect(answer).toMatchObject({ status: 400, body: { code: next.refusal } })
    // A new login does not end the session there is.
    const expected = next.ok
      ? next.to === 'SESSION' || (state === 'SESSION' && on === 'start')
      : state === 'SESSION'
    expect(await isIn(known)).toBe(expected)
    await pass(5 * minuteMs)
  })
})

describe('the machine of locks', () => {
  type State = keyof typeof lockMachine.states
  type Event = (typeof lockMachine)['transitions'][number]['on']
  /** How many failures lead there, and how many more the trigger takes. */
  const failures: Record<State, number> = { OPEN: 0, LOCKED: 5, SUSPENDED: 9 }

  it.each(pairsOf(lockMachine))('in %s on %s', async (state: State, on: Event) => {
    const { calls, customer, logIn } = await scaApi(server)
    const fail = () => calls.recordEvent(customer.id, 'FAILED_LOGIN_ATTEMPT')
    for (let count = 0; count < failures[state]; count++) await fail()
    const stateNow = async (): Promise<State> => {
      await calls.startLogin(customer.id)
      const { status, body } = await calls.completeLogin(customer.id, { factor: 'TOTP', code })
      if (status !== 423) return 'OPEN'
      return body.details.suspended ? 'SUSPENDED' : 'LOCKED'
    }
    expect(await stateNow()).toBe(state)
    const failUpTo = async (most: number): Promise<Answer> => {
      let last: Answer = await fail()
      for (let count = failures[state] + 1; count < most && last.status === 200; count++) last = await fail()
      return last
    }
    const fire: Record<Event, () => Promise<Answer>> = {
      fail: () => fail(),
      failTooOften: () => failUpTo(Math.max(5, failures[state] + 1)),
      failForTheLastTime: () => failUpTo(9),
      timeOut: async () => {
        await pass(24 * 60 * minuteMs)
        return { status: 200 }
      },
      prove: async () => {
        const { body } = await calls.startLogin(customer.id)
        return calls.completeLogin(customer.id, { factor: 'SMS_OTP', challengeId: body.challengeId, code })
      },
      resetPassword: () => calls.recordEvent(customer.id, 'RESET_PASSWORD_COMPLETED'),
    }
    const answer = await fire[on]()
    const next = step(lockMachine, state, on)
    // Failures while locked count on: what is `fail` to an open customer is `failTooOften` to a locked one.
    const isCounted = state === 'LOCKED' && on === 'fail'
    if (next.ok || isCounted) expect(answer.status).toBe(200)
    else if (on === 'timeOut') expect(answer.status).toBe(200)
    else expect(answer).toMatchObject({ status: 423, body: { code: next.refusal } })
    expect(await stateNow()).toBe(next.ok ? next.to : state)
    if (on === 'resetPassword') await logIn()
  })
})

describe('the machine of challenges', () => {
  type State = keyof typeof challengeMachine.states
  type Event = (typeof challengeMachine)['transitions'][number]['on']

  /** Challenges of trust can be replaced, those of payments resent; each state by the kind that reaches it. */
  it.each(pairsOf(challengeMachine))('in %s on %s', async (state: State, on: Event) => {
    const { calls, payee, held, logIn } = await scaApi(server)
    await logIn()
    const isReplaced = state === 'REPLACED' || on === 'replace'
    const quote = isReplaced ? undefined : await held(1_000)
    const first = isReplaced ? (await calls.trust(payee.id)).body.scaChallenge.id : ''
    const answer = (given: string) =>
      quote
        ? calls.authorize(quote.id, { code: given })
        : calls.confirmTrust(payee.id, { challengeId: first, code: given })
    if (state === 'ACCEPTED') await answer(code)
    if (state === 'REPLACED') await calls.trust(payee.id)
    if (state === 'EXPIRED') await pass(5 * minuteMs)
    const fire: Record<Event, () => Promise<Answer>> = {
      accept: () => answer(code),
      refuse: () => answer(wrong),
      resend: () => (quote ? calls.resend(quote.id) : answer(code)),
      replace: () => calls.trust(payee.id),
      expire: async () => {
        await pass(5 * minuteMs)
        return answer(code)
      },
    }
    const fired = await fire[on]()
    const next = step(challengeMachine, state, on)
    const accepts = { accept: 200, refuse: 400, resend: 204, replace: 200, expire: quote ? 409 : 400 }
    if (next.ok || on === 'replace') expect(fired.status).toBe(accepts[on])
    // A payment that waits for nothing is a conflict; a challenge of trust that is not the last one is no challenge.
    else expect(fired).toMatchObject(quote ? { status: 409, body: { code: next.refusal } } : { status: 400 })
    const isPending = next.ok && next.to === 'PENDING'
    expect((await answer(code)).status === 200).toBe(isPending)
    await server.pass(5 * minuteMs)
  })
})

describe('the machine of resets', () => {
  type State = keyof typeof resetMachine.states
  type Event = (typeof resetMachine)['transitions'][number]['on']

  it.each(pairsOf(resetMachine))('in %s on %s', async (state: State, on: Event) => {
    // The name decides what the second read finds out.
    const isReviewed = state === 'PENDING_REVIEW' || (state === 'INITIATED' && on === 'review')
    const isRefused = state === 'REJECTED' || (state === 'INITIATED' && on === 'reject')
    const ending = isReviewed ? '001' : isRefused ? '002' : ''
    const { calls, customer } = await scaApi(server, { customer: { fullName: `Lena Vogt${ending}` } })
    const { body } = await calls.startReset(customer.id, 'SMS_OTP')
    const id = body.resetId as string
    const read = () => calls.readReset(customer.id, id)
    const complete = () =>
      calls.completeReset(customer.id, id, { mobile: { countryCode: '+49', number: '15112345678' } })
    const expire = async (): Promise<Answer> => {
      await pass(30 * minuteMs)
      return { status: 200 }
    }
    await read()
    if (state === 'EXPIRED') await expire()
    else if (state !== 'INITIATED') await read()
    if (state === 'COMPLETED') await complete()
    const statusNow = async () => (await calls.readReset(customer.id, id)).body.status

    const isFoundOut = state === 'INITIATED' && ['pass', 'review', 'reject'].includes(on)
    const review = (verdict: string) => operatorCall(server, 'POST', `/operator/sca-resets/${id}/${verdict}`)
    const fire: Record<Event, () => Promise<Answer>> = {
      pass: () => (isFoundOut ? read() : review('approve')),
      review: () => read(),
      reject: () => (isFoundOut ? read() : review('reject')),
      complete,
      expire,
    }
    if (!isFoundOut && state !== 'INITIATED') expect(await statusNow()).toBe(state)
    const fired = await fire[on]()
    const next = step(resetMachine, state, on)
    if (next.ok) expect(fired.status).toBe(on === 'complete' ? 204 : 200)
    else if (on === 'complete') expect(fired).toMatchObject({ status: 400, body: { code: next.refusal } })
    else if (on === 'pass' || on === 'reject') expect(fired.status).toBe(409)
    const expected = next.ok ? next.to : state
    // A read of an INITIATED one would find something out.
    if (expected !== 'INITIATED') expect(await statusNow()).toBe(expected)
  })
})

describe('the machine of trust', () => {
  type State = keyof typeof trustMachine.states
  type Event = (typeof trustMachine)['transitions'][number]['on']
  const pairs = pairsOf(trustMachine).flatMap(([state, on]) =>
    [true, false].map((was) => [state, on, was] as const),
  )

  it.each(pairs)('in %s on %s, where trusted was %s', async (state: State, on: Event, wasTrusted) => {
    const { calls, payee } = await scaApi(server)
    let challengeId = 'ScaChallenge:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    const fire: Record<Event, () => Promise<Answer>> = {
      startTrust: async () => {
        const asked = await calls.trust(payee.id)
        challengeId = asked.body.scaChallenge.id
        return asked
      },
      startUntrust: async () => {
        const asked = await calls.untrust(payee.id)
        challengeId = asked.body.scaChallenge.id
        return asked
      },
      confirmTrust: () => calls.confirmTrust(payee.id, { challengeId, code }),
      confirmUntrust: () => calls.confirmUntrust(payee.id, { challengeId, code }),
    }
    if (wasTrusted) {
      await fire.startTrust()
      await fire.confirmTrust()
    }
    if (state === 'TRUST_ASKED') await fire.startTrust()
    if (state === 'UNTRUST_ASKED') await fire.startUntrust()
    const answer = await fire[on]()
    const next = step(trustMachine, state, on)
    if (!next.ok) expect(answer).toMatchObject({ status: 400, body: { code: next.refusal } })
    const isConfirmed = next.ok && on.startsWith('confirm')
    const isTrusted = isConfirmed ? on === 'confirmTrust' : wasTrusted
    if (next.ok)
      expect(answer).toMatchObject(
        isConfirmed ? { status: 200, body: { trusted: isTrusted } } : { status: 200 },
      )
    expect((await calls.deleteAccount(payee.id)).status).toBe(isTrusted ? 409 : 204)
  })
})
