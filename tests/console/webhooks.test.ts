import { recordWebhooks } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { desktop, findChromium, phone } from '../browser/browser.ts'
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
  console.error('SKIPPED: no Chromium here and none could be installed; pages of webhooks were NOT tested.')
}

const receiver = recordWebhooks()

describe.skipIf(!executable)('webhooks in a browser', () => {
  let at: OpenedConsole
  const pages: Page[] = []
  beforeAll(async () => {
    at = await openConsole(executable!, { network: receiver.network })
  }, 180_000)
  afterAll(async () => {
    await at?.close()
  })
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()))
    expect(at.faults.splice(0)).toEqual([])
  })

  type Platform = Awaited<ReturnType<OpenedConsole['server']['platform']>>
  const emit = (platform: Platform, ...names: string[]) =>
    at.server.commit(platform, {
      events: names.map((name) => ({ type: 'TEST', resourceId: `Thing:${name}`, data: { name } })),
    })
  async function opened(platform: Platform, path: string, size = desktop) {
    const page = await at.openAs(platform, path, size)
    pages.push(page)
    return page
  }

  it('the page says where events go, how that went, and who listens', async () => {
    const platform = await at.server.platform()
    const page = await opened(platform, 'webhooks')
    await page.getByText('No events yet.').waitFor()
    await page.getByText('corridor listen --forward-to localhost:3000/hooks').first().waitFor()
    expect(await page.getByText('% of the latest').count()).toBe(0)

    const inbox = receiver.inbox()
    inbox.answer(({ event }) => (event.data.name === 'bad' ? 500 : 200))
    await at.server.commit(platform, {
      updates: [
        {
          table: 'platform_configs',
          id: `PlatformConfig:${platform.platformId}`,
          set: { webhook_endpoint: inbox.url },
        },
      ],
    })
    await at.server.client(platform).POST('/webhook-listeners', { body: { name: 'lap-1' } })
    await at.server.pass(1)
    await emit(platform, 'good', 'fine', 'bad')
    await at.server.settle()
    await page.reload()
    await page.getByText('took 66.6 % of the latest 3 · p95 0 ms').waitFor()
    const listeners = page.getByRole('list', { name: 'Listeners' })
    await listeners.getByText('lap-1').waitFor()
    await listeners.getByText('3 waiting').waitFor()
    await listeners.getByText('connected').waitFor()
    await page.getByRole('link', { name: 'Edit' }).waitFor()
    await expectAccessible(page, 'webhooks')
    await shoot(page, 'webhooks')

    await page.getByRole('row').filter({ hasText: 'Retrying' }).getByRole('link').first().click()
    await page.getByText('endpoint, attempt 1: answered 500 after 0 ms').waitFor()
    await page.getByText('it verifies the bytes below').waitFor()
    await page.getByRole('heading', { name: 'What your endpoint answered last' }).waitFor()
    await expectAccessible(page, 'a webhook that is tried again')
    await shoot(page, 'webhook')
    const small = await opened(platform, 'webhooks', phone)
    await small.evaluate(`localStorage.setItem('corridor.theme', 'dark')`)
    await small.reload()
    await small.getByText('of the latest 3').waitFor()
    await expectNoSidewaysScroll(small, 'webhooks on a phone')
    await expectAccessible(small, 'webhooks, dark')
    await shoot(small, 'webhooks-phone-dark')
    await goTo(small, new URL(page.url()).pathname)
    await small.getByText('it verifies the bytes below').waitFor()
    await expectNoSidewaysScroll(small, 'a webhook on a phone')
    await shoot(small, 'webhook-phone-dark')
  }, 120_000)

  it('requests say which fields were wrong, and refusals are grouped with them', async () => {
    const platform = await at.server.platform()
    await at.server.client(platform).POST('/quotes', { body: { lockedCurrencyAmount: 'much' } as never })
    const page = await opened(platform, 'requests')
    const refused = page.getByRole('listitem').filter({ hasText: 'INVALID_INPUT · createQuote' })
    await refused.getByText('lockedCurrencyAmount').waitFor()
    await shoot(page, 'requests-refused')
    await page.getByRole('region', { name: 'Requests' }).getByRole('link').first().click()
    await page.getByText('Wrong fields').waitFor()
    await page.getByText('lockedCurrencyAmount').waitFor()
    expect(await page.getByText('much').count()).toBe(0)
    await expectAccessible(page, 'a request that was refused')
    await shoot(page, 'request-refused')
  })
})
