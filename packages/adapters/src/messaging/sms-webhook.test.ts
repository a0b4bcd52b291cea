import { createHmac } from 'node:crypto'
import { expect, it, test } from 'vitest'
import { smsWebhook } from './sms-webhook.ts'

const secret = 'a-secret-of-the-operator'
const message = { id: 'Message:1', to: '+4915112345678', text: 'Your verification code is 271828.' }
type Answer = { ok: true; status: number; body: string } | { ok: false; reason: string }

function sender(answer: Answer) {
  const sent: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = []
  const webhooks = {
    async send(delivery: (typeof sent)[number]) {
      sent.push(delivery)
      return answer
    },
  }
  const send = smsWebhook({ now: () => 1_760_346_000_500 }, webhooks, {
    url: 'https://sms.larch.example/send',
    secret,
  })
  return { sent, send }
}

it('posts the message with a signature over time and body', async () => {
  const { sent, send } = sender({ ok: true, status: 202, body: '' })
  expect(await send(message)).toEqual({ ok: true })
  const [{ url, headers, body }] = sent as [(typeof sent)[number]]
  expect(url).toBe('https://sms.larch.example/send')
  expect(JSON.parse(body)).toEqual(message)
  const expected = createHmac('sha256', secret).update(`1760346000.${body}`).digest('hex')
  expect(headers['x-corridor-signature']).toBe(`t=1760346000,v1=${expected}`)
  expect(headers['idempotency-key']).toBe('Message:1')
})

test.each([
  [
    { ok: true, status: 422, body: 'no +4915112345678' },
    { ok: false, reason: 'HTTP 422', isFinal: true },
  ],
  [
    { ok: true, status: 401, body: '' },
    { ok: false, reason: 'HTTP 401', isFinal: false },
  ],
  [
    { ok: true, status: 503, body: '' },
    { ok: false, reason: 'HTTP 503', isFinal: false },
  ],
  [
    { ok: true, status: 302, body: '' },
    { ok: false, reason: 'HTTP 302', isFinal: false },
  ],
  [
    { ok: false, reason: 'timeout' },
    { ok: false, reason: 'timeout', isFinal: false },
  ],
] as [Answer, object][])('the answer %j means %j', async (answer, outcome) => {
  expect(await sender(answer).send(message)).toEqual(outcome)
})
