import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@corridor/kernel'
import { createMigratedDatabase, dropWithCopies } from '@corridor/testkit/database.ts'
import { freePort } from '@corridor/testkit/free-port.ts'
import { layMigratedCluster } from '@corridor/testkit/migrated-cluster.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDataDirectory } from '../../apps/server/src/data-directory.ts'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { startInstallation } from '../../apps/server/src/wiring.ts'
import { openBrowser, phone, type TestBrowser } from '../browser/browser.ts'
import { describeInChromium } from '../browser/in-chromium.ts'
import { basic } from '../e2e/raw-calls.ts'
import { sharedForms } from '../inside/shared-forms.ts'
import { expectAccessible, expectNoSidewaysScroll, goTo, openSession, shoot } from './opened-console.ts'

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

describeInChromium('the page of worlds', (executable) => {
  let browser: TestBrowser
  const undo: (() => unknown)[] = []
  beforeAll(async () => {
    browser = await openBrowser(executable)
  })
  afterAll(async () => {
    await browser?.close()
    for (const step of undo.splice(0).reverse()) await step()
  }, 180_000)

  /** A whole installation in this process: forks and snapshots are copies of its own database. */
  async function start(settings: Readonly<Record<string, string>>) {
    const directory = mkdtempSync(join(tmpdir(), 'corridor-worlds-page-'))
    undo.push(() => rmSync(directory, { recursive: true, force: true }))
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const config = readConfig({
      CORRIDOR_DATA_DIR: directory,
      HOST: '127.0.0.1',
      PORT: String(port),
      CORRIDOR_BASE_URL: origin,
      ...(await databaseOf(directory)),
      ...settings,
    })
    const installation = await startInstallation(
      config,
      realWorld(silentLog),
      openDataDirectory(directory),
      sharedForms(config),
    )
    undo.push(() => installation.stop())
    const { platforms } = JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8')) as {
      platforms: { name: string; clientId: string; clientSecret: string }[]
    }
    const authorization = basic(platforms.find(({ name }) => name === 'acme')!)
    return { origin, base: `${origin}/2025-10-13`, authorization }
  }

  async function databaseOf(directory: string): Promise<Record<string, string>> {
    if (!serverUrl) {
      layMigratedCluster(directory)
      return {}
    }
    const name = `corridor_worlds_page_${process.pid}_${undo.length}`
    undo.push(() => dropWithCopies(serverUrl, name))
    return { DATABASE_URL: await createMigratedDatabase(serverUrl, name) }
  }

  async function opened(worlds: 'on' | 'off', more: Readonly<Record<string, string>> = {}) {
    const server = await start({ CORRIDOR_WORLDS: worlds, ...more })
    const page = await browser.page(phone)
    page.setDefaultTimeout(30_000)
    const { base } = await openSession(page, server.origin, server.authorization)
    await page.goto(`${server.origin}${base}/sandbox/worlds`)
    await page.locator('.environment').waitFor()
    return { page, server }
  }

  it('says how a server is started that makes them', async () => {
    const { page } = await opened('off')
    await page.getByText('CORRIDOR_WORLDS=on npm start').waitFor()
    await page.getByText('CORRIDOR_WORLDS needs CORRIDOR_ROLE=all').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await expectAccessible(page, 'no worlds')
    await goTo(page, new URL(page.url()).pathname.replace(/\/worlds$/, ''))
    await page.getByText('This server cannot copy the sandbox.').waitFor()
    await page.getByRole('link', { name: 'How to copy it' }).click()
    await page.getByText('CORRIDOR_WORLDS=on npm start').waitFor()
  }, 120_000)

  it('says of each list that fails, or may not be seen, what to do, and keeps the rest', async () => {
    const { page } = await opened('on')
    const fork = page.getByRole('button', { name: 'Fork', exact: true })
    await fork.waitFor()
    const alerts = page.locator('main [role=alert]')
    for (const list of ['worlds', 'snapshots']) {
      const failing = (url: URL) => url.pathname.endsWith(`/2025-10-13/sandbox/${list}`)
      const code = 'SERVICE_UNAVAILABLE'
      const json = { code, message: 'Not now.', status: 503, details: {} }
      await page.route(failing, (route) =>
        route.fulfill({ status: 503, headers: { 'x-should-retry': 'false' }, json }),
      )
      await page.reload()
      await alerts
        .filter({ hasText: `${code} · 503` })
        .first()
        .waitFor()
      await fork.waitFor()
      await page.unroute(failing)
      await alerts.getByRole('button', { name: 'Try again' }).evaluateAll((all) => {
        for (const each of all) (each as HTMLElement).click()
      })
      await expect.poll(() => alerts.count(), { message: list }).toBe(0)
      const details = { requiredPermission: 'VIEW' }
      const refusal = { code: 'FORBIDDEN', message: 'It is not allowed.', status: 403, details }
      await page.route(failing, (route) => route.fulfill({ status: 403, json: refusal }))
      await page.reload()
      await alerts.getByText('lacks the permission VIEW').first().waitFor()
      await page.unroute(failing)
    }
  }, 120_000)

  it('is summed up on the page of the sandbox, which copies it and makes it what it was; its clock may be frozen', async () => {
    const { page, server } = await opened('on', { CORRIDOR_SEED: '41' })
    await goTo(page, new URL(page.url()).pathname.replace(/\/worlds$/, ''))
    await page.getByText('(frozen)', { exact: true }).waitFor()
    await page.getByText('It moves only on request').waitFor()
    const world = page.locator('section').filter({ has: page.getByRole('heading', { name: 'World' }) })
    await world.getByText('last snapshot start').waitFor()
    await world.getByRole('link', { name: 'no forks' }).waitFor()
    await world.getByRole('button', { name: 'Take the snapshot snapshot-1' }).click()
    await world.getByText('last snapshot snapshot-1').waitFor()
    await world.getByRole('button', { name: 'Create the fork fork-1' }).click()
    await world.getByRole('link', { name: '1 fork' }).waitFor()
    await world.getByRole('button', { name: 'Create the fork fork-2' }).waitFor()
    await page.getByRole('button', { name: '+1 hour' }).click()
    await page.getByText('1 h ahead of real time').waitFor()
    await expectAccessible(page, 'the world on the page of the sandbox')
    await expectNoSidewaysScroll(page, 'the page of the sandbox')
    await shoot(page, 'sandbox-frozen')
    await world.getByRole('button', { name: 'Restore' }).click()
    await world.getByRole('button', { name: 'Restore snapshot-1' }).click()
    await expect
      .poll(
        async () => {
          const clock = await fetch(`${server.base}/sandbox/clock`, {
            headers: { authorization: server.authorization },
          })
          return clock.status === 200 ? await clock.json() : undefined
        },
        { timeout: 30_000 },
      )
      .toMatchObject({ offsetSeconds: 0, isFrozen: true })
    await page.getByText('1 h ahead of real time').waitFor({ state: 'detached' })
  }, 180_000)

  it('forks the sandbox, takes a snapshot, restores it, and removes them', async () => {
    const { page, server } = await opened('on')
    await page.getByText('No forks.').waitFor()
    await page.getByLabel('Fork: its name').fill('Not A Name')
    await page.getByRole('button', { name: 'Fork', exact: true }).click()
    await page.getByRole('alert').getByText('name', { exact: true }).waitFor()
    await page.getByLabel('Fork: its name').fill('test-7')
    await page.getByRole('button', { name: 'Fork', exact: true }).click()
    const address = `${server.origin}/w/test-7`
    const fork = page.getByRole('row').filter({ hasText: address })
    await fork.waitFor()
    const answer = await fetch(`${address}/2025-10-13/config`, {
      headers: { authorization: server.authorization },
    })
    expect(answer.status).toBe(200)
    await page.getByLabel('Take a snapshot: its name').fill('before')
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    const snapshot = page.getByRole('row').filter({ hasText: /^before/ })
    await snapshot.waitFor()
    await expectAccessible(page, 'worlds')
    // Another tab, of what tells no event when it is made.
    const other = await page.context().newPage()
    await other.goto(page.url().replace(/sandbox\/worlds$/, 'settings'))
    await expectNoSidewaysScroll(page, 'worlds on a phone')
    await shoot(page, 'worlds')

    const made = await fetch(`${server.base}/tokens`, {
      method: 'POST',
      headers: { authorization: server.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'later', permissions: ['VIEW'] }),
    })
    expect(made.status).toBe(201)
    const customer = await fetch(`${server.base}/customers`, {
      method: 'POST',
      headers: { authorization: server.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ana Later', currencies: ['USD'] }),
    })
    const { id } = (await customer.json()) as { id: string }
    const gone = await page.context().newPage()
    await gone.goto(page.url().replace(/sandbox\/worlds$/, `customers/${encodeURIComponent(id)}`))
    await gone.getByRole('heading', { level: 1, name: 'Ana Later' }).waitFor()
    // A fork of the snapshot is as it was then, not as it is now.
    await page.getByLabel('Copied from').selectOption('The snapshot before')
    await page.getByLabel('Fork: its name').fill('of-before')
    await page.getByRole('button', { name: 'Fork', exact: true }).click()
    const earlier = page.getByRole('row').filter({ hasText: `${server.origin}/w/of-before` })
    await earlier.waitFor()
    const then = await fetch(`${server.origin}/w/of-before/2025-10-13/tokens`, {
      headers: { authorization: server.authorization },
    })
    expect(then.status).toBe(200)
    expect(await then.text()).not.toContain('later')
    await earlier.getByRole('button', { name: 'Remove' }).click()
    await earlier.getByRole('button', { name: 'Remove of-before for good' }).click()
    await earlier.waitFor({ state: 'detached' })

    await other.reload()
    await other.getByText('later').first().waitFor()
    await other.getByRole('button', { name: '● Live' }).waitFor()
    await snapshot.getByRole('button', { name: 'Restore' }).click()
    await snapshot.getByRole('button', { name: 'Restore before' }).click()
    await expect
      .poll(
        async () => {
          const tokens = await fetch(`${server.base}/tokens`, {
            headers: { authorization: server.authorization },
          })
          return tokens.status === 200 ? await tokens.text() : 'later'
        },
        { timeout: 30_000 },
      )
      .not.toContain('later')
    await expect.poll(() => other.getByText('later').count(), { timeout: 30_000 }).toBe(0)
    // What there is no more does not stay on its page, with what could be done to it.
    await gone.getByRole('heading', { level: 1, name: /^Not found/ }).waitFor()
    await other.close()
    await snapshot.getByRole('button', { name: 'Remove' }).waitFor()
    await fork.getByRole('button', { name: 'Remove' }).click()
    await fork.getByRole('button', { name: 'Remove test-7 for good' }).click()
    await page.getByText('No forks.').waitFor()

    const start = page.getByRole('row').filter({ hasText: /^start/ })
    await start.getByRole('button', { name: 'Restore' }).waitFor()
    expect(await start.getByRole('button', { name: 'Remove' }).count()).toBe(0)
    const tokens = async () => {
      const answer = await fetch(`${server.base}/tokens`, {
        headers: { authorization: server.authorization },
      })
      return answer.status === 200 ? await answer.text() : 'since'
    }
    await fetch(`${server.base}/tokens`, {
      method: 'POST',
      headers: { authorization: server.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'since', permissions: ['VIEW'] }),
    })
    expect(await tokens()).toContain('since')
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'Reset to the start' }).click()
    await expect.poll(tokens, { timeout: 30_000 }).not.toContain('since')
    // Whoever has signed in since the start stays so.
    expect((await page.request.get(`${server.origin}/console/session`)).status()).toBe(200)
    await page.getByText('No forks.').waitFor()
  }, 180_000)

  it('looks into a fork at an address of its own, signed in to the main world', async () => {
    const { page, server } = await opened('on')
    const send = (path: string, world = '', body?: object, method = body ? 'POST' : 'GET') =>
      fetch(`${server.origin}${world}/2025-10-13${path}`, {
        method,
        headers: {
          authorization: server.authorization,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    for (const name of ['test-7', 'other']) {
      expect((await send('/sandbox/worlds', '', { name })).status).toBe(201)
    }
    const main = new URL(page.url()).pathname.replace('/sandbox/worlds', '')
    expect(main).toMatch(/\/sandbox$/)
    const fork = `${main}@test-7`

    // From the page of worlds, into the fork.
    await page.reload()
    await page
      .getByRole('row')
      .filter({ hasText: `${server.origin}/w/test-7` })
      .getByRole('link', { name: 'Open' })
      .click()
    await page.waitForURL(`**${fork}`)
    await page.locator('.worlds summary', { hasText: 'test-7' }).waitFor()
    await expect.poll(() => page.title()).toContain('acme sandbox@test-7')
    await goTo(page, `${fork}/sandbox/scenarios`)
    await page.getByRole('button', { name: 'It arrives' }).click()
    await page.waitForURL(`**${fork}/payments/**`)
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!)
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
    // As programs see it: in the fork alone.
    expect((await send(`/transactions/${id}`, '/w/test-7')).status).toBe(200)
    expect((await send(`/transactions/${id}`)).status).toBe(404)
    await expectAccessible(page, 'a payment of a fork')
    await expectNoSidewaysScroll(page, 'a payment of a fork')
    await page.locator('.worlds summary').click()
    await page
      .locator('.worlds')
      .getByRole('link', { name: /^other/ })
      .waitFor()
    await expectAccessible(page, 'the worlds of the header')
    await shoot(page, 'world-switch')

    // Another world never shows the page of an id, but the list that it is of.
    await page.locator('.worlds').getByRole('link', { name: 'main', exact: true }).click()
    await page.waitForURL(`**${main}/payments`)
    await page.locator('.worlds summary', { hasText: 'main' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/acme sandbox$/)
    // What is not here is said to be there.
    await goTo(page, `${main}/payments/${encodeURIComponent(id)}`)
    await page.getByText('It is in the world test-7').waitFor()
    await page.getByRole('status').getByRole('link', { name: id }).click()
    await page.waitForURL(`**${fork}/payments/**`)
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
    await goTo(page, `${fork}/go/${encodeURIComponent(id)}`)
    await page.waitForURL(`**${fork}/payments/**`)

    // What is copied tells nobody: why a test of an endpoint that is there to be seen finds none.
    await send('/config', '/w/test-7', { webhookEndpoint: 'http://127.0.0.1:9/hooks' }, 'PATCH')
    await goTo(page, `${fork}/webhooks`)
    await page.getByText('This is a fork: it sends no webhooks to the copied endpoint').waitFor()
    await expectAccessible(page, 'webhooks of a fork')

    // Commands and code are for the fork, and a page that is loaded anew is of it as well.
    await page.reload()
    await page.locator('.worlds summary', { hasText: 'test-7' }).waitFor()
    await goTo(page, `${fork}/quotes/new`)
    await page.getByText(`${server.origin}/w/test-7/2025-10-13/quotes`).first().waitFor()

    // Nothing of production is in a world.
    await goTo(page, `${main.replace(/sandbox$/, 'sandbox@Bad!')}/payments`)
    await page.getByText('There is no fork Bad!').waitFor()
    await goTo(page, `${main}@none/payments`)
    await page.getByText('There is no fork none').waitFor()
    await expectAccessible(page, 'a world that is not there')
    await shoot(page, 'no-such-world')

    // A fork that goes while somebody looks at it.
    await goTo(page, `${fork}/payments`)
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    expect((await send('/sandbox/worlds/test-7', '', undefined, 'DELETE')).status).toBe(204)
    await page.getByText('There is no fork test-7').waitFor()
    await page.getByRole('link', { name: 'Go to acme sandbox' }).click()
    await page.waitForURL(`**${main}`)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()

    // Whoever has signed out is out of forks as well.
    await page.request.delete(`${server.origin}/console/session`, {
      headers: { 'x-corridor-console': '1' },
    })
    await page.goto(`${server.origin}${main}@other/payments`)
    await page.getByLabel('Client id').waitFor()
  }, 180_000)
})
