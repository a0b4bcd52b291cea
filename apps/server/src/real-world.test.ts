import { silentLog } from '@corridor/kernel'
import { describe, expect, it } from 'vitest'
import { jsonLog, realWorld, redact } from './real-world.ts'

describe('the real World', () => {
  it('never hands out the same random bytes twice, across refills of its pool', () => {
    const world = realWorld(silentLog)
    const seen = new Set<string>()
    for (let count = 0; count < 2_000; count++) seen.add(Buffer.from(world.randomBytes(10)).toString('hex'))
    expect(seen.size).toBe(2_000)
    expect(world.randomBytes(10_000)).toHaveLength(10_000)
  })

  it('keeps bytes that were handed out untouched by later ones', () => {
    const world = realWorld(silentLog)
    const bytes = world.randomBytes(32)
    const copy = Buffer.from(bytes).toString('hex')
    for (let count = 0; count < 1_000; count++) world.randomBytes(32)
    expect(Buffer.from(bytes).toString('hex')).toBe(copy)
  })

  it('ends a sleep early and quietly when it is called off', async () => {
    const stop = new AbortController()
    const sleeping = realWorld(silentLog).sleep(60_000, stop.signal)
    stop.abort()
    await expect(sleeping).resolves.toBeUndefined()
  })
})

describe('the log', () => {
  it('leaves out secrets and personal data at any depth', () => {
    const line = redact(
      {
        requestId: 'r-1',
        headers: { Authorization: 'Basic abc', 'Service-Wallet-Signature': 's' },
        customers: [{ fullName: 'Greta Lindholm', identifier: '123', id: 'Customer:1' }],
        token: { clientId: 'c', clientSecret: 's3cret' },
        otp: { code: '123456' },
        amountMinor: 100n,
        document: { documentNumber: 'X1', upload: Buffer.from('passport'), content: 'cGFzc3BvcnQ=' },
      },
      0,
    )
    expect(line).toEqual({
      requestId: 'r-1',
      headers: { Authorization: '[redacted]', 'Service-Wallet-Signature': '[redacted]' },
      customers: [{ fullName: '[redacted]', identifier: '[redacted]', id: 'Customer:1' }],
      token: { clientId: 'c', clientSecret: '[redacted]' },
      otp: '[redacted]',
      amountMinor: '100',
      document: { documentNumber: '[redacted]', upload: '[bytes]', content: '[redacted]' },
    })
  })

  it('is redacted whoever writes to it, in lines of JSON', () => {
    const lines: string[] = []
    const log = jsonLog('info', { write: (line) => void lines.push(line) })
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      log[level]({ authorization: 'Basic abc', call: { otp: '123456', revealUrl: 'https://x' } }, 'said')
    }
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      ['info', 'warn', 'error'].map((level) => ({
        level,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        authorization: '[redacted]',
        call: { otp: '[redacted]', revealUrl: '[redacted]' },
        msg: 'said',
      })),
    )
  })

  it('keeps the name, message and stack of an error', () => {
    expect(redact({ error: new TypeError('broken') }, 0)).toMatchObject({
      error: { name: 'TypeError', message: 'broken' },
    })
  })
})
