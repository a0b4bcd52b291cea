import { offlineRates } from '@corridor/adapters/rates/offline.ts'
import type { RateSource } from '@corridor/engine/ports/adapters.ts'
import { startTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'

it('answers 503 when a command takes too long, and goes on serving the connection', async () => {
  let isHeld = false
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const rates: RateSource = {
    ...offlineRates,
    async snapshot(now) {
      if (isHeld) await held
      return offlineRates.snapshot(now)
    },
  }
  const server = await startTestServer({ rates: () => rates, answerTimeoutMs: () => (isHeld ? 20 : 60_000) })
  try {
    const { clientId, clientSecret } = await server.platform()
    const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
    const address = `${await server.listen()}/2025-10-13`
    const ask = (path: string) => fetch(address + path, { headers: { authorization } })
    const rate = '/exchange-rates?sourceCurrency=USD&destinationCurrency=EUR'

    isHeld = true
    const late = await ask(rate)
    expect(late.status).toBe(503)
    expect(late.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await late.json()).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })

    // The command ends after all; its answer has nowhere to go and does no harm.
    isHeld = false
    release()
    expect((await ask(rate)).status).toBe(200)
    expect((await ask('/tokens')).status).toBe(200)
  } finally {
    await server.close()
  }
})
