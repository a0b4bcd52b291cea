import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createCustomer, fund, internalAccountOf, operatorKey } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, phone } from '../browser/browser.ts'
import { json } from '../e2e/raw-calls.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type OpenedConsole,
  openConsole,
  shoot,
} from './opened-console.ts'

const executable = findChromium()
if (!executable) {
  console.error(
    'SKIPPED: no Chromium here and none could be installed; the pages of operators were NOT tested.',
  )
}

describe.skipIf(!executable)('the pages of operators', () => {
  let at: OpenedConsole
  const pages: Page[] = []

  beforeAll(async () => {
    at = await openConsole(executable!)
  }, 180_000)
  afterAll(async () => {
    await at?.close()
  })
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()))
    expect(at.faults.splice(0)).toEqual([])
  })

  async function operate(method: string, path: string, body?: object, key = operatorKey) {
    const response = await at.server.fetch(`http://corridor.test/operator${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? json : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return JSON.parse((await response.text()) || '{}') as Record<string, string>
  }

  async function join(joinCode: string): Promise<{ id: string; key: string }> {
    const response = await at.server.fetch('http://corridor.test/operator/join', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ joinCode }),
    })
    return JSON.parse(await response.text())
  }

  async function signIn(page: Page, key: string) {
    await page.getByRole('button', { name: 'With the key of an operator' }).click()
    await page.getByLabel('Key of an operator', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async function openAs(key: string, path = '/operator', size?: { width: number; height: number }) {
    const page = await at.open(path, size)
    pages.push(page)
    await signIn(page, key)
    await page.locator('.environment').getByText('OPERATOR').waitFor()
    return page
  }

  it('sign in with a key that stays nowhere, say whether the money is sound, and stay over a reload', async () => {
    await at.server.platform()
    const page = await openAs(operatorKey)
    await page.getByText('The money is sound.').waitFor()
    await page.getByRole('link', { name: /^0 jobs failed/ }).waitFor()
    await page.reload()
    await page.getByText('The money is sound.').waitFor()
    const kept = await page.evaluate('JSON.stringify([document.cookie, localStorage, sessionStorage])')
    expect(kept).not.toContain(operatorKey)
  })

  it('carry a bar on every page while money does not add up, with what to do', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 100_00)
    const tamper = (minor: number) =>
      at.server.engine.database.asLogin((connection) =>
        connection.script(
          `update ledger_accounts set credits_posted = credits_posted + (${minor}) where id = 'avail:${account.id}'`,
        ),
      )
    const sound = await openAs(operatorKey, '/operator/jobs')
    await sound.locator('header').getByRole('link', { name: 'Sound', exact: true }).waitFor()
    expect(await sound.getByRole('alert').count()).toBe(0)

    await tamper(1)
    try {
      const page = await openAs(operatorKey, '/operator/jobs')
      await page.locator('header').getByRole('link', { name: 'Unsound' }).waitFor()
      const bar = page.getByRole('alert').filter({ hasText: 'The ledger does not add up.' })
      const guide = bar.getByRole('link', { name: 'What to do now' })
      const address = (await guide.getAttribute('href'))!
      expect(address).toMatch(/^\/docs\/guides\//)
      expect([address, existsSync(resolve(import.meta.dirname, `../..${address}.md`))]).toEqual([
        address,
        true,
      ])
      await shoot(page, 'operator-unsound')
      await expectAccessible(page, 'operators, unsound')
      await page.getByRole('link', { name: 'Platforms', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Platforms' }).waitFor()
      await bar.getByRole('link', { name: 'findings' }).click()
      await page.getByText('The money is not sound.').waitFor()

      const theirs = await at.openAs(platform, 'customers', phone)
      pages.push(theirs)
      await theirs.getByRole('alert').getByText('The ledger does not add up.').waitFor()
      await shoot(theirs, 'platform-unsound-phone')
      await expectNoSidewaysScroll(theirs, 'a platform, unsound')
      await expectAccessible(theirs, 'a platform, unsound')
    } finally {
      await tamper(-1)
    }
  })

  it('refuse a wrong key', async () => {
    const page = await at.open('/operator')
    pages.push(page)
    await signIn(page, 'operator_wrong')
    await page.getByRole('alert').waitFor()
    expect(await page.locator('.environment').count()).toBe(0)
  })

  it('lead into a platform and back, also after a reload', async () => {
    const platform = await at.server.platform()
    const page = await openAs(operatorKey, '/operator/platforms')
    const row = page.getByRole('row').filter({ hasText: platform.platformId })
    await row.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/${platform.platformId}/sandbox`)
    await page.reload()
    await page.getByText('No payments yet.').waitFor()
    await page.getByRole('link', { name: 'To the pages of operators' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  it('let another person approve what one has proposed, and say whose role is too low', async () => {
    const first = await join(
      (await operate('POST', '/operators', { name: 'Ann', role: 'ADMINISTRATOR' })).joinCode!,
    )
    const second = await (async () => {
      const made = await operate('POST', '/operators', { name: 'Bob', role: 'ADMINISTRATOR' })
      if (made.joinCode) return join(made.joinCode)
      const { answer } = (await operate(
        'POST',
        `/proposals/${made.id}/approve`,
        undefined,
        first.key,
      )) as never
      return join((answer as { joinCode: string }).joinCode)
    })()
    await operate('POST', '/operators', { name: 'Cleo', role: 'VIEWER' }, first.key)
    const page = await openAs(second.key, '/operator/staff')
    const proposals = page.getByRole('region', { name: 'Proposals' })
    await proposals.getByRole('button', { name: 'Approve' }).first().click()
    await proposals.getByRole('button', { name: 'Approve operatorCreateOperator' }).click()
    const code = await page.getByText('Code of the new account').locator('code').innerText()
    const viewer = await join(code)
    await page.getByRole('region', { name: 'Operators' }).getByText('Cleo').waitFor()

    const limited = await openAs(viewer.key, '/operator/reviews')
    await limited.getByRole('alert').getByText('lacks the permission REVIEWER').waitFor()
  })

  it('show who did what, with filters in the address, and save the chain', async () => {
    const page = await openAs(operatorKey, '/operator/audit-log?operation=openConsoleSession')
    const list = page.getByRole('region', { name: 'Audit log' })
    await list.getByText('openConsoleSession').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the installation' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('audit-log-installation.json')
  })

  it.each(['desktop', 'phone'] as const)(
    'break no rule of accessibility and fit (%s)',
    async (size) => {
      const page = await openAs(operatorKey, '/operator', size === 'phone' ? phone : undefined)
      for (const path of ['', '/platforms', '/reviews', '/jobs', '/suspense', '/audit-log', '/staff']) {
        await goTo(page, `/console/operator${path}`)
        await page.locator('main h1').waitFor()
        await page.locator('main:not(:has(.skeleton))').waitFor()
        await shoot(page, `operator${path.replace('/', '-')}-${size}`)
        await expectAccessible(page, `operator${path}, ${size}`)
        await expectNoSidewaysScroll(page, `operator${path}, ${size}`)
      }
    },
    60_000,
  )
})
