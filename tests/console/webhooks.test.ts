import { recordWebhooks } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { phone } from '../browser/browser.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type Platform,
  shoot,
} from './opened-console.ts'

const receiver = recordWebhooks()

describeConsole('webhooks in a browser', { network: receiver.network }, (at) => {
  const emit = (platform: Platform, ...names: string[]) =>
    at.server.commit(platform, {
      events: names.map((name) => ({
        type: 'TEST',
        resourceId: `Thing:${name}`,
        subjectId: null,
        data: { name },
      })),
    })
  it('the page says where events go, how that went, and who listens', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'webhooks')
    await page.getByText('No events yet.').waitFor()
    await page.getByText('corridor listen --forward-to localhost:3000/hooks').first().waitFor()
    expect(await page.getByText('in 24 h').count()).toBe(0)

    const inbox = receiver.inbox()
    inbox.answer(({ event }, index) =>
      event.data.name === 'bad' ? new Response(`it broke, ${index}`, { status: 500 }) : 200,
    )
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
    await page.getByText('66.6 % of 3 delivered in 24 h · p95 0 ms').waitFor()
    const listeners = page.getByRole('list', { name: 'Listeners' })
    await listeners.getByText('lap-1').waitFor()
    await listeners.getByText('3 waiting').waitFor()
    await listeners.getByText('connected').waitFor()
    await page.getByRole('link', { name: 'Edit' }).waitFor()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await expect.poll(() => page.evaluate('location.hash'), { timeout: 10_000 }).toBe('#keys')
    await expectAccessible(page, 'webhooks')
    await shoot(page, 'webhooks')

    // The TEST event is answered there and then.
    await page.getByRole('button', { name: 'Send TEST' }).first().click()
    await page.getByText(`${inbox.url} answered 200.`).waitFor()

    // One that was taken is sent once more from its row.
    const answered = page.waitForResponse(/\/webhook-events\/[^/]+\/resend$/)
    const taken = page.getByRole('row').filter({ hasText: 'Delivered' }).first()
    await taken.getByRole('button', { name: 'Resend', exact: true }).click()
    expect((await answered).status()).toBe(202)

    // One is told by what it tells of, and says when it is tried again.
    await page.getByLabel('About (id)').fill('Thing:bad')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('1 in all').waitFor()
    await page.getByRole('row').filter({ hasText: 'Retrying' }).getByRole('link').first().click()
    await page.getByText('Next attempt').waitFor()
    await page.getByText('endpoint, attempt 1: answered 500 after 0 ms').waitFor()
    await page.getByText('public key verifies the bytes below').waitFor()
    await page.getByRole('heading', { name: 'Last response of your endpoint' }).waitFor()
    await expectAccessible(page, 'a webhook that is tried again')
    // What was sent, byte for byte, and how the next attempt differs from it.
    await at.server.advance(platform, 20_000)
    await at.server.settle()
    const attempts = page.getByRole('listitem').filter({ hasText: 'endpoint, attempt' })
    await attempts.nth(1).waitFor()
    // Each says what its time went into and what was answered, and how that was different before.
    for (const index of [0, 1]) {
      await attempts.nth(index).getByText('DNS 0 ms · connect 0 ms · TLS 0 ms · wait 0 ms').waitFor()
      await attempts
        .nth(index)
        .getByText(/^Response, \d+ bytes$/)
        .click()
      await attempts
        .nth(index)
        .locator('pre')
        .filter({ hasText: /^it broke, \d$/ })
        .waitFor()
    }
    await attempts.nth(1).getByText('Request', { exact: true }).click()
    const [sent] = inbox.received.filter(({ event }) => event.data.name === 'bad')
    await attempts.nth(1).getByText(sent!.body).waitFor()
    await attempts.nth(1).getByText(`X-Webhook-Id: ${sent!.event.id}`).waitFor()
    const changed = attempts.nth(1).locator('dl > div').filter({ hasText: 'X-Webhook-Attempt' })
    expect(await changed.locator('del').innerText()).toBe('1')
    expect(await changed.locator('ins').innerText()).toBe('2')
    const answers = attempts.nth(1).locator('dl > div').filter({ hasText: 'it broke' })
    expect(await answers.locator('del').innerText()).not.toBe(await answers.locator('ins').innerText())
    await page.getByText(/^Exactly as it is sent, \d+ bytes$/).click()
    await page.getByRole('button', { name: 'Copy the exact bytes' }).waitFor()
    await expectAccessible(page, 'the attempts of a webhook')
    await shoot(page, 'webhook')
    const small = await at.openAs(platform, 'webhooks', phone)
    await small.evaluate(`localStorage.setItem('corridor.theme', 'dark')`)
    await small.reload()
    await small.getByText('in 24 h').waitFor()
    await expectNoSidewaysScroll(small, 'webhooks on a phone')
    await expectAccessible(small, 'webhooks, dark')
    await shoot(small, 'webhooks-phone-dark')
    await page.getByRole('link', { name: 'Open page' }).click()
    await page.waitForURL(/webhooks\/Webhook/)
    await goTo(small, new URL(page.url()).pathname)
    await small.getByText('public key verifies the bytes below').waitFor()
    await expectNoSidewaysScroll(small, 'a webhook on a phone')
    await shoot(small, 'webhook-phone-dark')
  }, 120_000)

  it('a row says how each attempt went, and when of the last day events were not taken leads to these', async () => {
    const platform = await at.server.platform()
    const inbox = receiver.inbox()
    let answered = 0
    inbox.answer(({ event }) => (event.data.name === 'late' && ++answered < 3 ? 503 : 200))
    await at.server.commit(platform, {
      updates: [
        {
          table: 'platform_configs',
          id: `PlatformConfig:${platform.platformId}`,
          set: { webhook_endpoint: inbox.url },
        },
      ],
    })
    await emit(platform, 'late')
    for (const ms of [0, 10_000, 20_000]) {
      await at.server.advance(platform, ms)
      await at.server.settle()
    }
    const page = await at.openAs(platform, 'webhooks')
    const marks = page.getByRole('row').filter({ hasText: 'Thing' }).locator('span.attempts > *')
    await marks.first().waitFor()
    const said = (await marks.allTextContents()).map((text) => text.replace(/(not )?taken: /, ''))
    expect(said).toEqual(['✕503', '✕503', '✓200', '0 ms'])
    expect(await marks.first().getAttribute('title')).toMatch(/^\d{4}-.*Z: answered 503$/)
    await page.getByText('100.0 % of 1 delivered in 24 h').waitFor()
    expect(await page.locator('figure.bars').count()).toBe(0)

    // What is not taken is counted where it happened: five hours ago, and now.
    inbox.answer(() => 500)
    await emit(platform, 'old')
    await at.server.settle()
    await at.server.advance(platform, 5 * 3_600_000)
    await at.server.settle()
    await emit(platform, 'new', 'newer')
    await at.server.settle()
    await page.reload()
    const bars = page.locator('figure.bars')
    await bars.getByText('Not delivered in the last day: 3').waitFor()
    const links = bars.getByRole('link')
    // They are asked for anew, and gone until then, whenever the page has looked at the clock.
    await expect
      .poll(() => links.allTextContents())
      .toEqual([
        expect.stringMatching(/^11 not delivered since /),
        expect.stringMatching(/^22 not delivered since /),
      ])
    await expect.poll(() => bars.getByRole('listitem').count()).toBe(12)
    const long = page.getByRole('row').filter({ hasText: '+' }).first()
    // The list comes by itself.
    await expect.poll(() => long.locator('.attempts .missed').count()).toBe(3)
    await expectAccessible(page, 'webhooks that were not taken')
    await shoot(page, 'webhooks-missed')
    await links.first().click()
    // The one that was taken at last is of these two hours as well.
    await page.getByText('2 in all').waitFor()
    expect(new URL(page.url()).searchParams.has('createdBefore')).toBe(true)
    await page.getByRole('row').filter({ hasText: 'Retrying' }).waitFor()
    const small = await at.openAs(platform, 'webhooks', phone)
    await small.evaluate(`localStorage.setItem('corridor.theme', 'dark')`)
    await small.reload()
    await small.locator('figure.bars').waitFor()
    await expectNoSidewaysScroll(small, 'webhooks that were not taken, on a phone')
    await expectAccessible(small, 'webhooks that were not taken, dark')
    await shoot(small, 'webhooks-missed-phone-dark')
  }, 120_000)

  it('what was missed is counted, sent again at a rate, and shown on its way', async () => {
    const platform = await at.server.platform()
    const inbox = receiver.inbox()
    await at.server.commit(platform, {
      updates: [
        {
          table: 'platform_configs',
          id: `PlatformConfig:${platform.platformId}`,
          set: { webhook_endpoint: inbox.url },
        },
      ],
    })
    await emit(platform, 'a', 'b', 'c')
    await at.server.settle()
    const from = new Date((await at.server.now(platform)) - 60_000).toISOString()
    const page = await at.openAs(platform, `webhooks?createdAfter=${from}`)
    const pace = page.getByLabel('Maximum per second')
    await pace.fill('0')
    const count = page.getByRole('button', { name: 'How many payments?' })
    await expect.poll(() => count.isDisabled()).toBe(true)
    await pace.fill('1')
    await count.click()
    await page.getByText('3 match.').waitFor()
    await page.getByRole('button', { name: 'Send 3 events again' }).click()
    await page.getByRole('button', { name: 'Yes, send 3 again' }).click()
    // One a second, on the clock of the sandbox.
    await page.getByText('the last one is due').waitFor()
    await shoot(page, 'webhooks-replay')
    await expectAccessible(page, 'webhooks on their way again')
    await at.server.advance(platform, 3_000)
    await at.server.settle()
    await page.getByText('3 of 3 resent').waitFor()
    await page.getByText('100.0 % of 3 delivered in 24 h').waitFor()
    expect(inbox.received).toHaveLength(6)
    // What was counted with other filters is not offered any more, and one thing's are those of that thing alone.
    await page.getByLabel('About (id)').fill('Thing:b')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText('3 of 3 resent').waitFor({ state: 'detached' })
    await count.click()
    await page.getByText('One matches.').waitFor()
    await page.getByLabel('Result').selectOption('RETRYING')
    await page.getByText('Events in progress are sent automatically.').waitFor()
  }, 120_000)

  it('requests say which fields were wrong, and refusals are grouped with them', async () => {
    const platform = await at.server.platform()
    await at.server.client(platform).POST('/quotes', { body: { lockedCurrencyAmount: 'much' } as never })
    const page = await at.openAs(platform, 'requests')
    const refused = page.getByRole('listitem').filter({ hasText: 'INVALID_INPUT · createQuote' })
    await refused.getByText('lockedCurrencyAmount').waitFor()
    await shoot(page, 'requests-refused')
    await page.getByRole('region', { name: 'Requests' }).getByRole('link').first().click()
    const request = page.getByRole('region', { name: 'Details of' })
    await request.getByText('Wrong fields').waitFor()
    await request.getByText('lockedCurrencyAmount').waitFor()
    expect(await page.getByText('much').count()).toBe(0)
    await expectAccessible(page, 'a request that was refused')
    await shoot(page, 'request-refused')
  })
})
