import { createCustomer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { describeConsole, expectAccessible, goTo, shoot } from './opened-console.ts'

describeConsole('what all pages of the console share', (at) => {
  it('shows that it waits after 400 ms, and after 8 seconds for which request', async () => {
    const page = await at.openAs(await at.server.platform(), '')
    await page.route('**/customers?*', () => {})
    await page.clock.install()
    const asked = page.waitForRequest((request) => request.url().includes('/customers?'))
    await page.getByRole('link', { name: 'Customers' }).click()
    const requestId = (await asked).headers()['x-request-id']!
    expect(requestId).toMatch(/^[0-9a-z]{16,30}$/)
    await page.locator('.skeleton').waitFor()
    await page.clock.runFor(400)
    await page.locator('.skeleton .bar').waitFor()
    await page.clock.runFor(8_000)
    await page.getByText(`It waits for GET /2025-10-13/customers · request ${requestId}`).waitFor()
    await expectAccessible(page, 'a slow page')
    await shoot(page, 'slow')
  })

  it('says of an error what to do, and gives the request as a command for a terminal', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'payments?status=NONE')
    const trouble = page.getByRole('alert')
    await trouble.getByText('Correct the fields in details.errors').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await trouble.getByRole('button', { name: 'Copy as curl' }).click()
    await trouble.getByText('curl copied').waitFor()
    const command = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(command).toContain(`curl -X GET '${at.origin}/2025-10-13/transactions?status=NONE`)
    expect(command).toContain('-u "$CORRIDOR_CLIENT_ID:$CORRIDOR_CLIENT_SECRET"')
    await expectAccessible(page, 'an error')
    await shoot(page, 'error')
  })

  it('names platform and environment where an id is not found', async () => {
    const page = await at.openAs(await at.server.platform(), 'payments/Transaction%3Anone')
    const [, name] = new URL(page.url()).pathname.match(/^\/console\/([^/]+)\//)!
    await page.getByRole('alert').getByText(`this is ${name} sandbox`).waitFor()
  })

  it('says of an empty list which filter leaves nothing, and drops it alone', async () => {
    const platform = await at.server.platform()
    await createCustomer(at.server.client(platform), { fullName: 'Ana Lopez' })
    const page = await at.openAs(platform, 'customers?customerType=INDIVIDUAL&platformCustomerId=nobody')
    await page.getByText('Nothing matches these filters.').waitFor()
    const lines = page.locator('.dropped').getByRole('listitem')
    await lines.filter({ hasText: 'It matches nothing' }).waitFor()
    expect(await lines.allTextContents()).toEqual([
      expect.stringContaining('nobody'),
      expect.stringContaining('INDIVIDUAL'),
    ])
    expect(await lines.filter({ hasText: 'It matches nothing' }).textContent()).toContain('nobody')
    await expectAccessible(page, 'an empty filtered list')
    await shoot(page, 'filtered-empty')
    await page.getByRole('button', { name: 'Drop “Your own id: nobody”' }).click()
    await page.getByText('Ana Lopez').waitFor()
    expect(new URL(page.url()).search).toBe('?customerType=INDIVIDUAL')
  })

  it('keeps the frame around a page whose code does not come, and reads it once the server is back', async () => {
    const page = await at.openAs(await at.server.platform(), '')
    await page.route(/assets\/customers-page|\/console$/, (route) => route.abort())
    await page.getByRole('link', { name: 'Customers' }).click()
    const told = page.getByRole('alert').filter({ hasText: 'This page could not be shown.' })
    await told.getByText('The server does not respond.').waitFor()
    await expectAccessible(page, 'a page whose code did not come')
    await shoot(page, 'no-code')
    await page.unroute(/assets\/customers-page|\/console$/)
    await told.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    // The browser tells of each request that did not get through, and React of what broke.
    at.faults.splice(0)
  })

  it('keeps a page of which one part cannot be drawn', async () => {
    const platform = await at.server.platform()
    const customer = await createCustomer(at.server.client(platform), { fullName: 'Ana Lopez' })
    const page = await at.openAs(platform, '')
    await page.route('**/internal-account*', (route) => route.fulfill({ json: { data: [{}] } }))
    await goTo(page, `${new URL(page.url()).pathname}/customers/${encodeURIComponent(customer.id)}`)
    const told = page.getByRole('alert').filter({ hasText: 'This part of the page failed.' })
    await told.first().waitFor()
    await page.getByRole('heading', { level: 1, name: /Ana Lopez/ }).waitFor()
    await shoot(page, 'broken-part')
    // React tells of each part, which break one after the other.
    await page.close()
    at.faults.splice(0)
  })

  it('refuses a credential of production at an address of the sandbox, with both names', async () => {
    const sandbox = await at.server.platform()
    const real = await at.server.platform({ environment: 'PRODUCTION' })
    const [before, after] = [await at.openAs(sandbox, 'payments'), await at.openAs(real, 'payments')]
    const [address, realAddress] = [new URL(before.url()).pathname, new URL(after.url()).pathname]
    const nameOf = (path: string) => path.split('/').slice(2, 4).join(' ')
    await after.goto(`${at.origin}${address}`)
    const told = after.getByRole('alert').filter({
      hasText: `This address belongs to ${nameOf(address)}, but you are signed in to ${nameOf(realAddress)}.`,
    })
    await told.waitFor()
    expect(await after.locator('.environment, .rows').count()).toBe(0)
    await expectAccessible(after, 'another environment')
    await shoot(after, 'another-environment')
    // Signing in as before does not help; what is of this environment is let in.
    await after.getByRole('button', { name: `Sign in to ${nameOf(address)}` }).click()
    await after.getByLabel('Client id').fill(real.clientId)
    await after.getByLabel('Client secret').fill(real.clientSecret)
    await after.getByRole('button', { name: 'Sign in' }).click()
    await told.waitFor()
    await after.getByRole('link', { name: `Go to ${nameOf(realAddress)}` }).click()
    await after.locator('.environment', { hasText: 'PRODUCTION' }).waitFor()
  })

  it.each([
    ['SANDBOX', 'repeating-linear-gradient'],
    ['PRODUCTION', 'none'],
  ] as const)('says by five signs at once that it is %s', async (environment, hatch) => {
    const name = environment.toLowerCase()
    const page = await at.openAs(await at.server.platform({ environment }), 'payments')
    const frame = () =>
      page.evaluate(`(() => {
        const { backgroundImage, backgroundColor, padding } = getComputedStyle(document.documentElement, '::before')
        return { hatch: backgroundImage.split('(')[0], color: backgroundColor, padding }
      })()`) as Promise<{ hatch: string; color: string; padding: string }>
    const icon = () => page.locator('link[rel=icon]').getAttribute('href')
    await page.getByText('No payments yet.').waitFor()
    expect(await page.locator('.environment').innerText()).toBe(environment)
    expect(new URL(page.url()).pathname.split('/')[3]).toBe(name)
    expect(await page.title()).toMatch(new RegExp(` ${name}$`))
    expect(await icon()).toBe(`/console/${name}.svg`)
    const before = await frame()
    expect(before).toMatchObject({ hatch, padding: '6px' })
    // Systems with colours of their own take those of the page away.
    await page.emulateMedia({ forcedColors: 'active' })
    expect(await frame()).toEqual(before)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Client id').waitFor()
    await expect.poll(icon).toBe('/console/corridor.svg')
  })
})
