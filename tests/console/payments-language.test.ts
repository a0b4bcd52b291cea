import { createQuote, execute, must, quoteBody } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { outcomes } from '../../apps/console/src/generated/sandbox.ts'
import { describeConsole, type Platform, shoot } from './opened-console.ts'
import { createPayer } from './payer.ts'
import { openPseudo, plainTexts, textsIn } from './plain-texts.ts'

describeConsole('the pages of payments in another language', (at) => {
  /** What those are called who pay and are paid. */
  const people = ['Ana Lopez', 'Greta Lindholm', 'Greta L.']

  /** A customer with 5,000.00, and a quote of it; the end of the payee's number decides what becomes of it. */
  async function quoted(platform: Platform, ending: string, region = 'US', currency = 'USD') {
    const api = at.server.client(platform)
    const { account, payee } = await createPayer(api, ending, { region, currency })
    const quote = await createQuote(api, quoteBody(account, payee, 100_000))
    const explained = async (id: string) =>
      textsIn(await must(api.GET('/explain/{id}', { params: { path: { id } } })))
    const paid = async () => {
      await execute(api, quote.id)
      await at.server.settle()
      return `payments/${encodeURIComponent(quote.transactionId)}`
    }
    return { quote, paid, explained, page: `quotes/${encodeURIComponent(quote.id)}` }
  }

  /** Opens a page, waits until all of these are there, and expects no word that no translator was given. */
  async function expectTranslated(page: Page, path: string, ready: string[], data: string[] = []) {
    await openPseudo(page, path)
    for (const each of ready) await page.locator(each).first().waitFor()
    await page.locator('main:not(:has(.skeleton))').waitFor()
    await expect.poll(() => plainTexts(page, [...people, ...data]), { timeout: 10_000 }).toEqual([])
  }

  it('say nothing in plain English: home and the list', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    await expectTranslated(page, '', ['.nothing', '.steps .code pre'])
    // The name of a file is said within words.
    expect(await page.locator('.steps .code button[aria-pressed=true]').innerText()).toMatch(/^⟦.*\.env.*⟧$/)
    await expectTranslated(page, 'payments', ['.nothing'])
    await (await quoted(platform, '004')).paid()
    await quoted(platform, '678')
    await expectTranslated(page, '', ['.rows td', '.steps .code pre', '.story .lanes'])
    await expectTranslated(page, 'payments', ['.rows .why', '.open-quotes li', '.views a'])
    await page.locator('td.pick input').first().check()
    await page.locator('[aria-keyshortcuts="x"]').waitFor()
    await expect.poll(() => plainTexts(page, people)).toEqual([])
    await shoot(page, 'payments-pseudo')
    await expectTranslated(page, 'payments?type=CARD&reference=nothing', ['.dropped'], ['nothing'])
    await page.close()
  })

  it('say nothing in plain English: a payment that failed, one under way, one that is unknown', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    const failed = await quoted(platform, '004')
    const parts = ['.flow-figure', '.derivation', '.postings', '.timeline li', '.facts']
    const failedPage = await failed.paid()
    await expectTranslated(page, failedPage, parts, await failed.explained(failed.quote.transactionId))
    await shoot(page, 'payment-pseudo')
    // A step is called by a word alone; its code, which is the API's in any language, is under the pointer.
    const steps = await page.locator('.postings th[scope=rowgroup]').evaluateAll((heads) =>
      heads.map((head) => ({
        words: head.firstElementChild?.textContent ?? '',
        code: head.firstElementChild?.getAttribute('title'),
      })),
    )
    expect(steps.map(({ code }) => code)).toEqual(['execute', 'convert', 'unwind', 'refund'])
    for (const { words } of steps) expect(words).toMatch(/^⟦.+⟧$/)
    const slow = await quoted(platform, '003')
    const slowPage = await slow.paid()
    await expectTranslated(page, slowPage, parts, await slow.explained(slow.quote.transactionId))
    await page.close()
  })

  it('say nothing in plain English: a quote that waits, one to be authorized, and the form', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    await expectTranslated(page, 'quotes/new', ['.nothing'])
    const waits = await quoted(platform, '003')
    const texts = await waits.explained(waits.quote.id)
    await expectTranslated(page, waits.page, ['progress', '.derivation', '.facts'], texts)
    const sca = await quoted(platform, '678', 'DE', 'EUR')
    await sca.paid()
    await expectTranslated(page, sca.page, ['form.fields', '.facts'], await sca.explained(sca.quote.id))
    const data = [...Object.values(outcomes), 'Ana Lopez', 'Greta Lindholm']
    await expectTranslated(page, 'quotes/new', ['.beside form', '.code pre'], data)
    await page.locator('input[name=lockedCurrencyAmount]').fill('12.34')
    await page.locator('form + p strong').waitFor()
    await expect.poll(() => plainTexts(page, data)).toEqual([])
    await page.close()
  })
})
