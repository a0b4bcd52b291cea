import { ledgerAccountKinds } from '@corridor/engine/mechanisms/ledger/chart.ts'
import { must, quoteBody, recordWebhooks } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { advice } from '../../apps/console/src/generated/advice.ts'
import { outcomes } from '../../apps/console/src/generated/sandbox.ts'
import { describeConsole, type Platform, shoot } from './opened-console.ts'
import { createPayer } from './payer.ts'
import { openPseudo, plainTexts, textsIn } from './plain-texts.ts'

/** Units, codes that are chosen from, and what a filter of time understands in every language. */
const unspoken = [
  ' ms',
  'p95',
  '-2h, yesterday',
  'true',
  'Ana Lopez',
  'First token',
  ...Object.keys(ledgerAccountKinds),
]

const receiver = recordWebhooks()

describeConsole('the pages of a platform in another language', { network: receiver.network }, (at) => {
  /** A customer with money who has paid to a bank that refuses it, and a webhook that nobody took. */
  async function begun(platform: Platform) {
    const api = at.server.client(platform)
    const inbox = receiver.inbox()
    inbox.answer(() => 500)
    const config = `PlatformConfig:${platform.platformId}`
    await at.server.commit(platform, {
      updates: [{ table: 'platform_configs', id: config, set: { webhook_endpoint: inbox.url } }],
    })
    const { customer, account, payee } = await createPayer(api, '004')
    const quote = await must(
      api.POST('/quotes', {
        body: quoteBody(account, payee, 100_000, { immediatelyExecute: true }) as never,
      }),
    )
    await api.PATCH('/customers/{customerId}', {
      params: { path: { customerId: customer.id } },
      body: { customerType: 'INDIVIDUAL', region: 'nowhere' } as never,
    })
    await at.server.settle()
    await at.server.advance(platform, 20_000)
    await at.server.settle()
    const events = await must(
      api.GET('/webhook-events', { params: { query: { status: 'RETRYING' } as never } }),
    )
    const requests = await must(api.GET('/request-log', { params: { query: { status: '400' } as never } }))
    const journal = `${quote.transactionId}/convert`
    return { api, customer, account, event: events.data[0]!, request: requests.data[0]!, journal }
  }

  /** Opens a page, waits until all of these are there, and expects no word that no translator was given. */
  async function expectTranslated(page: Page, path: string, ready: string[], data: string[] = []) {
    await openPseudo(page, path)
    for (const each of ready) await page.locator(each).first().waitFor()
    await page.locator('main:not(:has(.skeleton))').waitFor()
    const known = [...unspoken, ...data]
    await expect.poll(() => plainTexts(page, known), { timeout: 10_000, message: path }).toEqual([])
  }

  it('say nothing in plain English where there is nothing yet', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    for (const path of ['webhooks', 'requests', 'ledger', 'customers', 'verifications', 'documents']) {
      await expectTranslated(page, path, ['.nothing'])
    }
    await expectTranslated(page, 'customers?region=XX&kycStatus=HOLD', ['.dropped'], ['HOLD', 'XX'])
    await page.close()
  }, 180_000)

  it('say nothing in plain English: lists of what has happened', async () => {
    const platform = await at.server.platform()
    const { api, customer, event } = await begun(platform)
    await must(api.POST('/webhook-listeners', { body: { name: 'lap-1' } }))
    const page = await at.openAs(platform, '')
    const from = event.createdAt
    await expectTranslated(
      page,
      `webhooks?createdAfter=${from}`,
      ['.rows td', '.story code', '.plain strong'],
      ['lap-1'],
    )
    await shoot(page, 'webhooks-pseudo')
    await expectTranslated(
      page,
      'requests',
      ['.rows td', '.plain a'],
      textsIn(await must(api.GET('/request-log', {}))),
    )
    const { data: accounts } = await must(api.GET('/ledger/accounts', {}))
    await expectTranslated(
      page,
      'ledger',
      ['.rows td', '.story time'],
      [...accounts.flatMap(({ id }) => [id]), ...Object.keys(ledgerAccountKinds)],
    )
    await expectTranslated(page, 'customers', ['.rows td'], [customer.platformCustomerId, 'Ana Lopez'])
    await expectTranslated(page, 'accounts', ['.rows td'])
    const tokens = await must(api.GET('/tokens', {}))
    await expectTranslated(
      page,
      'settings',
      ['.rows td', '.facts', 'textarea'],
      [...textsIn(tokens), ...textsIn(await must(api.GET('/config', {})))],
    )
    await page.close()
  }, 180_000)

  it('say nothing in plain English: one of each', async () => {
    const platform = await at.server.platform()
    const { api, customer, account, event, request, journal } = await begun(platform)
    const page = await at.openAs(platform, '')
    const one = (place: string, id: string) => `${place}/${encodeURIComponent(id)}`
    const explained = async (id: string) =>
      textsIn(await must(api.GET('/explain/{id}', { params: { path: { id } } })))
    await expectTranslated(
      page,
      one('webhooks', event.id),
      ['.timeline li', 'details summary'],
      [...textsIn(event), ...(await explained(event.id)), 'endpoint', 'X-Webhook-Attempt'],
    )
    await expectTranslated(
      page,
      one('requests', request.requestId),
      ['.facts', 'textarea', 'main a[href*=errors]'],
      [...textsIn(request), ...(await explained(request.requestId)), advice.INVALID_INPUT!],
    )
    const ledger = { params: { path: { ledgerAccountId: `avail:${account.id}` } } }
    const texts = textsIn(await must(api.GET('/ledger/accounts/{ledgerAccountId}', ledger)))
    const moved = textsIn(
      await must(api.GET('/ledger/journals/{journalId}', { params: { path: { journalId: journal } } })),
    )
    await expectTranslated(page, one('ledger', `avail:${account.id}`), ['.facts', '.rows td'], texts)
    await expectTranslated(page, one('ledger/journals', journal), ['.postings td'], moved)
    const people = [
      ...Object.values(outcomes),
      ...textsIn(customer),
      request.path,
      'Greta Lindholm',
      'Greta L.',
    ]
    await expectTranslated(
      page,
      one('customers', customer.id),
      ['.rows td', '.tick', '.facts .plain li'],
      people,
    )
    await shoot(page, 'customer-pseudo')
    await page.close()
  }, 180_000)
})
