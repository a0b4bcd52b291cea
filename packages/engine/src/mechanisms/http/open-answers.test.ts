import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import { OpenText } from '../../vocabulary/open-text.ts'
import { createOpenAnswers } from './open-answers.ts'

const event = (name: string) => `event: event\ndata: {"id":"${name}"}\n\n`

/** An open stream whose reader is checked by hand, and whose time passes by hand. */
function open({ isStalled = false } = {}) {
  let now = 0
  const sleeping: (() => void)[] = []
  const checks: ((outcome: Failure | undefined | Error) => void)[] = []
  let sent: Readable | undefined
  const text = new OpenText(1_000_000)
  const answers = createOpenAnswers({
    now: () => now,
    sleep: () => new Promise<void>((resolve) => void sleeping.push(resolve)),
    log: { info() {}, warn() {}, error() {} },
  } as never)
  answers.send(
    { method: 'GET' } as FastifyRequest,
    { header() {}, send: (stream: Readable) => (sent = stream) } as unknown as FastifyReply,
    text,
    () =>
      new Promise((resolve, reject) => {
        checks.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      }),
  )
  let received = ''
  let isOver = false
  const errors: Error[] = []
  for (const stream of [text, sent!]) stream.on('error', (error) => errors.push(error))
  const read = () => sent!.on('data', (data) => (received += data)).on('end', () => (isOver = true))
  if (!isStalled) read()
  return {
    text,
    sent: sent!,
    read,
    errors,
    endAll: answers.endAll,
    checks,
    sleeping,
    pass: (ms: number) => (now += ms),
    received: () => received,
    isOver: () => isOver,
  }
}

const settle = async () => {
  for (let count = 0; count < 10; count++) await turn()
}

it.each([
  ['the reader may not read any more', fail('UNAUTHORIZED'), 'event: end'],
  ['a limit stands in the way, which says nothing about the reader', fail('RATE_LIMITED'), 'event: end'],
  ['the check fails', new Error('no database'), ''],
])('drops what was queued during a check when %s', async (_, outcome, last) => {
  const stream = open()
  stream.pass(5_000)
  stream.text.push(event('first'))
  stream.text.push(event('second'))
  await settle()
  stream.text.push(event('third'))
  await settle()
  expect(stream.checks).toHaveLength(1)
  stream.checks[0]!(outcome)
  await settle()
  expect(stream.received()).not.toContain('"id"')
  expect(stream.received()).toContain(last)
  expect(stream.isOver()).toBe(true)
})

it('sends what was queued once the reader is admitted again', async () => {
  const stream = open()
  stream.pass(5_000)
  stream.text.push(event('first'))
  stream.text.push(event('second'))
  await settle()
  stream.checks[0]!(undefined)
  await settle()
  expect(stream.received()).toContain('"first"')
  expect(stream.received()).toContain('"second"')
})

it('checks the reader although nothing happens, and drops what comes meanwhile', async () => {
  const stream = open()
  await settle()
  stream.pass(1_500)
  stream.sleeping[0]!()
  await settle()
  stream.text.push(event('meanwhile'))
  await settle()
  for (const check of stream.checks) check(fail('UNAUTHORIZED'))
  await settle()
  expect(stream.received()).not.toContain('"id"')
  expect(stream.isOver()).toBe(true)
})

it('of a reader that stalls ends without an error, whatever comes afterwards', async () => {
  const stream = open({ isStalled: true })
  for (let index = 0; index < 100; index++) stream.text.push(event(`${'x'.repeat(1_000)} ${index}`))
  await settle()
  stream.endAll()
  stream.pass(15_000)
  for (let beats = 0; beats < 8; beats++) {
    for (const wake of stream.sleeping.splice(0)) wake()
    await settle()
    for (const check of stream.checks.splice(0)) check(undefined)
    await settle()
  }
  stream.read()
  await settle()
  expect(stream.errors).toEqual([])
  expect(stream.isOver()).toBe(true)
})

it('of a reader that stalls keeps no more beats than it takes', async () => {
  const stream = open({ isStalled: true })
  for (let seconds = 0; seconds < 120; seconds += 1.5) {
    stream.pass(1_500)
    for (const wake of stream.sleeping.splice(0)) wake()
    await settle()
    for (const check of stream.checks.splice(0)) check(undefined)
    await settle()
  }
  expect(stream.errors).toEqual([])
  expect(stream.text.readableLength + stream.sent.readableLength).toBeLessThan(60)
})
