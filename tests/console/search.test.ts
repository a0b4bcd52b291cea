import { createCustomer } from '@corridor/testkit/index.ts'
import { beforeAll, expect, it } from 'vitest'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  type Platform,
  shoot,
} from './opened-console.ts'

describeConsole('the box that finds anything', (at) => {
  let platform: Platform
  let customer: { id: string }
  beforeAll(async () => {
    platform = await at.server.platform()
    const api = at.server.client(platform)
    customer = await createCustomer(api, {
      platformCustomerId: 'acme-1',
      fullName: 'Rosa Diaz',
      email: 'rosa@diaz.example',
    })
    await createCustomer(api, { platformCustomerId: 'acme-2', fullName: 'Otto Brandt' })
  })

  it('opens, finds and goes there by keys alone, and tells so to who does not see', async () => {
    const page = await at.openAs(platform, '')
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox')
    await expect.poll(() => box.evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.type('acme-')
    const options = page.getByRole('group', { name: 'Customers' }).getByRole('option')
    await expect.poll(() => options.count()).toBe(2)
    const chosen = page.locator('[role=option][aria-selected=true]')
    expect(await chosen.getAttribute('id')).toBe(await box.getAttribute('aria-activedescendant'))
    expect(await chosen.textContent()).toContain('Otto Brandt')
    await expectAccessible(page, 'palette')
    await shoot(page, 'search')
    await page.keyboard.press('ArrowDown')
    expect(await chosen.textContent()).toContain('Rosa Diaz')
    expect(await chosen.getAttribute('id')).toBe(await box.getAttribute('aria-activedescendant'))
    await page.keyboard.press('ArrowDown')
    expect(await chosen.textContent()).toContain('Otto Brandt')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Rosa Diaz/ }).waitFor()
    expect(page.url()).toContain(encodeURIComponent(customer.id))
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.close()
    expect(at.faults).toEqual([])
  })

  it('opens what is found for who pastes and presses Enter at once', async () => {
    const page = await at.openAs(platform, '')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('rosa@diaz.example')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /Rosa Diaz/ }).waitFor()
    // What somebody looked for stands in no address.
    expect(page.url()).not.toContain('diaz')
    await page.close()
  })

  it('shows the answer to what is typed now, whenever those of before come', async () => {
    const page = await at.openAs(platform, '')
    const asked: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/search?**', async (route) => {
      const text = new URL(route.request().url()).searchParams.get('q')!
      asked.push(text)
      if (text === 'acme-1') await held
      await route.continue().catch(() => {})
    })
    await page.keyboard.press('Control+k')
    // Not for each letter, however long a busy machine takes between two of them.
    await page.clock.install()
    await page.clock.pauseAt(((await page.evaluate('Date.now()')) as number) + 1_000)
    for (const letter of 'acme-1') {
      await page.keyboard.type(letter)
      await page.clock.runFor(100)
    }
    expect(asked).toEqual([])
    await page.clock.runFor(50)
    await expect.poll(() => asked).toEqual(['acme-1'])
    // Its time begins here: what comes before takes long where much else runs.
    const given = page.waitForEvent('requestfailed', (request) => request.url().includes('q=acme-1'))
    await page.clock.resume()
    await page.keyboard.press('Backspace')
    await page.keyboard.type('2')
    await page.getByRole('option', { name: /Otto Brandt/ }).waitFor()
    await given
    release()
    await page.keyboard.press('Backspace')
    await page.keyboard.type('2')
    await page.getByRole('option', { name: /Otto Brandt/ }).waitFor()
    expect(await page.getByRole('option', { name: /Rosa Diaz/ }).count()).toBe(0)
    await page.close()
  })

  it('says that nothing was found, and what does not work', async () => {
    const page = await at.openAs(platform, '')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nobody at all')
    await page.getByRole('status').filter({ hasText: 'No results. Enter names' }).waitFor()
    await page.route('**/search?**', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: JSON.stringify({ status: 503, code: 'SERVICE_UNAVAILABLE', message: 'Busy.', details: {} }),
      }),
    )
    await page.keyboard.type('!')
    await page.getByRole('alert').filter({ hasText: 'SERVICE_UNAVAILABLE' }).waitFor()
    // Pages are found all the same.
    await page.getByRole('combobox').fill('webh')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.close()
    // The browser tells of the answer that it was given.
    at.faults.splice(0)
  })

  it('fits a phone, light and dark', async () => {
    const page = await at.openAs(platform, '', { width: 360, height: 740 })
    await page.locator('button.search').click()
    await page.getByRole('combobox').fill('acme-')
    await page.getByRole('option', { name: /Rosa Diaz/ }).waitFor()
    await expectNoSidewaysScroll(page, 'palette on a phone')
    await shoot(page, 'search-phone')
    await page.getByRole('option', { name: /Rosa Diaz/ }).click()
    await page.getByRole('heading', { level: 1, name: /Rosa Diaz/ }).waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('button.search').click()
    await page.getByRole('combobox').fill('acme-')
    await page.getByRole('option', { name: /Rosa Diaz/ }).waitFor()
    await expectAccessible(page, 'palette, dark')
    await shoot(page, 'search-phone-dark')
    await page.close()
  })

  it('does what the page offers, and moves the clock of the sandbox from anywhere', async () => {
    const page = await at.openAs(platform, 'customers')
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: 'Sandbox' }).getByText('Run: It arrives').waitFor()
    await page
      .getByRole('group', { name: 'Sandbox' })
      .getByText('Run: The customer has to authorize it')
      .waitFor()
    // Every key that the foot of a list names, and none twice.
    const keys = (await page.locator('.key-hints').innerText()).split(' · ')
    expect(keys).toEqual(expect.arrayContaining(['space select', 'x export']))
    expect(keys).toEqual([...new Set(keys)])
    await shoot(page, 'search-commands')
    await expectAccessible(page, 'palette with commands')
    await page.keyboard.type('new customer')
    const acts = page.getByRole('group', { name: 'On this page' }).getByRole('option')
    await acts.filter({ hasText: 'New customer' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Full name').waitFor()

    const clock = async () => Date.parse((await page.locator('.top .clock time').getAttribute('datetime'))!)
    const before = await clock()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('forward 1 hour')
    await page.keyboard.press('Enter')
    await page.locator('.told', { hasText: 'The clock was moved to' }).waitFor()
    await expect.poll(clock).toBeGreaterThan(before + 3_590_000)
    await shoot(page, 'clock-moved')
    await expectAccessible(page, 'the clock was moved')
    await page.locator('.told').getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.locator('.told').count()).toBe(0)

    await page.keyboard.press('Control+k')
    await page.keyboard.type('run: it arrives')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Facts' }).waitFor()
    expect(decodeURIComponent(page.url())).toContain('/payments/Transaction:')
    await page.close()
    expect(at.faults).toEqual([])
  })

  it('says why a command was refused, and has none in production', async () => {
    const page = await at.openAs(platform, '')
    await page.route('**/sandbox/clock/advance', (route) =>
      route.fulfill({
        status: 403,
        json: { status: 403, code: 'FORBIDDEN', message: 'Not yours.', details: {} },
      }),
    )
    await page.keyboard.press('Control+k')
    await page.keyboard.type('forward 1 minute')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Not yours.' }).waitFor()
    await page.close()
    const real = await at.openAs(await at.server.platform({ environment: 'PRODUCTION' }), '')
    await real.keyboard.press('Control+k')
    await real.getByRole('group', { name: 'Pages' }).waitFor()
    expect(await real.getByRole('group', { name: 'Sandbox' }).count()).toBe(0)
    await real.close()
  })

  it('finds a heading of the documentation, and opens it beside the console', async () => {
    const page = await at.openAs(platform, '')
    await page.route('**/docs/search.json', (route) =>
      route.fulfill({
        json: [
          { at: '/docs/guides/cards', page: 'Cards', heading: 'Cards', text: '' },
          { at: '/docs/reference/errors#quote_expired', page: 'Errors', heading: 'QUOTE_EXPIRED', text: '' },
        ],
      }),
    )
    await page.context().route('**/docs/reference/*', (route) => route.fulfill({ body: 'The errors' }))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('quote_exp')
    const found = page.getByRole('group', { name: 'Documentation' }).getByRole('option')
    await found.filter({ hasText: 'QUOTE_EXPIRED' }).waitFor()
    const [beside] = await Promise.all([page.context().waitForEvent('page'), found.first().click()])
    await beside.getByText('The errors').waitFor()
    expect(beside.url()).toBe(`${at.origin}/docs/reference/errors#quote_expired`)
    await page.close()
  })
})
