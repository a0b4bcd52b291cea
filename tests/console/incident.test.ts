import { readFileSync } from 'node:fs'
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
import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { desktop } from '../browser/browser.ts'
import { clabe } from '../e2e/payment-api.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, shoot } from './opened-console.ts'

const receiver = recordWebhooks()
const mostClicks = 25
const sizes = { desktop, phone: { width: 360, height: 740 } }
const mattering = 27
const others = 43

/** At night somebody says that something is wrong, and no more: from the first page to the evidence for the morning. */
describeConsole('an incident', { network: receiver.network }, (at) => {
  beforeAll(async () => {
    // What is asked for by the time of day is asked by the clock of the browser.
    at.server.world.passMs(Date.now() - at.server.world.now())
  })

  /** A platform whose bank in Mexico says nothing any more about twenty payments, and whose endpoint was down. */
  async function night() {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 1_000_000)
    const payee = await createPayee(api, 'MXN', clabe('891'), { customerId: id })
    await must(api.POST('/sandbox/faults', { body: { target: 'RAIL', kind: 'SILENCE' } as never }))
    const begin = async () => {
      const quote = await createQuote(api, quoteBody(account, payee, 10_000))
      await execute(api, quote.id)
      return quote.transactionId
    }
    const pay = async () => {
      const id = await begin()
      await at.server.settle()
      return id
    }
    await Promise.all(Array.from({ length: 20 }, begin))
    await at.server.settle()
    const inbox = receiver.inbox()
    inbox.answer(() => 500)
    await at.server.commit(platform, {
      updates: [
        {
          table: 'platform_configs',
          id: `PlatformConfig:${platform.platformId}`,
          set: { webhook_endpoint: inbox.url },
        },
      ],
    })
    const emit = (type: string, count: number) =>
      at.server.commit(platform, {
        events: Array.from({ length: count }, (_, number) => ({
          type,
          resourceId: `Thing:${type}${number}`,
          subjectId: null,
          data: { number },
        })),
      })
    await emit('TEST', others)
    await emit('INVITATION.CLAIMED', mattering)
    await at.server.settle()
    await at.server.advance(platform, 7_260_000)
    inbox.answer(() => 200)
    return { platform, inbox, pay, api }
  }

  async function signedIn(size: keyof typeof sizes) {
    const page = await at.open('/operator', sizes[size])
    await at.signInAsOperator(page, operatorKey)
    await page.locator('.environment').getByText('OPERATOR').waitFor()
    return page
  }

  it.each(['desktop', 'phone'] as const)(
    'is found, contained, made good and put on record within twenty-five clicks (%s)',
    async (size) => {
      const { platform, inbox, pay, api } = await night()
      const page = await signedIn(size)
      let clicks = 0
      const click = async (what: Locator) => {
        clicks++
        await what.click()
      }
      const toOverview = async () => {
        if (size === 'phone') await click(page.getByRole('button', { name: 'Menu' }))
        await click(page.getByRole('link', { name: 'Overview', exact: true }))
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      }

      // What is stuck, on which rail, since when.
      const board = page.getByRole('region', { name: 'Stuck payments' })
      const row = board.getByRole('row').filter({ hasText: 'SPEI' })
      await row.first().getByText('2 h late').waitFor()
      await row.first().getByText('all 20 payments', { exact: true }).waitFor()
      await shoot(page, `incident-overview-${size}`)
      await expectAccessible(page, `overview in an incident, ${size}`)
      await expectNoSidewaysScroll(page, `overview in an incident, ${size}`)

      // Contained.
      await click(row.first().getByRole('link', { name: 'Pause payouts on SPEI…' }))
      const form = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: 'Pause payouts', exact: true }) })
      await expect.poll(() => form.locator('select[name=rail]').inputValue()).toBe('SPEI')
      await click(form.getByLabel('Reason, stored with the decision'))
      await page.keyboard.type('Nothing heard of the bank since midnight')
      await click(form.getByRole('button', { name: 'Pause payouts', exact: true }))
      await shoot(page, `incident-pausing-${size}`)
      await click(form.getByRole('button', { name: 'Pause SPEI payouts for all platforms in SANDBOX' }))
      await form.getByText('Paused: no payments are handed over.').waitFor()
      const held = await pay()
      const waiting = await must(api.GET('/explain/{id}', { params: { path: { id: held } } }))
      expect(waiting.status.waitingFor).toBe('OPERATOR')
      await shoot(page, `incident-paused-${size}`)
      await expectAccessible(page, `rails in an incident, ${size}`)
      await expectNoSidewaysScroll(page, `rails in an incident, ${size}`)

      // Made good: of all that was missed what mattered is sent again, once it is known how much that is.
      await toOverview()
      await page.getByRole('heading', { name: 'Paused payouts' }).waitFor()
      await click(page.getByRole('link', { name: `${mattering + others} events of` }))
      await page.getByRole('heading', { level: 1, name: 'Events not delivered' }).waitFor()
      const replay = page.locator('section').filter({ hasText: 'Resend the events of a period' })
      const type = replay
        .locator('label')
        .filter({ hasText: /^Event/ })
        .locator('select')
      await click(type)
      await type.selectOption('INVITATION.CLAIMED')
      await click(replay.getByRole('button', { name: 'Count them' }))
      await replay.getByText(`${mattering} would be sent, with the same ids and bytes.`).waitFor()
      const before = inbox.received.length
      await click(replay.getByRole('button', { name: `Send ${mattering} again` }))
      await shoot(page, `incident-replay-${size}`)
      await click(replay.getByRole('button', { name: `Send ${mattering} events to` }))
      await replay.getByText(`${mattering} events are being sent again, until `).waitFor()
      for (let second = 0; second < 3; second++) await at.server.pass(1_000)
      // The event of the endpoint itself comes by its own time.
      const again = inbox.received.slice(before).map(({ event }) => event.type)
      expect(again.filter((type) => type !== 'TEST')).toEqual(Array(mattering).fill('INVITATION.CLAIMED'))

      // Is the money safe, and what is there to show in the morning?
      await toOverview()
      await page.getByText('The audit found no problems.').waitFor()
      await click(page.getByRole('button', { name: 'Check now' }))
      await page.getByText('The audit found no problems.').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        click(page.getByRole('button', { name: 'Export the incident' })),
      ])
      expect(download.suggestedFilename()).toMatch(/^incident-sandbox-\d.*\.json$/)
      const evidence = JSON.parse(readFileSync((await download.path())!, 'utf8'))
      expect(evidence.environments).toEqual(['SANDBOX'])
      expect(evidence.audit.sound).toBe(true)
      expect(evidence.stuck.data.some(({ rail }: { rail: string }) => rail === 'SPEI')).toBe(true)
      expect(evidence.pauses.data[0]).toMatchObject({ rail: 'SPEI', status: 'IN_FORCE', held: 1 })
      const done = evidence.auditLog.data.map(({ operation }: { operation: string }) => operation)
      expect(done).toEqual(expect.arrayContaining(['operatorPausePayouts', 'operatorReplayEvents']))
      await page.getByText(`${download.suggestedFilename()} was saved.`).waitFor()
      expect(clicks).toBeLessThanOrEqual(mostClicks)

      // Over: the bank is heard of again.
      if (size === 'phone') await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('link', { name: 'Rails and pauses', exact: true }).click()
      const pauses = page.getByRole('region', { name: 'Pauses' })
      await pauses.getByRole('button', { name: 'Lift…' }).first().click()
      await pauses
        .getByRole('button', { name: 'Lift the pause of SPEI, of all platforms in SANDBOX' })
        .click()
      await page.getByText('Done.').waitFor()
      await at.server.settle()
      await expect
        .poll(async () => {
          const { status } = await must(api.GET('/explain/{id}', { params: { path: { id: held } } }))
          return status.waitingFor
        })
        .toBe('RAIL')
      await api.DELETE('/sandbox/faults/{faultId}', {
        params: { path: { faultId: (await must(api.GET('/sandbox/faults'))).data[0]!.id } },
      })
      await at.server.advance(platform, 600_000)
    },
    240_000,
  )
})
