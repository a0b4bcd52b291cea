import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Corridor } from '@corridor/sdk/index.ts'
import { type RunningCorridor, startCorridor } from '@corridor/sdk/testing/index.ts'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { freePort } from '@corridor/testkit/free-port.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const server = join(root, 'apps/server/dist/main.js')
const startTimeoutMs = 120_000

let corridor: RunningCorridor
const running: ChildProcess[] = []

beforeAll(async () => {
  buildServer()
  corridor = await startCorridor({ program: server, startTimeoutMs })
}, 300_000)
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await corridor?.stop()
})

function start(name: string, { more = {}, flags = [] }: { more?: object; flags?: string[] } = {}) {
  const { clientId, clientSecret } = corridor.platforms.find((platform) => platform.name === 'acme')!
  const child = spawn(process.execPath, ['--import', 'tsx', ...flags, join(root, 'examples', name)], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      CORRIDOR_BASE_URL: corridor.baseUrl,
      CORRIDOR_CLIENT_ID: clientId,
      CORRIDOR_CLIENT_SECRET: clientSecret,
      ...more,
    },
    stdio: 'pipe',
  })
  running.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return {
    output: () => output,
    ended: once(child, 'close').then(([code]) => ({ code, output })),
    /** Waits for a line; fails with what came instead. */
    shows: (text: string) => expect.poll(() => output, { timeout: 30_000, message: name }).toContain(text),
    stop: () => child.kill('SIGKILL'),
  }
}

describe('examples', { timeout: 180_000 }, () => {
  it('payout.ts pays, in thirty lines of code', async () => {
    expect(await start('payout.ts').ended).toEqual({
      code: 0,
      output: 'COMPLETED: Diego received 9,054.50 MXN\n',
    })
    const code = readFileSync(join(root, 'examples/payout.ts'), 'utf8')
    expect(
      code.split('\n').filter((line) => !/^\s*($|\/\*\*|[})\]]+;?$)/.test(line)).length,
    ).toBeLessThanOrEqual(30)
  })

  it('marketplace.ts verifies and pays ten sellers', async () => {
    const { code, output } = await start('marketplace.ts').ended
    expect(output.split('\n').filter((line) => line.endsWith('MXN COMPLETED'))).toHaveLength(10)
    expect(output).toContain('paid 10 of 10')
    expect(code).toBe(0)
  })

  it('marketplace.ts pays nobody twice when it is run again', async () => {
    const { baseUrl, clientId, clientSecret } = {
      ...corridor,
      ...corridor.platforms.find((platform) => platform.name === 'acme')!,
    }
    const client = new Corridor({ baseUrl, clientId, clientSecret })
    const paid = async () => (await client.transactions.list({ type: 'OUTGOING' })).totalCount
    const before = await paid()
    const { output } = await start('marketplace.ts').ended
    expect(output).toContain('paid 10 of 10')
    expect(await paid()).toBe(before)
  })

  it('clock.test.ts passes, on a Corridor of its own', async () => {
    const { code, output } = await start('clock.test.ts', {
      more: { CORRIDOR_SERVER: server },
      flags: ['--test'],
    }).ended
    expect(output).toMatch(/pass 2\n/)
    expect(code).toBe(0)
  })

  it.each(['webhooks.ts', 'webhooks-express.ts'])(
    '%s takes what is signed, once, and nothing else',
    async (name) => {
      const port = await freePort()
      const receiver = start(name, { more: { PORT: String(port) } })
      await receiver.shows(`listening on ${port}`)
      const url = `http://localhost:${port}/webhooks`
      const { response_status: status } = await corridor.client.sandbox.webhooks.test({ body: { url } })
      expect(status).toBe(200)
      await receiver.shows('TEST')
      const forged = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-service-signature': 'MAYCAQECAQE=' },
        body: '{"id":"Webhook:1","type":"OUTGOING_PAYMENT.COMPLETED"}',
      })
      expect(forged.status).toBe(401)
      expect(receiver.output()).not.toContain('OUTGOING_PAYMENT')
      receiver.stop()
    },
  )
})
