import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  operatorKey,
  quoteBody,
  recordWebhooks,
} from '@corridor/testkit/index.ts'
import { beforeAll, expect, it } from 'vitest'
import { desktop, phone } from '../browser/browser.ts'
import { operate } from '../e2e/onboarding.ts'
import { clabe } from '../e2e/payment-api.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type Platform,
  shoot,
} from './opened-console.ts'

const receiver = recordWebhooks()
const weekMs = 7 * 86_400_000

/** Whether what operators read is what it says: times, names, and what became of what they did. */
describeConsole('what operators read', { network: receiver.network }, (at) => {
  let platform: Platform
  let name: string

  /** A platform a week ahead of the world, of which a payment is stuck, and whose endpoint is down. */
  beforeAll(async () => {
    at.server.world.passMs(Date.now() - at.server.world.now())
    platform = await at.server.platform()
    const { body } = await operate(at.server, 'GET', '/platforms')
    name = body.data.find(({ id }: { id: string }) => id === platform.platformId).name
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 1_000_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: id })
    await must(api.POST('/sandbox/faults', { body: { target: 'RAIL', kind: 'SILENCE' } as never }))
    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    await execute(api, quote.id)
    await at.server.settle()
    const inbox = receiver.inbox()
    inbox.answer(() => 503)
    await at.server.commit(platform, {
      updates: [
        {
          table: 'platform_configs',
          id: `PlatformConfig:${platform.platformId}`,
          set: { webhook_endpoint: inbox.url },
        },
      ],
    })
    await emit(3)
    await at.server.settle()
    await at.server.engine.clock.raiseTo(platform, at.server.world.now() + weekMs)
    await emit(2)
    await at.server.settle()
  }, 240_000)

  const emit = (count: number) =>
    at.server.commit(platform, {
      events: Array.from({ length: count }, () => ({
        type: 'INCOMING_PAYMENT.COMPLETED',
        resourceId: 'Thing:a',
        subjectId: null,
        data: {},
      })),
    })

  const signedIn = (path: string, { size = desktop, key = operatorKey } = {}) =>
    at.openAsOperator(path, { key, size })

  it('takes moments of a sandbox for what its own clock says, and counts the last day by it', async () => {
    const page = await signedIn('/operator')
    const there = /^In the sandbox: .*\nOutside, with the clock as it is now: /
    const row = page
      .getByRole('region', { name: 'Stuck payments' })
      .getByRole('row')
      .filter({ hasText: name })
    const expected = row.locator('time').first()
    await expected.locator('.icon').waitFor()
    expect(await expected.getAttribute('title')).toMatch(there)
    await page.getByText('On the sandbox clock, which may have been moved.').first().waitFor()
    const waiting = page.getByRole('listitem').filter({ hasText: `of ${name} SANDBOX are waiting` })
    expect(await waiting.locator('time').first().getAttribute('title')).toMatch(there)
    // What was checked just now was checked in the real world.
    expect(await page.locator('.story time').first().getAttribute('title')).not.toMatch(there)
    await shoot(page, 'operator-sandbox-clock')
    await expectAccessible(page, 'operator, a clock that was moved')

    await waiting.getByRole('link').first().click()
    const replay = page.locator('section').filter({ hasText: 'Resend the events of a period' })
    await replay.getByRole('button', { name: 'Count them' }).click()
    await replay.getByText('2 would be sent, with the same ids and bytes.').waitFor()
    const list = page.getByRole('region', { name: 'Retried automatically' })
    await list.getByRole('columnheader', { name: 'Happened' }).locator('.icon').waitFor()
    await shoot(page, 'operator-events-types')
  }, 60_000)

  /** An operator with an account, whose key is the answer. */
  async function hire(hired: string): Promise<{ id: string; key: string }> {
    const { body } = await operate(at.server, 'POST', '/operators', { name: hired, role: 'ADMINISTRATOR' })
    const joined = await at.server.fetch('http://corridor.test/operator/join', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ joinCode: body.joinCode }),
    })
    return (await joined.json()) as { id: string; key: string }
  }

  it('names who did what, whose session is one’s own, and whose clock and key it is', async () => {
    const { id, key } = await hire('Ann Berg')
    const ids = { platform: platform.platformId, end: platform.platformId.slice(-6) }
    const page = await signedIn('/operator/staff', { key })
    const sessions = page.getByRole('region', { name: 'Sessions' })
    const own = sessions.getByRole('row').filter({ hasText: '(this one)' })
    await own.getByText('Ann Berg').waitFor()
    expect(await own.count()).toBe(1)
    expect(await own.locator(`[title="${id}"]`).count()).toBe(1)
    // The key of an account is good for months: past the end of the year it says of which year.
    const until = page
      .getByRole('region', { name: 'Operators' })
      .getByRole('row')
      .filter({ hasText: 'Ann Berg' })
    const shown = (await until.locator('td.moment').innerText()).trim()
    const year = new Date((await until.locator('time').getAttribute('datetime'))!).getFullYear()
    expect(shown.includes(`${year}`)).toBe(year !== new Date().getFullYear())

    await goTo(page, '/console/operator/platforms')
    const row = page.getByRole('region', { name: 'Platforms' }).getByRole('row').filter({ hasText: name })
    await row.getByText(`…${ids.end}`).waitFor()
    expect(await row.locator(`[title="${ids.platform}"]`).count()).toBe(1)
    await page.getByRole('columnheader', { name: 'Last request noted' }).waitFor()
    expect(await row.locator('td.moment time').first().innerText()).toMatch(/^\d+ (sec|min|hr|day)s?\.? ago$/)
    await page.getByRole('columnheader', { name: 'Last use of the key, to the hour' }).waitFor()
    expect(await row.locator('td.moment time').last().innerText()).toMatch(/:00$/)
    await shoot(page, 'operator-platforms-named')

    await goTo(page, '/console/operator/audit-log')
    const log = page.getByRole('region', { name: 'Audit log' })
    await log.getByText('Ann Berg').first().waitFor()
    expect(await log.getByText('Operator:').count()).toBe(0)
    // Why something was refused is read whole.
    await operate(at.server, 'POST', '/pauses/Pause:01a214a0-0000-7000-8000-000000000000/lift')
    await at.server.settle()
    await goTo(page, '/console/operator/audit-log?outcome=REFUSED')
    const refused = log.getByText('REFERENCE_NOT_FOUND').first()
    await refused.waitFor()
    const isCodeCut = () =>
      page.evaluate(
        "[...document.querySelectorAll('.rows td')].some((cell) => /^[A-Z_]+$/.test(cell.innerText) && cell.scrollWidth > cell.clientWidth)",
      )
    await expect.poll(isCodeCut).toBe(false)
    await shoot(page, 'operator-audit-named')
    const small = await signedIn('/operator/audit-log', { size: phone, key })
    const first = small.getByRole('region', { name: 'Audit log' }).locator('tbody tr[aria-rowindex]').first()
    await first.locator('.status').waitFor()
    await expectNoSidewaysScroll(small, 'audit log on a phone')
    await shoot(small, 'operator-audit-phone')

    // The header says which environment, and on a phone who one is and what one may do, whole.
    await small.locator('.environment').getByText('OPERATOR · SANDBOX').waitFor()
    const who = small.locator('header .platform')
    // Until the name is read it is the id.
    await expect.poll(() => who.innerText()).toBe('Ann Berg · ADMINISTRATOR')
    const isCut = () =>
      small.evaluate(
        "[...document.querySelectorAll('header .platform')].some((who) => who.scrollWidth > who.clientWidth)",
      )
    await expect.poll(isCut).toBe(false)
  }, 60_000)

  it('says where there is no such page, in its own frame', async () => {
    const page = await signedIn('/operator/nothing-here')
    await page.getByRole('heading', { level: 1, name: 'This page does not exist.' }).waitFor()
    expect(await page.getByText('This page could not be shown.').count()).toBe(0)
    await page.locator('main').getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }, 60_000)

  it('asks for a rail first, and for nothing that there is nothing for', async () => {
    const page = await signedIn('/operator/rails')
    const form = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Pause payouts', exact: true }) })
    const rail = form.locator('select[name=rail] option:checked')
    await expect.poll(() => rail.innerText()).toBe('choose a rail')
    await form.locator('select[name=platformId]').selectOption(platform.platformId)
    await expect.poll(() => rail.innerText()).toBe('all rails')
    expect(await page.getByLabel(/^Why a pause is lifted/).count()).toBe(0)
    await goTo(page, '/console/operator/suspense')
    await page.getByText('No money in suspense: all money of this platform has an owner.').waitFor()
    expect(await page.getByLabel(/^Reason/).count()).toBe(0)
  }, 60_000)

  it('says that what was handed over before a pause goes on', async () => {
    const paused = await operate(at.server, 'POST', '/pauses', {
      environment: 'SANDBOX',
      platformId: platform.platformId,
      rail: 'SPEI',
      reasonCode: 'RAIL_UNAVAILABLE',
      reason: 'Nothing heard',
    })
    const page = await signedIn('/operator')
    await page
      .getByRole('link', { name: 'No new payment waits; payments already handed over continue.' })
      .waitFor()
    await page.getByText(/^SPEI, of .*: by key of the environment since /).waitFor()
    await operate(at.server, 'POST', `/pauses/${paused.body.id}/lift`)
  }, 60_000)
})
