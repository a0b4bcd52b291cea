import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import { createOpenAnswers } from './open-answers.ts'

const event = (name: string) => `event: event\ndata: {"id":"${name}"}\n\n`

/** An open stream whose reader is checked by hand, and whose time passes by hand. */
function open() {
  let now = 0
  const sleeping: (() => void)[] = []
  const checks: ((outcome: Failure | undefined | Error) => void)[] = []
  let sent: Readable | undefined
  const text = new Readable({ read() {} })
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
  sent!.on('data', (data) => (received += data)).on('end', () => (isOver = true))
  return {
    text,
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
