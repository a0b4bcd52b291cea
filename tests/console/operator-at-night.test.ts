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
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { desktop } from '../browser/browser.ts'
import { operate } from '../e2e/onboarding.ts'
import { clabe } from '../e2e/payment-api.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'

const receiver = recordWebhooks()
/** Narrower than that of other tests. */
const phone = { width: 360, height: 740 }

/** What an operator has to find without being told where: endpoints that fail, payments that wait, and what may be seen. */
describeConsole('an operator at night', { network: receiver.network }, (at) => {
  beforeAll(async () => {
    at.server.world.passMs(Date.now() - at.server.world.now())
  })

  const signedIn = (path: string, { size = desktop, key = operatorKey } = {}) =>
    at.openAsOperator(path, { key, size })

  /** So many payments to a bank that says nothing, two hours late. */
  async function stuckPayments(count: number) {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 1_000_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: id })
    await must(api.POST('/sandbox/faults', { body: { target: 'RAIL', kind: 'SILENCE' } as never }))
    const pay = async () => {
      const quote = await createQuote(api, quoteBody(account, payee, 10_000))
      await execute(api, quote.id)
      return quote.transactionId
    }
    const ids = await Promise.all(Array.from({ length: count }, pay))
    await at.server.settle()
    await at.server.advance(platform, 7_260_000)
    const { body } = await operate(at.server, 'GET', '/platforms')
    const { name } = body.data.find(({ id }: { id: string }) => id === platform.platformId)
    return { platform, pay, ids, name: name as string, api }
  }

  const boardRow = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Stuck payments' }).getByRole('row').filter({ hasText: name })

  it('sees an endpoint that is down while its events are still tried, and has them tried now', async () => {
    const platform = await at.server.platform()
    const { body } = await operate(at.server, 'GET', '/platforms')
    const { name } = body.data.find(({ id }: { id: string }) => id === platform.platformId)
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
    await at.server.commit(platform, {
      events: ['a', 'b'].map((each) => ({
        type: 'TEST',
        resourceId: `Thing:${each}`,
        subjectId: null,
        data: {},
      })),
    })
    await at.server.settle()
    await at.server.advance(platform, 7_260_000)
    const page = await signedIn('/operator')
    await page
      .getByRole('navigation', { name: 'Summary' })
      .getByRole('link', { name: /endpoints failing 1 \(oldest event 2 h\)/ })
      .waitFor()
    const failing = page.getByRole('link', {
      name: `2 events of ${name} SANDBOX are waiting, the oldest for 2 h`,
    })
    await failing.waitFor()
    await page.getByText('last response HTTP_503').first().waitFor()
    await shoot(page, 'operator-endpoint-down')
    await expectAccessible(page, 'operator, endpoint down')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the incident' }).click(),
    ])
    const evidence = JSON.parse(
      (await (await download.createReadStream()).toArray()).map((part) => part.toString()).join(''),
    )
    expect(evidence.endpoints.data[0]).toMatchObject({ isFailing: true, waiting: 2 })
    expect(
      evidence.eventsNotDelivered.data.find((each: { name: string }) => each.name === name).waiting
        .totalCount,
    ).toBe(2)
    await failing.click()
    const waiting = page.getByRole('region', { name: 'Retried automatically' })
    await waiting.getByText('503 HTTP_503').first().waitFor()
    await shoot(page, 'operator-events-waiting')

    const theirs = await at.openAs(platform, '')
    await theirs.getByRole('link', { name: '2 events are waiting for a retry' }).waitFor()
    await shoot(theirs, 'platform-home-endpoint-down')
    await goTo(theirs, `${new URL(theirs.url()).pathname}/webhooks`)
    // Nothing was taken, so nobody knows how long it takes.
    await theirs.getByText('0.0 % of 2 delivered in 24 h').waitFor()
    expect(await theirs.getByText('p95').count()).toBe(0)

    inbox.answer(() => 200)
    const before = inbox.received.length
    const replay = page.locator('section').filter({ hasText: 'Resend the events of a period' })
    await replay.getByRole('button', { name: 'Count them' }).click()
    await replay.getByText('2 would be sent, with the same ids and bytes.').waitFor()
    await replay.getByRole('button', { name: 'Send 2 again' }).click()
    await replay.getByRole('button', { name: `Send 2 events to ${name} SANDBOX again` }).click()
    await replay.getByText('2 events are being sent again, until ').waitFor()
    await shoot(page, 'operator-events-sent')
    for (let second = 0; second < 2; second++) await at.server.pass(1_000)
    expect(inbox.received.length - before).toBe(2)
    // What was taken leaves the list that it stood in.
    await page.getByText('No event waits for another attempt.').waitFor()
  }, 120_000)

  it('comes to every payment that is stuck, and to every one that a pause holds', async () => {
    const { platform, pay, ids, name } = await stuckPayments(5)
    const page = await signedIn('/operator')
    const row = boardRow(page, name)
    await row.getByRole('link', { name: 'all 5 payments' }).click()
    await page.locator('.rows tbody tr').nth(4).waitFor()
    const { pathname, search } = new URL(page.url())
    expect(pathname).toBe(`/console/${platform.platformId}/sandbox/payments`)
    expect(new URLSearchParams(search).get('paymentRail')).toBe('SPEI')
    expect(await page.locator('.rows tbody tr td.moment a').count()).toBe(ids.length)

    const paused = await operate(at.server, 'POST', '/pauses', {
      environment: 'SANDBOX',
      platformId: platform.platformId,
      rail: 'SPEI',
      reasonCode: 'RAIL_UNAVAILABLE',
      reason: 'Nothing heard',
    })
    const held = [await pay(), await pay()]
    await at.server.settle()
    await goTo(page, '/console/operator/rails')
    const pause = page.getByRole('region', { name: 'Pauses' }).getByRole('listitem').filter({ hasText: name })
    await pause.getByText('The 2 payments').click()
    await pause.locator(`a[title="${held[1]}"]`).waitFor()
    await shoot(page, 'operator-rails-held')
    await expectAccessible(page, 'operator, what a pause holds')
    const board = page.getByRole('region', { name: 'Rails' }).getByRole('row').filter({ hasText: name })
    const under = board.getByRole('link', { name: `${name} 7` })
    expect(await under.getAttribute('href')).toContain('payments?status=PROCESSING&paymentRail=SPEI')
    await pause.locator(`a[title="${held[0]}"]`).click()
    await page.getByText(held[0]!).first().waitFor()
    expect(new URL(page.url()).pathname).toContain(`/${platform.platformId}/sandbox/payments/`)
    await operate(at.server, 'POST', `/pauses/${paused.body.id}/lift`)
  }, 120_000)

  it('comes to the same page of a platform by its name, and is told of a name that is none', async () => {
    const platform = await at.server.platform()
    const { body } = await operate(at.server, 'GET', '/platforms')
    const { name } = body.data.find(({ id }: { id: string }) => id === platform.platformId)
    for (const called of [name, name.toUpperCase()]) {
      const page = await signedIn(`/${encodeURIComponent(called)}/sandbox/customers?isDeleted=true`)
      await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
      const { pathname, search } = new URL(page.url())
      expect([pathname, search]).toEqual([
        `/console/${platform.platformId}/sandbox/customers`,
        '?isDeleted=true',
      ])
    }
    const none = await signedInTo('/nobody-of-this-name/sandbox/payments')
    await none.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor()
    await none.getByText('No platform is named nobody-of-this-name in SANDBOX.').waitFor()
    await expectAccessible(none, 'operator, a name that is none')
    await none.getByRole('link', { name: 'Platforms' }).click()
    await none.getByRole('heading', { level: 1, name: 'Platforms' }).waitFor()
  }, 120_000)

  async function signedInTo(path: string) {
    const page = await at.open(path)
    await at.signInAsOperator(page, operatorKey)
    return page
  }

  it('reaches on a phone what stands on the board, with a finger, and reads there who they are', async () => {
    const { name, ids } = await stuckPayments(2)
    const hired = await operate(at.server, 'POST', '/operators', { name: 'Ann Berg', role: 'VIEWER' })
    const joined = await at.server.fetch('http://corridor.test/operator/join', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ joinCode: hired.body.joinCode }),
    })
    const { key } = (await joined.json()) as { key: string }
    const page = await signedIn('/operator', { size: phone, key })
    await page.locator('header .platform').getByText('Ann Berg').waitFor()
    const row = boardRow(page, name)
    await row.waitFor()
    // What pauses the rail comes once it is known that nothing does yet.
    await expect.poll(() => row.getByRole('link').count()).toBeGreaterThanOrEqual(2 + ids.length)
    const links = await row.getByRole('link').all()
    for (const link of links) {
      const box = (await link.boundingBox())!
      expect([
        await link.innerText(),
        box.x >= 0 && box.x + box.width <= phone.width,
        box.height >= 44,
      ]).toEqual([await link.innerText(), true, true])
    }
    await shoot(page, 'operator-overview-phone-360')
    await expectNoSidewaysScroll(page, 'overview on a phone')

    // Sessions are for administrators: who is none is told which permission it takes, and nothing is wrong.
    await goTo(page, '/console/operator/staff')
    const sessions = page.locator('section').filter({ hasText: 'Signed in to the console' })
    await sessions.getByText('lacks the permission ADMINISTRATOR').waitFor()
    expect(await sessions.locator('.trouble').count()).toBe(0)
    await shoot(page, 'operator-staff-phone-360')

    const admin = await signedIn('/operator/staff', { size: phone })
    const end = admin.getByRole('region', { name: 'Operators' }).getByRole('button', { name: 'End' }).first()
    await end.waitFor()
    await expectNoSidewaysScroll(admin, 'staff on a phone')
  }, 120_000)

  it('is told what is missing before payouts can be paused', async () => {
    await at.server.platform()
    const page = await signedIn('/operator/rails')
    const form = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Pause payouts', exact: true }) })
    const act = form.getByRole('button', { name: 'Pause payouts', exact: true })
    await form.getByText('Choose a rail or a platform first.').waitFor()
    await form.locator('select[name=rail]').selectOption('SPEI')
    await form.getByText('Enter a reason first.').waitFor()
    const told = await act.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${told}"]`).textContent()).toBe('Enter a reason first.')
    expect(await act.isDisabled()).toBe(true)
    await form.locator('input[name=reason]').fill('The bank called')
    await form.getByText('Enter a reason first.').waitFor({ state: 'detached' })
    expect(await act.isDisabled()).toBe(false)
  }, 60_000)
})
