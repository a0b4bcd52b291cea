import { createCustomer, createQuote, execute, operatorKey, quoteBody } from '@corridor/testkit/index.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { desktop, phone } from '../browser/browser.ts'
import { onboarding } from '../e2e/onboarding.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'
import { createPayer } from './payer.ts'

describeConsole('what pages show and what they keep back', (at) => {
  const to = (page: Page, path: string) => {
    const [base] = /^.*\/console\/[^/]+\/[^/?]+/.exec(page.url())!
    return goTo(page, `${base}/${path}`)
  }

  /** What the first and the last few pixels of a box look like without what is in it. */
  async function edgesOf(box: Locator) {
    await box.scrollIntoViewIfNeeded()
    await box.evaluate((element) => {
      for (const child of element.children) (child as HTMLElement).style.visibility = 'hidden'
    })
    const { x, y, width, height } = (await box.boundingBox())!
    const strip = (left: number) =>
      box.page().screenshot({ clip: { x: left, y: y + height / 2, width: 3, height: 2 } })
    return { left: (await strip(x)).toString('hex'), right: (await strip(x + width - 3)).toString('hex') }
  }

  it.each(['light', 'dark'])('shades the edge behind which a box has more: %s', async (theme) => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { account, payee } = await createPayer(api)
    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    await execute(api, quote.id)
    await at.server.settle()
    const page = await at.openAs(platform, '', phone)
    await page.evaluate(`localStorage.setItem('corridor.theme', '${theme}')`)
    await page.reload()
    await to(page, `payments/${encodeURIComponent(quote.transactionId)}`)
    const postings = page.getByRole('region', { name: 'Postings' })
    await postings.getByRole('row').nth(2).waitFor()
    await shoot(page, `postings-${theme}-360`)
    expect(await postings.getAttribute('tabindex')).toBe('0')
    // Amounts are whole without looking sideways.
    await expect.poll(() => postings.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    const flow = page.locator('.flow-figure .scroll')
    const start = await edgesOf(flow)
    expect(start.left).not.toBe(start.right)
    await flow.evaluate((element) => element.scrollTo({ left: element.scrollWidth }))
    const end = await edgesOf(flow)
    // There is nothing more on the right, and what was left behind on the left.
    expect(end.right).toBe(start.left)
    expect(end.left).not.toBe(end.right)
  })

  it('shows numbers of people by their last four characters until somebody asks', async () => {
    const customers = onboarding(at.server, await at.server.platform())
    const { ownerId } = await customers.completeBusiness('Okafor')
    const page = await at.openAs(customers.platform, `beneficial-owners/${encodeURIComponent(ownerId)}`)
    const all = page.locator('main pre')
    await all.getByText('"identifier": "••••1120"').waitFor()
    expect(await page.locator('main').innerText()).not.toContain('078-05-1120')
    await shoot(page, 'owner')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as JSON' }).click()
    await page.getByText('JSON copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('"identifier": "••••1120"')
    await page.getByRole('button', { name: 'Show identifiers in full' }).click()
    await all.getByText('"identifier": "078-05-1120"').waitFor()
    await expectAccessible(page, 'an owner')
  })

  it('says of steps what a credential may not see, and calls none of them undone', async () => {
    const page = await at.openAs(await at.server.platform(), 'customers')
    const json = { code: 'FORBIDDEN', message: 'It is not allowed.', status: 403, details: {} }
    await page.route(/\/(transactions|config)(\?|$)/, (route) => route.fulfill({ status: 403, json }))
    await to(page, '')
    await page.reload()
    const steps = page.getByRole('listitem').filter({
      hasText: 'This credential cannot show whether it is done.',
    })
    await expect
      .poll(() => steps.locator('strong').allInnerTexts())
      .toEqual([
        expect.stringContaining('Customer, account, payment'),
        expect.stringContaining('Your webhooks'),
        expect.stringContaining('Make it fail'),
      ])
    await shoot(page, 'home-of-a-refused-credential')
    await expectAccessible(page, 'the home of a credential that may see nothing')
  })

  it('ends a name that is too long with an ellipsis, which its own page has whole', async () => {
    const platform = await at.server.platform()
    const fullName = `Wilhelmina ${'Featherstonehaugh-'.repeat(3)}Cholmondeley`
    await createCustomer(at.server.client(platform), { fullName })
    const page = await at.openAs(platform, 'customers', phone)
    const name = page.locator('tbody').getByRole('link', { name: fullName })
    const cut = (await name.evaluate((element) => ({
      ends: getComputedStyle(element).textOverflow,
      lines: getComputedStyle(element).getPropertyValue('-webkit-line-clamp'),
      isCut: element.scrollHeight > element.clientHeight,
      isInside: element.getBoundingClientRect().right <= element.closest('td')!.getBoundingClientRect().right,
    }))) as object
    expect(cut).toEqual({ ends: 'ellipsis', lines: '2', isCut: true, isInside: true })
    await shoot(page, 'long-name-360')
    await name.click()
    await page.getByRole('heading', { level: 1, name: fullName }).waitFor()
    await expectNoSidewaysScroll(page, 'the page of a long name')
  })

  it.each([phone, desktop, { width: 1200, height: 800 }])(
    'has room for what a field suggests: $width',
    async (size) => {
      const platform = await at.server.platform()
      const api = at.server.client(platform)
      const { account, payee } = await createPayer(api)
      await execute(api, (await createQuote(api, quoteBody(account, payee, 10_000))).id)
      const page = await at.openAs(platform, 'payments', size)
      const check = async () => {
        const fields = page.getByPlaceholder(/yesterday/).filter({ visible: true })
        await fields.first().waitFor()
        const cut = () =>
          fields.evaluateAll(
            (all) =>
              all.filter((each) => {
                const { font, paddingLeft, paddingRight } = getComputedStyle(each)
                const pen = document.createElement('canvas').getContext('2d')!
                pen.font = font
                const { width } = pen.measureText((each as HTMLInputElement).placeholder)
                return (
                  width > each.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
                )
              }).length,
          )
        // With their own letters, once they are read.
        await expect.poll(cut).toBe(0)
      }
      await check()
      if (size === phone) return
      // Beside what is open there is half the room.
      await page.locator('tbody tr a').first().click()
      await page.locator('.split.opened').waitFor()
      await check()
      await shoot(page, 'filters-beside')
    },
  )

  it('rings a heading that a script leads to for those alone who came with the keys', async () => {
    const page = await at.openAs(await at.server.platform(), '')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    const ring = async (name: string) => {
      const heading = page.getByRole('heading', { level: 1, name })
      await heading.waitFor()
      await expect.poll(() => heading.evaluate((element) => document.activeElement === element)).toBe(true)
      return heading.evaluate((element) => getComputedStyle(element).outlineStyle)
    }
    await to(page, 'customers')
    expect(await ring('Customers')).toBe('none')
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Payments' }).click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Cards' }).focus()
    await page.keyboard.press('Enter')
    await page.evaluate('document.activeElement.blur()')
    await page.getByRole('heading', { level: 1, name: 'Cards' }).waitFor()
    await to(page, 'rates')
    expect(await ring('Rates')).toBe('solid')
  })

  it('tells operators since when and for how long by one clock, and which', async () => {
    const moved = onboarding(at.server, await at.server.platform())
    const other = onboarding(at.server, await at.server.platform())
    // Later by its own clock, and it waits longer.
    await at.server.advance(moved.platform, 72 * 3_600_000)
    await moved.verify((await moved.completePerson('Mira Okafor 001')).id)
    await at.server.advance(moved.platform, 5 * 3_600_000)
    await other.verify((await other.completePerson('Ada Okafor 001')).id)
    const page = await at.openAsOperator('/operator', { key: operatorKey })
    const waits = page.getByRole('listitem').filter({ hasText: 'waiting for a review' })
    await waits.getByText(/the oldest for 5 h, since .* on the sandbox clock/).waitFor()
    const said = page
      .getByRole('navigation', { name: 'Summary' })
      .getByRole('link', { name: /\(oldest 5 h\)/ })
    expect(await said.getAttribute('title')).toBe('On the sandbox clock, which may have been moved.')
    await shoot(page, 'operator-one-clock')
  })
})
