import { assert } from '@corridor/kernel'
import { describe, expect, it } from 'vitest'
import type { WebhookAnswer } from '../../ports/adapters.ts'
import { type AttemptedEvent, decideAfterAttempt, isDelivered, retryDelayMs } from './delivery-policy.ts'

const second = 1_000
const day = 24 * 60 * 60 * second

describe('the pause before a retry', () => {
  it('doubles from 5 seconds to 1,280, then stays at half an hour', () => {
    const schedule = Array.from({ length: 12 }, (_, index) => retryDelayMs(index + 1, 0.5) / second)
    expect(schedule).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800, 1800])
  })

  it.each([
    [1, 0, 4 * second],
    [1, 1, 6 * second],
    [9, 0, 1_024 * second],
    [9, 1, 1_536 * second],
    [10, 0, 1_440 * second],
    [10, 1, 1_800 * second],
    [1_000, 1, 1_800 * second],
  ])('after %i failures with random %d is %i ms', (failures, random, expectedMs) => {
    expect(retryDelayMs(failures, random)).toBe(expectedMs)
  })
})

describe('an attempt', () => {
  it.each<[WebhookAnswer, boolean]>([
    [{ ok: true, status: 200, body: '' }, true],
    [{ ok: true, status: 204, body: '' }, true],
    [{ ok: true, status: 299, body: '' }, true],
    [{ ok: true, status: 409, body: '' }, true],
    [{ ok: true, status: 199, body: '' }, false],
    [{ ok: true, status: 300, body: '' }, false],
    [{ ok: true, status: 302, body: '' }, false],
    [{ ok: true, status: 400, body: '' }, false],
    [{ ok: true, status: 410, body: '' }, false],
    [{ ok: true, status: 500, body: '' }, false],
    [{ ok: false, reason: 'timeout' }, false],
  ])('answered %j delivers: %s', (answer, expected) => {
    expect(isDelivered(answer)).toBe(expected)
  })

  const event: AttemptedEvent = {
    id: 'Webhook:1',
    version: 3n,
    attempts: 0,
    maxAttempts: null,
    createdAt: 1_000_000,
    question: null,
    attemptLog: null,
  }
  const failure: WebhookAnswer = { ok: true, status: 500, body: 'no\u0000' }
  const at = (now: number) => ({ now, random: 0.5 })

  function outcomeOf(attempted: AttemptedEvent, answer: WebhookAnswer, now: number) {
    const { updates, jobs } = decideAfterAttempt(attempted, answer, at(now))
    const [update] = updates ?? []
    assert(update, 'an attempt changes its event')
    return { set: update.set, jobs }
  }

  it('that fails schedules the next one, counted, on the clock of the book', () => {
    const { set, jobs } = outcomeOf({ ...event, attempts: 1 }, failure, 2_000_000)
    expect(set).toMatchObject({ status: 'RETRYING', attempts: 2, due_at: null, last_error: 'HTTP_500' })
    expect(jobs).toEqual([
      {
        kind: 'webhooks.deliver',
        payload: { eventId: 'Webhook:1', attempt: 3 },
        key: 'Webhook:1 3',
        runAt: 2_010_000,
      },
    ])
  })

  it('is listed with those before it, the last twenty', () => {
    const before = Array.from({ length: 20 }, (_, index) => ({
      attempt: index + 1,
      at: '',
      status: 500,
      error: 'x',
    }))
    const { set } = outcomeOf({ ...event, attempts: 20, attemptLog: before }, failure, 2_000_000)
    const log = set.attempt_log as object[]
    expect(log).toHaveLength(20)
    expect(log[0]).toMatchObject({ attempt: 2 })
    expect(log.at(-1)).toEqual({
      attempt: 21,
      at: '1970-01-01T00:33:20.000Z',
      status: 500,
      error: 'HTTP_500',
    })
  })

  it('keeps the answer in a form that the database can store', () => {
    expect(outcomeOf(event, failure, 2_000_000).set).toMatchObject({ last_response: 'no\ufffd' })
  })

  it('that asks something is delivered by an answer that decides it, and its answer is not kept', () => {
    const asking = { ...event, maxAttempts: 1, question: { kind: 'test', payload: {} } }
    for (const status of [200, 202, 403, 422]) {
      const { set } = outcomeOf(asking, { ok: true, status, body: 'about somebody' }, 2_000_000)
      expect(set).toMatchObject({ status: 'DELIVERED', last_status: status, last_response: null })
    }
    for (const status of [204, 301, 409, 500]) {
      const { set } = outcomeOf(asking, { ok: true, status, body: '' }, 2_000_000)
      expect(set).toMatchObject({ status: 'FAILED', last_status: status })
    }
  })

  it('is the last when the event allows no more', () => {
    const { set, jobs } = outcomeOf({ ...event, maxAttempts: 1 }, failure, 2_000_000)
    expect(set).toMatchObject({ status: 'FAILED', attempts: 1, last_status: 500 })
    expect(jobs).toEqual([])
  })

  it('is the last when the next would come more than seven days after the event', () => {
    const end = event.createdAt + 7 * day
    expect(outcomeOf(event, failure, end - 5 * second).set).toMatchObject({ status: 'RETRYING' })
    expect(outcomeOf(event, failure, end - 5 * second + 1).set).toMatchObject({ status: 'FAILED' })
  })

  it('counts only for the version of the event that was claimed', () => {
    const { updates } = decideAfterAttempt(event, failure, at(2_000_000))
    expect(updates).toMatchObject([{ table: 'events', version: 3n, from: ['QUEUED', 'RETRYING'] }])
  })
})
