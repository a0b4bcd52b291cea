import { createCustomer, internalAccountOf } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeConsole, expectAccessible, goTo, shoot } from './opened-console.ts'

describeConsole('what the console explains', (at) => {
  /** What Markdown for a ticket copies. */
  async function ticketOf(page: Page): Promise<string> {
    await page.evaluate(
      `globalThis.copied = undefined
      navigator.clipboard.write = async ([item]) => { globalThis.copied = await (await item.getType('text/plain')).text() }`,
    )
    await page.getByRole('button', { name: 'Copy as Markdown for a ticket' }).click()
    await expect.poll(() => page.evaluate('globalThis.copied')).toBeTruthy()
    return (await page.evaluate('globalThis.copied')) as string
  }
  const keysOf = async (page: Page) => {
    await page.keyboard.press('?')
    const text = await page.getByRole('dialog').getByText('esc close').innerText()
    await page.keyboard.press('Escape')
    return text
  }

  it('a webhook, a request and an account, by the key e as well, and nothing else', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD'] })
    await api.PATCH('/customers/{customerId}', {
      params: { path: { customerId: customer.id } },
      body: { customerType: 'INDIVIDUAL', region: 'nowhere' } as never,
    })
    await at.server.commit(platform, {
      events: [{ type: 'CUSTOMER.KYC_PENDING', resourceId: customer.id, subjectId: null, data: {} }] as never,
    })
    const page = await at.openAs(platform, '')
    const base = new URL(page.url()).pathname
    for (const [list, label] of [
      ['webhooks', 'Events'],
      ['requests', 'Requests'],
    ] as const) {
      await goTo(page, `${base}/${list}`)
      await page.getByRole('region', { name: label, exact: true }).getByRole('row').nth(1).waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('e')
      await page.waitForURL(/#explanation$/)
      await page.getByText('Safe to retry:').waitFor()
      await page.locator('#explanation:focus').waitFor({ state: 'attached' })
      await page.getByRole('heading', { name: 'Timeline' }).waitFor()
      expect(await keysOf(page)).toContain('e explain')
      expect(await ticketOf(page)).toMatch(/\w{3,}/)
      await shoot(page, `explained-${list}`)
      await expectAccessible(page, `the explanation of ${list}`)
    }
    const account = await internalAccountOf(api, customer.id, 'USD')
    await goTo(page, `${base}/accounts/${encodeURIComponent(account.id)}`)
    await page.getByRole('button', { name: 'Explain' }).waitFor()
    expect(await ticketOf(page)).toContain('0.00 USD')
    await goTo(page, `${base}/customers`)
    await page.getByRole('row').nth(1).waitFor()
    await page.keyboard.press('j')
    expect(await keysOf(page)).not.toContain('e explain')
    const before = page.url()
    await page.keyboard.press('e')
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
    expect(page.url()).toBe(before)
  }, 120_000)
})
