import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { silentLog } from '@corridor/kernel'
import { createClient } from '@corridor/sdk/path-client.ts'
import * as kit from '@corridor/testkit/index.ts'
import type { Locator } from 'playwright-core'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { startInstallation } from '../../apps/server/src/wiring.ts'
import { provisionPlatform } from '../../packages/engine/src/platform/platforms/index.ts'
import { freePort } from '../../packages/testkit/src/free-port.ts'
import { environment, startBuilt, until } from './installation.ts'
import { none, type Result } from './result.ts'
import { openVisitors, shoot } from './visitor.ts'

/**
 * Somebody is told at night that something is wrong, and no more: a bank has said nothing for an hour about twenty payments, and an
 * endpoint that was down for as long has missed 7,000 events, of which 270 matter. On an installation of its own.
 */

const silentPayments = 20
const missed = 7_000
const mattering = 270
const atATime = 500
const mostClicks = 25
const mostMs = 5 * 60_000

export async function incidentDrill(executable: string, shots: string | undefined): Promise<Result[]> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-incident-'))
  const port = await freePort()
  const platform = await makeNight(directory, `http://127.0.0.1:${port}/hooks`)
  const { child, origin } = await startBuilt(directory)
  const received: string[] = []
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      received.push((JSON.parse(Buffer.concat(parts).toString()) as { type: string }).type)
      response.end()
    })
  })
  try {
    await makeSilence(createClient({ baseUrl: `${origin}/2025-10-13`, ...platform }))
    const operatorKey = await firstOperatorKey(origin, directory)
    const visitors = await openVisitors({ origin, operatorKey }, executable)
    receiver.listen(port, '127.0.0.1')
    await once(receiver, 'listening')
    try {
      return await drill()
    } finally {
      await visitors.close()
    }

    async function drill(): Promise<Result[]> {
      const page = await visitors.openAs('operator')
      const startedAt = performance.now()
      let clicks = 0
      const click = async (what: Locator) => {
        clicks++
        await what.click()
      }
      const overview = () => click(page.getByRole('link', { name: 'Overview', exact: true }))
      const found: string[] = []
      await shoot(page, shots, 'incident-overview')

      // What is stuck, and contained.
      const row = page
        .getByRole('region', { name: 'Stuck payments' })
        .getByRole('row')
        .filter({ hasText: 'SPEI' })
      await row.getByText(`all ${silentPayments} payments`).waitFor()
      await click(row.getByRole('link', { name: 'Pause payouts on SPEI…' }))
      await click(page.getByLabel('Reason, stored with the decision'))
      await page.keyboard.type('Nothing heard of the bank for an hour')
      await click(page.getByRole('button', { name: 'Pause payouts', exact: true }))
      await click(page.getByRole('button', { name: 'Pause SPEI payouts for all platforms in SANDBOX' }))
      await page.getByText('Paused: no payments are handed over.').waitFor()

      // What was missed; of it what mattered is sent again, once it is known how much that is.
      await overview()
      // With a few of the payments themselves.
      await click(page.getByRole('link', { name: /^7,[0-9]{3} events of Night SANDBOX are waiting/ }))
      const replay = page.locator('section').filter({ hasText: 'Resend the events of a period' })
      const type = replay
        .locator('label')
        .filter({ hasText: /^Event/ })
        .locator('select')
      await click(type)
      await type.selectOption('INVITATION.CLAIMED')
      await click(replay.getByRole('button', { name: 'Count them' }))
      await replay.getByText(`${mattering} would be sent`).waitFor()
      await click(replay.getByRole('button', { name: `Send ${mattering} again` }))
      await click(replay.getByRole('button', { name: `Send ${mattering} events to` }))
      await replay.getByText(' being sent again, until ').waitFor()
      await shoot(page, shots, 'incident-events')
      await until('what mattered is delivered', async () => received.length >= mattering)
      const others = received.filter((type) => type !== 'INVITATION.CLAIMED').length
      if (others > 0) found.push(`${others} events were sent that nobody asked for`)

      // Is the money safe, and what is there to show in the morning?
      await overview()
      await click(page.getByRole('button', { name: 'Check now' }))
      await page.getByText('The audit found no problems.').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        click(page.getByRole('button', { name: 'Export the incident' })),
      ])
      const evidence = JSON.parse(readFileSync((await download.path())!, 'utf8'))
      const ms = performance.now() - startedAt
      await shoot(page, shots, 'incident-over')
      if (evidence.audit.sound !== true) found.push('the file does not say that the ledger is sound')
      if (evidence.pauses.data[0]?.rail !== 'SPEI') found.push('the file does not have the pause')
      if (!evidence.stuck.data.some(({ rail }: { rail: string }) => rail === 'SPEI')) {
        found.push('the file does not have what is stuck')
      }
      if (!(evidence.endpoints.data[0]?.waiting >= missed - mattering)) {
        found.push(`the file says that ${evidence.endpoints.data[0]?.waiting} events wait`)
      }
      return [
        {
          check: `25 found, paused, ${mattering} of ${missed} sent again, proved, exported`,
          measured: `${clicks} clicks, ${Math.round(ms / 1_000)} s`,
          target: `${mostClicks} clicks, ${mostMs / 1_000} s`,
          isReached: clicks <= mostClicks && ms <= mostMs,
        },
        none('25 what the drill did not show, or did besides', found),
      ]
    }
  } finally {
    child.kill()
    receiver.close()
    await Promise.race([once(child, 'exit'), wait(5_000)])
    rmSync(directory, { recursive: true, force: true })
  }
}

/** In this process, before the built server opens the folder: an hour of attempts in vain is written, and not waited for. */
export async function makeNight(directory: string, endpoint: string) {
  const config = {
    ...readConfig({ ...environment, CORRIDOR_DATA_DIR: directory }),
    port: 0,
    host: '127.0.0.1',
  }
  const { engine, stop } = await startInstallation(config, realWorld(silentLog), openDataDirectory(directory))
  const platform = await provisionPlatform(engine, {
    name: 'Night',
    environment: 'SANDBOX',
    isRegulated: true,
    skipPaperwork: true,
  })
  const book = { platformId: platform.platformId, environment: 'SANDBOX' } as const
  const id = `PlatformConfig:${platform.platformId}`
  const scope = await engine.clock.scope(book, { id: 'check', permissions: [] })
  const commit = async (decision: object) => {
    const done = await engine.applier.apply(scope, { ...decision, result: () => null } as never)
    if (!done.ok) throw new Error(done.failure.code)
  }
  // Without an endpoint nothing is sent yet, and so nothing is under way that would be written over.
  for (let first = 0; first < missed; first += atATime) {
    await commit({
      events: Array.from({ length: atATime }, (_, index) => ({
        type: first + index < mattering ? 'INVITATION.CLAIMED' : 'TEST',
        resourceId: `Thing:${first + index}`,
        data: {},
      })),
    })
  }
  await commit({ updates: [{ table: 'platform_configs', id, set: { webhook_endpoint: endpoint } }] })
  // As nine attempts in vain leave them; the tenth is due in the hour that the clock is moved by.
  await engine.database.asLogin((connection) =>
    connection.script(`
      update events set status = 'RETRYING', attempts = 9, due_at = null, last_error = 'CONNECTION_FAILED',
        attempt_log = '[]'
      where platform_id = '${platform.platformId}';
      insert into jobs (platform_id, environment, id, kind, key, payload, run_at, due_at, created_at)
      select platform_id, environment, gen_random_uuid(), 'webhooks.deliver', id || ' 10',
        jsonb_build_object('eventId', id, 'attempt', 10), now() + interval '50 minutes', now() + interval '50 minutes', now()
      from events where platform_id = '${platform.platformId}';`),
  )
  await stop()
  return platform
}

/** Twenty payments that a bank says nothing about, for an hour; what is tried again meanwhile finds nobody. */
export async function makeSilence(api: ReturnType<typeof createClient>): Promise<void> {
  const { id } = await kit.createCustomer(api)
  const account = await kit.internalAccountOf(api, id, 'USD')
  await kit.fund(api, account.id, 1_000_000)
  const payee = await kit.createPayee(api, 'MXN', '646180110400000891', { customerId: id })
  await kit.must(api.POST('/sandbox/faults', { body: { target: 'RAIL', kind: 'SILENCE' } as never }))
  for (let n = 0; n < silentPayments; n++) {
    const quote = await kit.createQuote(api, kit.quoteBody(account, payee, 10_000))
    await kit.must(kit.execute(api, quote.id))
  }
  const { now } = await kit.must(api.GET('/sandbox/clock'))
  const end = Date.parse(now) + 3_660_000
  for (let at = Date.parse(now); at < end; ) {
    // It answers early where much is due on the way.
    const moved = await kit.must(
      api.POST('/sandbox/clock/advance', { body: { seconds: Math.ceil((end - at) / 1_000) } }),
    )
    at = Date.parse(moved.now)
  }
}

/** The key of the first operator. */
export async function firstOperatorKey(origin: string, directory: string): Promise<string> {
  const { operatorJoinCode } = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8'))
  const response = await fetch(`${origin}/operator/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ joinCode: operatorJoinCode }),
  })
  return ((await response.json()) as { key: string }).key
}
